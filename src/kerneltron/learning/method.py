"""What every learning method has in common: its parameters, their checks, and the rule that follows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, cast

from kerneltron.learning.parameters import check_class_weight, parameter, parameters_of
from kerneltron.learning.scaler_choice import check_scale

if TYPE_CHECKING:
    from numpy.random import RandomState

    from kerneltron.learning.pass_report import PassReport
    from kerneltron.learning.targets.target import Target

CLASS_WEIGHT = "What classes count, as a dict from labels to weights, or 'balanced'; {}."
ONE_EACH = "1 each"
MOST_PASSES = 1e15  # with it the number of visits is still finite
PASSES = (
    "How often to go over the examples. Fractions are allowed: 0.1 is the first tenth of a pass. With "
    "`early_stopping`, the largest number to try."
)


def class_weight(effect: str) -> Any:
    """Return the parameter of that name, which some methods have; `effect` says what it multiplies."""
    return parameter(
        None,
        CLASS_WEIGHT.format(effect),
        mixes=True,
        brief="What classes count, such as spam=5,ham=1.",
        brief_default=ONE_EACH,
    )


@dataclass(kw_only=True, eq=False, repr=False)
class Method(ABC):
    """How to learn: parameters, and the rule that they describe. It holds nothing that was learned.

    A `Learner` is a method together with what it has learned. The estimators of scikit-learn and the options
    of the command line are made from the fields of the methods.
    """

    passes: float = parameter(
        1,
        PASSES,
        above=0,
        most=MOST_PASSES,
        of_training=True,
        brief="How often to go over the input.",
        brief_type=int,
    )
    shuffle: bool = parameter(
        True,
        "Visit the examples of `fit` in a random order, another one in each pass. `partial_fit` never does.",
        of_training=True,
        brief="Another order in each pass, within some megabytes in the first.",
    )
    random_state: "int | RandomState | None" = parameter(
        None,
        "Seed for the order, the initial weights, the validation split and the random hypothesis: a whole "
        "number, a `RandomState`, or None for another one each time.",
        of_training=True,
        brief="Seed.",
        brief_type=int,
    )
    callback: "Callable[[Any, PassReport], object] | None" = parameter(
        None,
        "Called after each pass of `fit` with the learner, ready to predict, and a `PassReport`. Training "
        "stops when it returns True.",
        mixes=True,
        saved=False,
    )
    verbose: int = parameter(0, "1 shows a progress bar on standard error.", mixes=True, shown=False)

    # In the place of parameters that not all methods have (see `OnlineMethod`); an annotation would make
    # fields of them.
    hypothesis = "last"
    early_stopping = False
    validation_fraction = 0.1
    patience = 1
    # Rules that repair an example at once: a second visit would change nothing, half a one has no meaning.
    whole_examples_only: ClassVar[bool] = False
    # Scores are logarithms of odds.
    scores_are_log_odds: ClassVar[bool] = False
    # Columns are brought to one scale: see `learning.scaler_choice`; an annotation would make a field of it.
    scale = cast("bool | str", False)
    # It visits row by row, so that a model with weights for columns can scale these as it goes.
    scales_as_it_goes: ClassVar[bool] = False
    # Features must not be negative.
    non_negative_only: ClassVar[bool] = False
    # The classes move together: the columns are not tasks of their own.
    is_joint: ClassVar[bool] = False
    # Rules that move at every example: in dual form they remember all.
    always_moves: ClassVar[bool] = False
    # The forms that its model can have, and why it has no dual form; empty where it has.
    forms: ClassVar[tuple[str, ...]] = ("primal", "scaled", "mapped", "dual", "budgeted")
    refuses_dual: ClassVar[str] = ""
    # Its rule may be AdaGrad's, with a rate for each weight.
    adapts: ClassVar[bool] = False
    # Why it has no hypothesis that keeps all moves, such as the vote; empty where it has.
    refuses_moves: ClassVar[str] = ""
    # Why tasks cannot be learned side by side, each with weights of its own; empty where they can.
    refuses_side_by_side: ClassVar[str] = ""
    # Defaults that differ on streams; on those whose rows have length 1; on those that hold texts; on those
    # whose numbers are brought to one scale; and on those where rows get length 1 behind that. Where there
    # are some for texts, a first look is taken.
    on_streams: ClassVar[Mapping[str, Any]] = {}
    on_unit_rows: ClassVar[Mapping[str, Any]] = {}
    on_texts: ClassVar[Mapping[str, Any]] = {}
    on_scaled_numbers: ClassVar[Mapping[str, Any]] = {}
    on_scaled_unit_rows: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def name(cls) -> str:
        """Return the name of its estimator, and of its kind in a file."""
        return cls.__name__.removesuffix("Method")

    @classmethod
    def suiting_texts(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the defaults on texts where these parameters are given."""
        return cls.on_texts

    @classmethod
    def is_additive(cls) -> bool:
        """Return whether it adds multiples of examples to its vectors, and so can have a kernel."""
        return False

    @classmethod
    def target_type(cls) -> "type[Target]":
        """Return the type of its target: what the truth of a row means, by default one of the classes."""
        from kerneltron.learning.targets.classification import Classification

        return Classification

    @classmethod
    @abstractmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules, which is imported only now: it is compiled code."""

    @abstractmethod
    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe.

        Parameters
        ----------
        width
            Number of features, without the constant one.
        form
            "primal" or "dual": a rule with a rate for each weight has none where there are no weights.
        """

    def following(self, rule: Any) -> Any:
        """Return the rule to visit a stream with, whose examples may come to follow another one."""
        return rule

    @property
    def looks_at_examples(self) -> bool:
        """Whether it can begin only when the first examples are there: a map may be chosen by them."""
        return False

    @property
    def bias(self) -> float:
        """Value of the constant feature."""
        return 1.0

    @property
    def start(self) -> float:
        """Standard deviation of random initial weights."""
        return 0.0

    @property
    def tolerance(self) -> float:
        """How close to an optimum is enough, as `Model.gap` measures it; 0 where none is looked for."""
        return 0.0

    @property
    def starts_warm(self) -> bool:
        """Whether another fit begins with what the last one has found."""
        return False

    @property
    def counts(self) -> Any:
        """What classes count, as it was given; None where all count the same."""
        return getattr(self, "class_weight", None)

    def seed(self) -> int:
        """Return the seed that `random_state` stands for; another one each time for None."""
        import numpy as np  # only now: the help of the command line needs the parameters, and no arrays

        state: Any = self.random_state
        if state is None or state is np.random:
            state = np.random.mtrand._rand  # as scikit-learn does: np.random.seed makes it repeatable
        elif isinstance(state, Integral) and 0 <= int(state) < 2**32:
            state = np.random.RandomState(int(state))
        elif not isinstance(state, np.random.RandomState):
            raise ValueError(
                f"random_state={state!r} is not a seed: give a whole number from 0 to 2**32 - 1, a "
                "RandomState, or None."
            )
        return int(state.randint(np.iinfo(np.int32).max))

    def check(self) -> None:
        """Raise if a parameter makes no sense."""
        for name, about in parameters_of(self).items():
            about.check(name, getattr(self, name))
        check_class_weight(self.counts)
        if self.callback is not None and not callable(self.callback):
            raise TypeError(
                f"callback={self.callback!r} cannot be called: give a function of (learner, report)."
            )
        self.rule(1)
        check_scale(self)

    def check_values(self, X: Any, names: Any = None) -> None:
        """Raise if a matrix holds numbers that cannot be learned from."""
        from kerneltron._validate import check_finite, check_non_negative

        check_finite(X, names)
        if self.non_negative_only:
            check_non_negative(X)

    def check_streaming(self) -> None:
        """Raise if a parameter needs all examples at once."""
        if isinstance(self.counts, str):
            raise ValueError(
                "class_weight='balanced' needs all labels at once: in partial_fit or a stream give the "
                "weights, for example `class_weight={0: 1, 1: 5}`, or a weight to each example."
            )
