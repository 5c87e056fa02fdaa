"""Where the examples of a training come from: all at once, or some rows at a time."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, ClassVar

from kerneltron._types import Floats, Integers
from kerneltron.learning.calibrating import Look
from kerneltron.learning.examples import Examples

if TYPE_CHECKING:
    from kerneltron.learning.learner import Learner
    from kerneltron.learning.pass_plan import PassPlan
    from kerneltron.learning.progressive import Tally
    from kerneltron.models.model import Model


class Batch(ABC):
    """Some rows, with what is to be learned about them."""

    examples: Examples

    @property
    @abstractmethod
    def size(self) -> int:
        """How many rows there are to visit."""

    @abstractmethod
    def visiting(self, learner: "Learner") -> AbstractContextManager[None]:
        """Let a learner begin with these rows, and finish in the end."""

    @abstractmethod
    def order(self, plan: "PassPlan", number: int, model: "Model") -> Iterator[Integers]:
        """Yield the rows of pass `number` in the order of their visits, some at a time."""

    def weights(self, rows: Integers) -> Floats:
        """Return what rows count in progressive errors."""
        raise NotImplementedError

    def settle(self, learner: "Learner") -> None:  # noqa: B027, most wait for the end of all passes
        """Note how certain deployed vectors are of these rows, before the learner lets go of them."""


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
    """

    has_progress: ClassVar[bool] = False
    compares_every: ClassVar[int] = 0
    keeps_mistakes: ClassVar[bool] = False

    @abstractmethod
    def opened(self, learner: "Learner", plan: "PassPlan", first: int) -> AbstractContextManager[None]:
        """Hold what all passes from pass `first` on need, and release it in the end."""

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

    @abstractmethod
    def look(self, plan: "PassPlan", number: int) -> Look | None:
        """Return what scores of a pass say of the certainty of predictions; None for nothing."""

    def is_there(self, number: int) -> bool:
        """Return whether pass `number` can be made."""
        return True

    @property
    def holds_out(self) -> bool:
        """Whether some examples are held out, by which passes are compared."""
        return False

    def validate(self, learner: "Learner", learned: "Tally") -> float:
        """Return how well a learner does on what is held out, the higher the better.

        `learned` is the progressive validation of what it has learned from.
        """
        raise NotImplementedError

    def exhaust(self, learner: "Learner") -> None:  # noqa: B027, most have nothing to do
        """Do what the end of all passes asks for, while the rows are still there."""


@contextmanager
def nothing_held() -> Iterator[None]:
    """Hold nothing."""
    yield
