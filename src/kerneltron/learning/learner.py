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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import is_not
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Anything, Floats, Integers, Trace, Visits
from kerneltron.learning import space as spaces
from kerneltron.learning.calibrating import ENOUGH, Watch, folded, settled, spread_out, visit
from kerneltron.learning.calibration import Calibration
from kerneltron.learning.classes import Met, columns_for, meet, origins_of_columns
from kerneltron.learning.examples import Classified
from kerneltron.learning.label_types import in_type_of
from kerneltron.learning.method import Method
from kerneltron.learning.parameters import parameters_of
from kerneltron.learning.space import Data, Space
from kerneltron.learning.weighting import class_weights

if TYPE_CHECKING:
    from kerneltron.files.contents import Contents
    from kerneltron.learning.passes import Outcome, Plan
    from kerneltron.learning.predictor import Predictor
    from kerneltron.learning.scale import Scale
    from kerneltron.learning.stopping import PassReport
    from kerneltron.learning.trace import Traced
    from kerneltron.models.model import Model

BINARY = 2  # classes, whose logarithms of odds need no calibration


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
    classes
        The labels that it knows, sorted; None before it met any.
    is_closed
        Whether the classes were given, so that others are refused.
    model
        Its vectors or remembered examples; None before it began.
    mistakes
        Mistakes made before each update, one entry per pass; None before it began.
    seed
        What it began with: the order of its passes follows from it. None before it began, and from a file.
    is_streaming
        Whether the last pass is a stream, which goes on with the next call.
    is_in_time
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
    scale
        On a stream, what brings the rows of windows to one scale; None where they are taken as they are.
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
        self.classes: Anything | None = None
        self.is_closed = False
        self._model: Model | None = None
        self.mistakes: Integers | None = None
        self.seed: int | None = None
        self.is_streaming = False
        self.is_in_time = False
        self.compares_every = 0
        self.validation_scores: Floats | None = None
        self.best_pass: int | None = None
        self.optima: Floats | None = None
        self.scale: Scale | None = None
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
        """Tell whether it began."""
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
    def known(self) -> list[Any]:
        """The labels that it knows, as plain values."""
        return [] if self.classes is None else list(self.classes.tolist())

    @property
    def columns(self) -> int:
        """How many vectors its classes need."""
        return columns_for(len(self.known))

    @property
    def scores_are_log_odds(self) -> bool:
        """Tell whether its scores are logarithms of odds, as they are."""
        is_vector = self._model is None or not self._model.hypothesis.keeps_moves
        return self.method.scores_are_log_odds and is_vector

    @property
    def has_probabilities(self) -> bool:
        """Tell whether it can turn scores into probabilities."""
        return self.scores_are_log_odds or self.calibration is not None

    @property
    def _needs_calibration(self) -> bool:
        """Tell whether scores are not probabilities as they are: two logarithms of odds sum to 0."""
        return not self.scores_are_log_odds or len(self.known) > BINARY

    @property
    def temperature(self) -> float | None:
        """What scores are multiplied by for probabilities; None where they are logarithms of odds.

        Those of one class against the rest do not sum to 1, and are calibrated like other scores: on nine
        sets the log-loss is 0.8 times that of the classes' own, brought to a sum of 1.
        """
        known = self.calibration
        if self.scores_are_log_odds and (known is None or len(self.known) <= BINARY or not known.is_sure):
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

    # -- getting to know classes, and beginning ------------------------------------------------------

    def meet(self, labels: Anything, given: Any = None, there: Any = None) -> Met:
        """Get to know the classes of some labels; a model that is there gets columns for them.

        Parameters
        ----------
        labels
            One label per row.
        given
            All labels that may come, or None; from then on the classes are closed.
        there
            Which rows exist, all for None: the labels of others do not count.
        """
        before = self.classes
        met = meet(before, labels, given, self.is_closed, there)
        if before is not None and self._model is not None and len(met.classes) > len(before):
            self._model = self._model.copy()
            self._model.regroup(origins_of_columns(before, met.classes))
            if len(before) == BINARY and self.calibration is not None:
                known = self.calibration
                self.calibration = Calibration(known.seen) if self.scores_are_log_odds else known.parted()
        self.classes, self.is_closed = met.classes, met.is_closed
        return met

    def begin(self, data: Data, seed: int, space: Space | None = None) -> None:
        """Make a model that knows nothing yet, for the classes that were met and such examples.

        A map that stands in `space` is shared, not made anew.
        """
        self.space = spaces.find(self.method, data, self.columns, seed, space)
        self.model = spaces.new_model(self.method, self.space, data, self.columns, seed)
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
        """Begin to count the mistakes of another pass."""
        assert self.mistakes is not None
        self.mistakes = np.append(self.mistakes, 0)

    def begin_stream(self) -> None:
        """Go on with a stream: one long pass, after those that lie behind."""
        if not self.is_streaming:
            self.begin_pass()
        self.is_streaming, self.optima = True, None
        self.is_in_time = True

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
        before.check_learning()
        before.check_streaming()
        model = before.successor() if undo else before
        rule, following = self._rules()
        model.rule = following if self.is_in_time else rule
        model.hypothesis.compares_every = 1 if self.is_in_time else self.compares_every
        self.model, self.mistakes = model, None if mistakes is None else mistakes.copy()
        try:
            with model.visiting(rows, undo):
                yield
            model.rule = rule
        except BaseException:
            self.model, self.mistakes, self.calibration = before, mistakes, calibration
            raise

    def learn(
        self, visits: Visits, keep_scores: bool = False, are_new: bool = True, keep_predictions: bool = False
    ) -> tuple[Any, Trace]:
        """Visit some of the rows; return the mistakes and, if wanted, the scores before each update.

        `are_new` says that they were never learned from: their scores tell how far scores can be trusted.
        """
        wanted = {"keep_scores": keep_scores, "keep_predictions": keep_predictions}
        if visits.codes.ndim > 1 or not self._needs_calibration:  # tasks have scores of their own
            missed, trace = self.model.learn(visits, **wanted)
        else:
            known = self.calibration or Calibration()
            missed, trace, self.calibration = visit(self.model, known, visits, are_new, **wanted)
        self._count(missed)
        return missed, trace

    def predict_and_learn(self, visits: Visits) -> Floats:
        """Visit some of the rows; return the scores that a prediction would have had just before each visit.

        Where the model cannot tell as it learns, rows are predicted and learned from one by one.
        """
        if self.model.predicts_as_it_learns:
            return self.learn(visits, keep_predictions=True)[1].said
        said = np.empty((visits.order.size, self.model.columns))
        for place in range(visits.order.size):
            one = Visits._make(array[place : place + 1] for array in visits)
            said[place] = self.model.said(one.order)[0]
            self.learn(one)
        return said

    def settle(self, codes: Integers, rows: Integers) -> None:
        """See how certain what predicts is of some rows of this call, if they are enough to tell."""
        known = self.calibration if self._needs_calibration else None
        if known is not None and (rows.size >= ENOUGH or not known.said.any()):
            some = spread_out(rows)
            asked = Visits(some, codes[some], np.ones(some.size))
            self.calibration = settled(self.model, known, asked)

    def trace(self, visits: Visits) -> "Traced":
        """Visit some of the rows, and return all that happened."""
        from kerneltron.learning.trace import Traced

        self.model.check_tracing()
        missed, trace = self.model.learn(visits, keep_scores=True, keep_moves=True)
        self._count(missed)
        return Traced.of(visits, trace)

    def _count(self, missed: Any) -> None:
        if self.mistakes is not None:
            self.mistakes[-1] += missed

    def make_passes(
        self,
        X: Any,
        examples: Any,
        plan: "Plan",
        *,
        validate: "Callable[[Model], float] | None" = None,
        after_pass: "Callable[[PassReport], object]" = lambda report: None,
        calibrates: bool = True,
        **watching: Any,
    ) -> "Outcome":
        """Make several passes over the rows X; see `passes.train`, which takes what else is given.

        A learner that looks for an optimum `calibrates` its scores on held-out examples, which takes time.
        """
        from kerneltron.learning.passes import train

        def counted(report: "PassReport") -> object:
            self.begin_pass()
            self._count(report.mistakes)
            if self.optima is not None:
                self.optima = np.vstack([self.optima, [report.objective, report.dual_objective]])
            return after_pass(report)

        watching |= {"validate": validate, "after_pass": counted}
        rows = self.model.read(X)
        watch = None
        if self._needs_calibration:
            watch = Watch(self.calibration or Calibration(), examples, plan.chosen, are_new=not plan.first)
        outcome = train(self.model, rows, examples, plan, watch=watch, **watching)
        self.model, self.is_streaming = outcome.model, False
        if watch is not None:
            self.calibration = watch.calibration
        if plan.tolerance and calibrates:
            self._calibrate_held_out(rows, examples, plan)
        self._note_reuse()
        if validate is not None:
            self.validation_scores = np.array([report.validation_score for report in outcome.reports])
            self.best_pass = outcome.best_pass
        return outcome

    def _calibrate_held_out(self, rows: Any, examples: Any, plan: "Plan") -> None:
        """Find the temperature by machines for parts of the examples, on others."""
        assert self.calibration is not None
        data = Data(examples.size, self.inputs or 0, self.model.dtype or np.float64)

        def new_model() -> "Model":
            assert self.space is not None
            return spaces.new_model(self.method, self.space, data, self.columns, self.seed or 0)

        found = folded(new_model, rows, examples, plan)
        if found is not None:
            self.calibration = self.calibration.held_out(*found)

    def _note_reuse(self) -> None:
        """Let the representation say what was kept of kernel values, and how often it was of use."""
        reuse = getattr(self.model, "reuse", None)
        if reuse is None or not reuse.kept_rows or self.space is None or self.space.representation is None:
            return
        representation = self.space.representation._replace(**reuse._asdict())
        self.space = self.space._replace(representation=representation)
        if self.method.verbose:
            print(f"{self.name}: {representation}", file=sys.stderr)

    def examples(
        self, labels: Anything, sample_weight: Floats | None = None, by_class: Floats | None = None
    ) -> Classified:
        """Return the examples that rows with these labels are.

        Parameters
        ----------
        labels
            One label per row, of those that it knows.
        sample_weight
            One weight per row, or None.
        by_class
            One weight per class; by default those that the method gives them.
        """
        assert self.classes is not None
        if by_class is None:
            by_class = class_weights(self.method.counts, self.classes, self.method.whole_examples_only)
        return Classified(in_type_of(labels, self.classes), self.classes, by_class, sample_weight)

    # -- predicting ----------------------------------------------------------------------------------

    def scores(self, X: Any) -> Floats:
        """Return one score per row of X and column."""
        return self.model.scores(X)

    def codes(self, scores: Floats) -> Integers:
        """Return the place of the class with the highest score; of two, the second if it is above 0."""
        from kerneltron.learning.progressive import predicted

        return predicted(scores, len(self.known))

    def labels(self, scores: Floats) -> Anything:
        """Return the label that each row of scores speaks for."""
        assert self.classes is not None
        return np.asarray(self.classes[self.codes(scores)])

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability of each class; raise where there is no calibration."""
        from kerneltron.learning.progressive import probabilities

        return probabilities(scores, len(self.known), self.temperature)

    def predictor(self) -> "Predictor":
        """Return what it predicts now as a function of plain arrays; see `learning.predictor`."""
        from kerneltron.learning.predictor import Predictor

        return Predictor(self)

    def log_loss(self, scores: Floats, codes: Integers) -> Floats:
        """Return -log of the probability of the right class."""
        from kerneltron.learning.progressive import log_loss

        return log_loss(scores, codes, self.temperature)

    # -- copies and states ---------------------------------------------------------------------------

    def copy(self) -> Self:
        """Return a copy that goes its own way; weights are copied when one of both learns."""
        other = self.shell()
        if self._model is not None:
            other._model = self._model.lazy_copy()
        if self.scale is not None:
            other.scale = self.scale.copy()
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
