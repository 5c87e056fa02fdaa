"""Which of the vectors that w has been predicts: what every hypothesis answers, and does by default."""

from collections.abc import Sequence
from math import nan
from typing import Any, ClassVar, Protocol, Self

from kerneltron._types import Floats, Integers, Trace, Visits, Weights
from kerneltron.models.late import ColumnOrigin, Start
from kerneltron.models.weights import current


class Learning(Protocol):
    """A model that moves its vectors, as a hypothesis sees it."""

    @property
    def weights(self) -> Weights:
        """What it knows now."""

    @property
    def constants(self) -> Weights | None:
        """What it knows of the constant feature, where that is not among the others."""

    @property
    def shows_averages(self) -> bool:
        """Whether it can tell what the mean of all vectors says of each row: `Trace.average`."""

    def step(self, visits: Visits, trace: Trace) -> Any:
        """Visit some rows, and return the mistakes."""

    def remember(self, order: Integers, moved: Integers) -> Integers:
        """Return the places of the rows `order` among those remembered, which the visits `moved` are."""


class Hypothesis:
    """What predicts: one file in `models/hypotheses/`, which answers for itself what it needs.

    Parameters
    ----------
    seed
        For those that draw.
    """

    name: ClassVar[str]  # as the parameter `hypothesis` gives it
    brief: ClassVar[str]  # what it is, for the help of that parameter
    # It needs the sums of all past vectors, `Weights.u`.
    keeps_sums: ClassVar[bool] = False
    # It keeps all moves, and the model the rows that they are made of: memory grows with the mistakes. There
    # is no single vector: scores follow from the inner products with these rows, see `scores`.
    keeps_moves: ClassVar[bool] = False
    # Its vectors follow from the weights as they are now; otherwise it has its own, see `become_mix`.
    follows_weights: ClassVar[bool] = True
    # On a stream it keeps up with rules that change, and so should the steps: see `Method.following`.
    keeps_up: ClassVar[bool] = False
    # `follow` leaves in `Trace.predictions`, where that is asked for, what it predicts by: otherwise rows are
    # predicted and learned from one by one.
    is_traced: ClassVar[bool] = False
    # Of how many examples, each of which comes for the first time, one shows which vector predicts better:
    # 0 where none does. A learner says so.
    compares_every = 0
    # All columns must have seen the same examples: many tasks, each with a clock of its own, cannot have it.
    needs_one_clock: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Trace nothing where a subclass predicts by vectors of its own, unless it says that it does."""
        super().__init_subclass__()
        if "vectors" in vars(cls) and "is_traced" not in vars(cls):
            cls.is_traced = False

    def __init__(self, seed: int) -> None:
        """Begin, before anything was learned."""

    # -- learning ------------------------------------------------------------------------------------

    def follow(self, model: Learning, visits: Visits, trace: Trace) -> Any:
        """Let the model learn from the visits, watch what it does, and return its mistakes."""
        return model.step(visits, trace)

    # -- predicting ----------------------------------------------------------------------------------

    def vectors(self, weights: Weights) -> Floats:
        """Return what predicts: one column per class, one row per feature. By default, w as it is now."""
        return current(weights)

    def offsets(self, constants: Weights) -> Floats:
        """Return what predicts beside the vectors, of `Learning.constants`: one row, one column per class."""
        return self.vectors(constants) if self.follows_weights else current(constants)

    def scores(self, products: Floats, began: Floats, clock: Integers) -> Floats:
        """Return the scores of some rows, where all moves are kept.

        Parameters
        ----------
        products
            Their inner products with the remembered rows.
        began
            Their scores by the vectors that learning began with.
        clock
            How many examples each column has seen.
        """
        raise NotImplementedError

    def has_say(self, count: int, columns: int) -> Floats:
        """Return 1 for each of `count` remembered rows and column where it matters, where moves are kept."""
        raise NotImplementedError

    def shrunk(self, columns: int) -> Floats:
        """Return what is left of the vectors that learning began with, where moves are kept."""
        raise NotImplementedError

    @property
    def is_last(self) -> bool:
        """Whether it predicts by the vector as it is now, where it might by the mean."""
        return False

    # -- between passes ------------------------------------------------------------------------------

    def restart_average(self, weights: Sequence[Weights]) -> None:
        """Be told that the first pass has ended, and another one follows.

        `weights` are what the model knows, whose sums it may change: in dual form also `Learning.constants`.
        """

    @property
    def progressive_error(self) -> float:
        """Share of the examples that were wrong by what predicts, before they were learned from, if known."""
        return nan

    # -- when the model changes its shape ------------------------------------------------------------

    def copy(self) -> Self:
        """Return an independent copy; `copy.copy` takes four times as long."""
        other = type(self).__new__(type(self))
        other.__dict__ = self.__dict__.copy()
        return other

    def begin_mix(self) -> None:
        """Forget what it knows of one of several models: it is that of their mix now."""

    def narrow(self, width: int) -> None:
        """Forget features but the first `width` and the constant one, as `models.weights.narrowed` does."""

    def move_slots(self, places: Integers) -> None:
        """Follow remembered examples to other slots: `places[old]` is the new one, -1 for those released."""

    def added(self, begins: Start) -> float:
        """Return what the constant feature adds to the scores of a late class that begins like this."""
        return begins.now

    def regroup(self, column_origins: list[ColumnOrigin], ticks: int, begins: Start) -> None:
        """Rearrange what was kept by column, as `models.weights.regroup` does.

        `ticks` and `begins` are what a late class takes over, and how it begins: see `models.late`.
        """

    def become_mix(self, parts: list[Any], base: Any, vectors: Floats, offsets: Floats | None) -> None:
        """Take the mix of the vectors of several models, where it has its own.

        `parts` are the hypotheses of these, and `base` that which all of them went on from, or None.
        """

    # -- files ---------------------------------------------------------------------------------------

    def state(self, resumable: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what is to be saved beside the weights: entries of a header, and tensors."""
        return {}, {}

    def restore(self, contents: Any, shape: tuple[int, int], remembered: int | None) -> None:
        """Take what `state` returned, from `files.contents.Contents`, which checks what it hands over.

        Parameters
        ----------
        contents
            The header and the tensors.
        shape
            Features, with the constant one where that is among them, and columns.
        remembered
            Number of remembered examples; in primal form None, unless moves are kept.
        """
