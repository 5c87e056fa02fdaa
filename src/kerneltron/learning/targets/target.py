"""What the truth of a row means: how it is met, what vectors it needs, and what scores say of it."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from kerneltron._types import Anything, Floats, Integers
from kerneltron.files.contents import Contents

if TYPE_CHECKING:
    from kerneltron.learning.examples import Examples
    from kerneltron.learning.progressive import Tally
    from kerneltron.models.late import ColumnOrigin
    from kerneltron.stream.labels import Labels


class Met(NamedTuple):
    """A target that has met the truths of some rows, and the truths that were first seen after others.

    `late` maps each of these to the row in which it came first: that row introduces it, and is not learned
    from.
    """

    target: "Target"
    late: dict[Any, int]


class Target(ABC):
    """The meaning of the truths that a learner learns from.

    A target is immutable: meeting new truths returns another one, so that learners can share it. A method
    names its type (`Method.target_type`), whose constructor needs no arguments; trainers, estimators, files,
    merging and clusters use its methods alone.

    The truth of a visit reaches a model as a *code*: the place of a class, or one label (+1, -1, or 0 for
    unknown) per column, which only models in dual form take. With one column, the codes are 0 and 1, and the
    score is that of 1; with k columns, they are the numbers of the columns.

    ==============================================  ====================================================
    to learn from rows in memory                    `columns`, `meet`, `check_enough`, `codes`, `examples`
    and from rows of weight 0                       `filled`
    to learn from streams                           `codes_by_number`; the labels there are text
    to predict                                      `truths`, `predicted`
    progressive validation, early stopping          `tally`, `errors`, `score`
    probabilities, and their calibration            `probabilities`, `log_loss`, `needs_calibration`
    columns that come later, and merging            `origins`, `united`, `splits_shared_column`
    files                                           `state`, `restored`, `check_fits`
    `predict` and `evaluate` on the command line    `classes`, which name the codes
    ==============================================  ====================================================
    """

    @property
    def classes(self) -> Anything | None:
        """The labels that it knows, sorted; None where it knows none, or truths are not classes."""
        return None

    @property
    def is_closed(self) -> bool:
        """Whether all truths that may come were given, so that others are refused."""
        return False

    @property
    @abstractmethod
    def columns(self) -> int:
        """How many vectors a model needs for it."""

    # -- truths --------------------------------------------------------------------------------------

    @abstractmethod
    def meet(self, truths: Anything, given: Any = None, there: Any = None) -> Met:
        """Return the target that has met some more truths; raise a ValueError if they are not allowed.

        Parameters
        ----------
        truths
            One per row.
        given
            All truths that may come, or None.
        there
            Which rows exist, all for None.
        """

    @abstractmethod
    def check_enough(self, source: str = "") -> None:
        """Raise a ValueError where nothing can be learned from what was met, in `source` if it is named."""

    def filled(self, truths: Anything, weight: Floats | None) -> Anything:
        """Return truths in the type of those that were met; rows of weight 0 get one that has a code.

        `weight` has one entry per row; None where all rows count.
        """
        return truths

    @abstractmethod
    def codes(self, truths: Anything) -> Integers:
        """Return the codes of truths that were met."""

    @abstractmethod
    def codes_by_number(self, labels: "Labels") -> Integers:
        """Return the code for each number of a stream's label, and one more for rows without: -1 is none."""

    @abstractmethod
    def examples(self, truths: Anything, by_class: Floats, sample_weight: Floats | None) -> "Examples":
        """Return rows with these truths as a trainer visits them; see `Learner.examples`."""

    # -- scores --------------------------------------------------------------------------------------

    @abstractmethod
    def predicted(self, scores: Floats) -> Integers:
        """Return the code that each row of scores speaks for."""

    @abstractmethod
    def truths(self, scores: Floats) -> Anything:
        """Return the truth that each row of scores speaks for: what `predict` returns."""

    @abstractmethod
    def errors(self, predicted: Integers, codes: Integers) -> Any:
        """Return what each predicted code counts as an error: 0 where it is right."""

    @abstractmethod
    def tally(self, scores: Floats, codes: Integers, importance: Floats, logarithmic: bool) -> "Tally":
        """Compare scores with codes; `logarithmic` adds up log-losses, where scores are log-odds."""

    @abstractmethod
    def score(self, scores: Floats, truths: Anything) -> float:
        """Return how well scores agree with truths, the higher the better: what early stopping goes by."""

    def needs_calibration(self, are_log_odds: bool) -> bool:
        """Return whether scores, which are log-odds or not, must be calibrated to become probabilities."""
        return False

    def splits_shared_column(self, before: Self) -> bool:
        """Return whether a column that served two classes of `before` serves one now."""
        return False

    @abstractmethod
    def probabilities(self, scores: Floats, temperature: float | None) -> Floats:
        """Return the probability of each class; raise where truths have none."""

    @abstractmethod
    def log_loss(self, scores: Floats, codes: Integers, temperature: float | None) -> Floats:
        """Return -log of the probability of each code; raise where truths have none."""

    # -- several learners, and files -----------------------------------------------------------------

    @abstractmethod
    def origins(self, before: Self) -> "list[ColumnOrigin]":
        """Return where its columns come from, if those of `before` are known: see `models.late`."""

    @abstractmethod
    def united(self, others: list[Self]) -> Self:
        """Return the target of learners that have met these truths apart."""

    @abstractmethod
    def state(self, contents: Contents) -> Contents:
        """Return the contents of a learner's file with what is to be saved of its target."""

    @abstractmethod
    def check_fits(self, columns: int) -> None:
        """Raise a ModelFileError unless a model of this many vectors can be for it."""

    @classmethod
    @abstractmethod
    def restored(cls, contents: Contents) -> Self:
        """Return the target that a learner's file describes."""
