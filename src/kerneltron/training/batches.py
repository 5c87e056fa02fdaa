"""Where the examples of a training come from: all at once, or some rows at a time."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, ClassVar

from kerneltron._types import Floats, Integers
from kerneltron.learning.calibrating import FRESH, Look
from kerneltron.learning.examples import Examples

if TYPE_CHECKING:
    from kerneltron.learning.learner import Learner
    from kerneltron.learning.progressive import Tally
    from kerneltron.models.model import Model
    from kerneltron.training.pass_plan import PassPlan


class Batch(ABC):
    """Some rows, with what is to be learned about them.

    Attributes
    ----------
    examples
        What is to be learned.
    size
        How many rows there are to visit.
    """

    examples: Examples
    size: int

    @abstractmethod
    def visiting(self, learner: "Learner") -> AbstractContextManager[None]:
        """Let a learner begin with these rows, and finish in the end."""

    @abstractmethod
    def order(self, plan: "PassPlan", number: int, model: "Model") -> Iterator[Integers]:
        """Yield the rows of pass `number` in the order of their visits, some at a time."""

    def weights(self, rows: Integers) -> Floats:
        """Return what rows count in progressive errors."""
        raise NotImplementedError


class Batches(ABC):
    """The source of the batches of each pass: what differs between arrays, files, and one call on a stream.

    Attributes
    ----------
    has_progress
        Whether scores before each update are compared with the truth: progressive validation.
    compares_every
        In the first pass, every how many examples the candidate vectors of a hypothesis that chooses among
        them are compared; 0 for never.
    keeps_mistakes
        Whether a learner that goes back to its best pass still counts the mistakes of those since then.
    first_look, later_look
        What the scores of the first pass, and of later ones, say of the certainty of predictions; None for
        nothing.
    holds_out
        Whether some examples are held out, by which passes are compared.
    """

    has_progress: ClassVar[bool] = False
    compares_every: ClassVar[int] = 0
    keeps_mistakes: ClassVar[bool] = False
    first_look: Look | None = FRESH
    later_look: Look | None = None
    holds_out = False

    @abstractmethod
    def opened(self, learner: "Learner", plan: "PassPlan", first: int) -> AbstractContextManager[None]:
        """Hold what all passes from pass `first` on need; conclude and release it in the end."""

    @abstractmethod
    def of_pass(self, learner: "Learner", number: int, behind: int, is_within: bool) -> Iterator[Batch]:
        """Yield the batches of a pass, behind those that were visited before an interruption.

        Parameters
        ----------
        learner
            What is to learn from them; it meets their truths here.
        number
            The pass, from 0.
        behind
            How many batches were visited.
        is_within
            Whether some rows of the next one were visited, too.
        """

    def are_kept(self) -> bool:
        """Return whether there are batches for passes after the first."""
        return True

    def validate(self, learner: "Learner", learned: "Tally") -> float:
        """Return how well a learner does on what is held out, the higher the better.

        `learned` is the progressive validation of what it has learned from.
        """
        raise NotImplementedError
