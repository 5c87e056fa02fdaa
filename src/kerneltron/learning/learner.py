"""A learner: a method together with what it has learned.

>>> import numpy as np
>>> from kerneltron.learning.learner import Learner
>>> from kerneltron.learning.methods import method
>>> from kerneltron.learning.space import Data
>>> X, labels = np.array([[0.0, 3.0], [1.0, 0.0]]), np.array(["no", "yes"])
>>> learner = Learner(method("perceptron")(hypothesis="last"))
>>> met = learner.meet(labels)
>>> learner.begin(Data(len(X), inputs=2), seed=0)
>>> learner.begin_pass()
>>> with learner.visiting(learner.model.read(X)):
...     missed, _ = learner.learn(learner.examples(labels).visits(np.arange(2)))
>>> missed, learner.labels(learner.scores(np.array([[2.0, 0.0]])))
(2, array(['yes'], dtype='<U3'))
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from operator import is_not
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Anything, Floats, Integers, Trace, Visits
from kerneltron.learning import space as spaces
from kerneltron.learning.calibrating import ENOUGH, FRESH, Look, settled, spread_out, visit
from kerneltron.learning.calibration import Calibration
from kerneltron.learning.examples import Examples
from kerneltron.learning.method import Method
from kerneltron.learning.parameters import parameters_of
from kerneltron.learning.space import Data, Space
from kerneltron.learning.targets.target import Met, Target
from kerneltron.learning.weighting import class_weights

if TYPE_CHECKING:
    from kerneltron.files.contents import Contents
    from kerneltron.learning.predictor import Predictor
    from kerneltron.learning.trace import Traced
    from kerneltron.models.late import ColumnOrigin
    from kerneltron.models.model import Model
    from kerneltron.scaling.column_scaler import ColumnScaler


class Learner:
    """What is trained, saved, explained, merged and watched.

    Parameters
    ----------
    method
        How it learns: parameters, and the rule that they describe.
    inputs
        Number of columns of the rows; None where examples are not rows of numbers, or not known yet.

    Attributes
    ----------
    space
        The kernel, the form and the delta that were found for what the method asks for; None before it began.
    target
        What the truth of a row means, and what it has met of it.
    model
        Its vectors or remembered examples; None before it began.
    mistakes
        Mistakes made before each update, one entry per pass; None before it began.
    seed
        What it began with: the order of its passes follows from it. None before it began, and from a file.
    is_streaming
        Whether the last pass is a stream, which goes on with the next call.
    is_stream_order
        Whether the examples come in the order of time, each once, so that it shows where their rule changes.
    compares_every
        Of how many examples one shows which of its vectors predicts better, where that is still open: 0 for
        none. In the order of time it is each of them.
    validation_scores, best_pass
        Of early stopping: accuracy on what was held out, one entry per pass, and the pass that was kept,
        from 1.
    optima
        Of methods that look for an optimum: the objective and the dual objective, one row per pass; None
        where they are not known, as after a stream.
    input_names
        Names of the columns of the rows, if they have any.
    scaler
        What brings rows to one scale in front of the model; None where it takes them as they are.
    calibration
        What is known of how scores become probabilities; None before it began, and from older files.
    """

    _temperature: tuple[Calibration, float] | None = None  # that of a calibration, once it was asked for
    _made_rules: tuple[Any, tuple[Any, Any]] | None = None  # and what they were made of

    def __init__(self, method: Method, inputs: int | None = None) -> None:
        self.method = method
        self.inputs = inputs
        self.input_names: Anything | None = None
        self.space: Space | None = None
        self.target: Target = method.target_type()()
        self._model: Model | None = None
        self.mistakes: Integers | None = None
        self.seed: int | None = None
        self.is_streaming = False
        self.is_stream_order = False
        self.compares_every = 0
        self.validation_scores: Floats | None = None
        self.best_pass: int | None = None
        self.optima: Floats | None = None
        self.scaler: ColumnScaler | None = None
        self.calibration: Calibration | None = None

    # -- what it is ----------------------------------------------------------------------------------

    def __repr__(self) -> str:
        if self._model is None:
            return f"<{self.name} that has not begun>"
        model = self._model
        return f"<{self.name}: {len(self.known)} classes, {model.ticks:,} examples, {model.form} form>"

    @property
    def name(self) -> str:
        """The name of its method."""
        return self.method.name()

    @property
    def has_model(self) -> bool:
        """Return whether it began."""
        return self._model is not None

    @property
    def model(self) -> "Model":
        """What it has learned; raises before it began."""
        if self._model is None:
            raise AttributeError(f"This {self.name} is not fitted yet: call fit or partial_fit first.")
        return self._model

    @model.setter
    def model(self, model: "Model") -> None:
        self._model = model

    @property
    def kernel(self) -> Any:
        """The kernel that it compares examples with, or will."""
        return spaces.kernel_of(self.method) if self.space is None else self.space.kernel

    @property
    def classes(self) -> Anything | None:
        """The labels that it knows, sorted; None before it met any, and where truths are not classes."""
        return self.target.classes

    @property
    def is_closed(self) -> bool:
        """Whether all classes were given, so that others are refused."""
        return self.target.is_closed

    @property
    def known(self) -> list[Any]:
        """The labels that it knows, as plain values."""
        classes = self.target.classes
        return [] if classes is None else list(classes.tolist())

    @property
    def columns(self) -> int:
        """How many vectors its target needs."""
        return self.target.columns

    @property
    def scores_are_log_odds(self) -> bool:
        """Return whether its scores are logarithms of odds, as they are."""
        is_vector = self._model is None or not self._model.hypothesis.keeps_moves
        return self.method.scores_are_log_odds and is_vector

    @property
    def has_probabilities(self) -> bool:
        """Return whether it can turn scores into probabilities."""
        return self.scores_are_log_odds or self.calibration is not None

    @property
    def _needs_calibration(self) -> bool:
        """Whether scores must be calibrated to become probabilities."""
        return self.target.needs_calibration(self.scores_are_log_odds)

    @property
    def temperature(self) -> float | None:
        """What scores are multiplied by for probabilities; None where they are logarithms of odds.

        Those of one class against the rest do not sum to 1, and are calibrated like other scores: on nine
        sets the log-loss is 0.8 times that of the classes' own, brought to a sum of 1.
        """
        known = self.calibration
        if self.scores_are_log_odds and (known is None or not self._needs_calibration or not known.is_sure):
            return None
        if known is not None:
            if self._temperature is None or self._temperature[0] is not known:
                self._temperature = known, known.temperature
            return self._temperature[1]
        raise ValueError(
            f"this {self.name} comes from a file of an older version, which kept no calibration: it has "
            "scores, but no probabilities. Use decision_function, let it go on learning (a calibration "
            "begins with the next examples), or train it anew."
        )

    # -- meeting truths, and beginning ---------------------------------------------------------------

    def meet(self, truths: Anything, given: Any = None, there: Any = None) -> Met:
        """Meet the truths of some rows; a model that is there gets columns for those that are new.

        Parameters
        ----------
        truths
            One per row: for a classifier its label.
        given
            All that may come, or None; from then on others are refused.
        there
            Which rows exist, all for None: the truths of others do not count.
        """
        before = self.target
        met = before.meet(truths, given, there)
        if met.target is before:
            return met
        origins = met.target.origins(before) if self._model is not None else []
        if self._model is not None and not _is_identity(origins, before.columns):
            self._model = self._model.copy()
            self._model.regroup(origins)
            if self.calibration is not None and met.target.splits_shared_column(before):
                known = self.calibration
                self.calibration = Calibration(known.seen) if self.scores_are_log_odds else known.parted()
        self.target = met.target
        return met

    def begin(self, data: Data, seed: int, space: Space | None = None) -> None:
        """Make a model that knows nothing yet, for the classes that were met and such examples.

        A map that stands in `space` is shared, not made anew.
        """
        columns = self.columns
        self.space = spaces.find(self.method, data, columns, seed, space)
        self.model = spaces.new_model(self.method, self.space, data, columns, seed)
        self.seed = seed
        self.calibration = Calibration()
        self.mistakes = np.zeros(0, np.int64)
        self.optima = np.zeros((0, 2)) if self.method.tolerance else None

    def start_from(self, other: "Learner") -> None:
        """Begin with the coefficients that another learner has found for the same examples."""
        assert self.space is not None
        assert other.space is not None
        if (other.space.kernel, other.space.form) != (self.space.kernel, self.space.form):
            raise ValueError("warm_start=True goes on in the same kernel and form: use `warm_start=False`.")
        if other.known != self.known:
            raise ValueError("warm_start=True goes on with the same classes: use `warm_start=False`.")
        self.model.start_from(other.model)

    def adopt(self, method: Method) -> None:
        """Go on with parameters that were set since; raise if one of them is in what was learned."""
        if method is self.method:
            return
        changed = self._changed(method)
        if changed is not None:
            name, difference = changed
            raise ValueError(
                f"{name} cannot change{difference} between calls of partial_fit: use fit to start anew."
            )
        self.method = method

    def _changed(self, method: Method) -> tuple[str, str] | None:
        """Return which parameter of another method the model cannot go on with, and what it would become."""
        assert self.space is not None
        fixed = [name for name, about in parameters_of(method).items() if about.fixed]
        if "kernel" in fixed:
            kernel = spaces.kernel_of(method)
            if kernel not in (self.space.kernel, spaces.kernel_of(self.method)):
                return "kernel", f" from {self.space.kernel} to {kernel}"
            delta: Any = getattr(method, "delta")  # noqa: B009, methods with a kernel have it
            if delta != "auto" and float(delta) != self.space.delta:
                return "delta", f" from {self.space.delta} to {float(delta)}"
            asked = getattr(method, "approximation")  # noqa: B009
            found = None if self.space.map is None else self.space.map.asked
            if _without_seed(asked) != _without_seed(found):
                return "representation", f" from {found or self.space.form} to {asked or 'another'}"
        rule, before = self._rule_of(method), self.model.rule
        pairs = {
            "schedule": (type(rule), type(before)),
            "hypothesis": (method.hypothesis, self.model.hypothesis.name),
            "fit_intercept": (method.bias, self.model.bias),
        }
        pairs |= {
            name: (getattr(rule, name), getattr(before, name, None)) for name in fixed if name in rule._fields
        }
        others = [name for name in fixed if name not in (*pairs, "kernel", "delta")]
        pairs |= {name: (getattr(method, name), getattr(self.method, name)) for name in others}
        return next(((name, "") for name, (now, then) in pairs.items() if now != then), None)

    def _rules(self) -> tuple[Any, Any]:
        """Return the rule of its method, and that for examples in the order of time, made once."""
        made_of = self.method, self.space, self.inputs
        if self._made_rules is None or any(map(is_not, self._made_rules[0], made_of)):
            rule = self._rule_of(self.method)
            self._made_rules = made_of, (rule, self.method.following(rule))
        return self._made_rules[1]

    def _rule_of(self, method: Method) -> Any:
        assert self.space is not None
        return spaces.rule_of(method, self.space, self.inputs or 1)

    # -- learning ------------------------------------------------------------------------------------

    def begin_pass(self) -> None:
        """Begin to count the mistakes of another pass, where they are counted."""
        if self.mistakes is not None:
            self.mistakes = np.append(self.mistakes, 0)

    def begin_stream(self) -> None:
        """Go on with a stream: one long pass, after those that lie behind."""
        if not self.is_streaming:
            self.begin_pass()
        self.is_streaming, self.optima = True, None
        self.is_stream_order = True

    @contextmanager
    def visiting(self, rows: Any, undo: bool = True) -> Iterator[None]:
        """Visit rows that `model.read` made ready: begin with them, and end in any case.

        Where anything fails in between, the learner is as it was before.

        Parameters
        ----------
        rows
            What the next visits belong to.
        undo
            False for a learner that is not needed any more if this fails: nothing is then kept to go back to.
        """
        before, mistakes, calibration = self.model, self.mistakes, self.calibration
        model, rule = before.successor() if undo else before, before.rule
        if self.is_streaming:
            before.check_learning()
            before.check_streaming()
            rule, following = self._rules()
            model.rule = following if self.is_stream_order else rule
            model.hypothesis.compares_every = 1 if self.is_stream_order else self.compares_every
        self.model, self.mistakes = model, None if mistakes is None else mistakes.copy()
        try:
            with model.visiting(rows, undo):
                yield
            model.rule = rule
        except BaseException:
            self.model, self.mistakes, self.calibration = before, mistakes, calibration
            raise

    def learn(
        self,
        visits: Visits,
        *,
        look: Look | None = FRESH,
        keep_scores: bool = False,
        keep_moves: bool = False,
        keep_predictions: bool = False,
    ) -> tuple[Any, Trace]:
        """Visit some of the rows; return the mistakes and, as far as wanted, what happened at each visit.

        Parameters
        ----------
        visits
            Which rows, in which order, and what is to be learned of them.
        look
            How their scores speak for the certainty of predictions; None: not at all.
        keep_scores, keep_moves
            Whether to return the scores before each update, and the updates: see `Model.learn`.
        keep_predictions
            Whether to return the scores that a prediction would have had just before each visit. Where the
            model cannot tell as it learns, rows are predicted and learned from one by one.
        """
        if keep_predictions and not self.model.predicts_as_it_learns:
            return self._learn_one_by_one(visits, look)
        wanted = {
            "keep_scores": keep_scores,
            "keep_moves": keep_moves,
            "keep_predictions": keep_predictions,
        }
        if look is None or visits.codes.ndim > 1 or not self._needs_calibration:
            missed, trace = self.model.learn(visits, **wanted)
        else:
            known = self.calibration or Calibration()
            missed, trace, self.calibration = visit(self.model, known, visits, look, **wanted)
        if self.mistakes is not None:
            self.mistakes[-1] += missed
        return missed, trace

    def _learn_one_by_one(self, visits: Visits, look: Look | None) -> tuple[Any, Trace]:
        """Predict each row, and then learn from it."""
        said = np.empty((visits.order.size, self.model.columns))
        mistakes, trace = 0, None
        for place in range(visits.order.size):
            one = Visits._make(array[place : place + 1] for array in visits)
            said[place] = self.model.current_scores(one.order)[0]
            missed, trace = self.learn(one, look=look)
            mistakes += missed
        trace = self.model.learn(visits)[1] if trace is None else trace
        return mistakes, trace._replace(predictions=said)

    def settle(self, codes: Integers, rows: Integers) -> None:
        """Note how certain deployed vectors are of some rows of this call, if they are enough to tell."""
        known = self.calibration
        if known is not None and (rows.size >= ENOUGH or not known.said.any()):
            some = spread_out(rows)
            self.settle_by(Visits(some, codes[some], np.ones(some.size)))

    def settle_by(self, visits: Visits) -> None:
        """Note how certain deployed vectors are of these rows of this call."""
        if visits.codes.ndim == 1 and self._needs_calibration:
            self.calibration = self.calibration or Calibration()
            if visits.order.size:
                self.calibration = settled(self.model, self.calibration, visits)

    def restart_average(self) -> None:
        """Let the average of all vectors begin anew with those of now: the first pass is over."""
        self.model.restart_average()

    def trace(self, visits: Visits) -> "Traced":
        """Visit some of the rows, and return all that happened."""
        from kerneltron.learning.trace import Traced

        self.model.check_tracing()
        missed, trace = self.model.learn(visits, keep_scores=True, keep_moves=True)
        if self.mistakes is not None:
            self.mistakes[-1] += missed
        return Traced.of(visits, trace)

    def note_reuse(self) -> None:
        """Let the representation say what was kept of kernel values, and how often it was of use."""
        reuse = getattr(self.model, "reuse", None)
        if reuse is None or not reuse.kept_rows or self.space is None or self.space.representation is None:
            return
        representation = self.space.representation._replace(**reuse._asdict())
        self.space = self.space._replace(representation=representation)
        if self.method.verbose:
            print(f"{self.name}: {representation}", file=sys.stderr)

    def examples(
        self, truths: Anything, sample_weight: Floats | None = None, by_class: Floats | None = None
    ) -> Examples:
        """Return the examples that rows with these truths are.

        Parameters
        ----------
        truths
            One per row, of those that it has met.
        sample_weight
            One weight per row, or None.
        by_class
            One weight per class; by default those that the method gives them.
        """
        if by_class is None:
            by_class = self.weights_of_classes()
        return self.target.examples(truths, by_class, sample_weight)

    def weights_of_classes(self) -> Floats:
        """Return what its method lets each class count on a stream; nothing where truths are not classes."""
        classes = self.target.classes
        if classes is None:
            return np.ones(0)
        counts = self.method.counts
        if counts is None:
            return np.ones(len(classes))
        return class_weights(counts, classes, self.method.whole_examples_only)

    # -- predicting ----------------------------------------------------------------------------------

    def scaled(self, X: Any, limits: bool = False) -> Any:
        """Return rows as the model takes them: to be predicted or, with `limits`, to be learned from."""
        return X if self.scaler is None else self.scaler.matrix(X, limits)

    def scores(self, X: Any) -> Floats:
        """Return one score per row of X and column."""
        return self.model.scores(self.scaled(X))

    def labels(self, scores: Floats) -> Anything:
        """Return the label, or other truth, that each row of scores speaks for."""
        return self.target.truths(scores)

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability of each class; raise where there is no calibration."""
        return self.target.probabilities(scores, self.temperature)

    def predictor(self) -> "Predictor":
        """Return what it predicts now as a function of plain arrays; see `learning.predictor`."""
        from kerneltron.learning.predictor import Predictor

        return Predictor(self)

    def log_loss(self, scores: Floats, codes: Integers) -> Floats:
        """Return -log of the probability of the right class."""
        return self.target.log_loss(scores, codes, self.temperature)

    # -- copies and states ---------------------------------------------------------------------------

    def copy(self) -> Self:
        """Return an independent copy; weights are copied when one of both learns."""
        other = self.shell()
        if self._model is not None:
            other._model = self._model.lazy_copy()
        if self.scaler is not None:
            other.scaler = self.scaler.copy()
        if self.mistakes is not None:
            other.mistakes = self.mistakes.copy()
        return other

    __copy__ = copy

    def shell(self) -> Self:
        """Return a learner that holds the same model: to give it another one, or to take this one's place."""
        other = type(self).__new__(type(self))
        other.__dict__ = self.__dict__.copy()
        return other

    def state(self, resumable: bool = True, asked: Method | None = None) -> "Contents":
        """Return what a file holds of it; see `learning.state.state`."""
        from kerneltron.learning.state import state

        return state(self, resumable, asked)

    @classmethod
    def restore(cls, contents: "Contents") -> "Learner":
        """Return the learner that `contents` describe; see `learning.state.restore`."""
        from kerneltron.learning.state import restore

        return restore(contents)


def _without_seed(asked: Any) -> Any:
    """Return a map that is asked for as far as it must not change: what was drawn stays."""
    return None if asked is None else asked.replace(random_state=None)


def _is_identity(origins: "list[ColumnOrigin]", columns: int) -> bool:
    """Return whether columns stay as they are."""
    return origins == [(column, 1.0) for column in range(columns)]
