"""What a model in dual form has learned: a support set, and the coefficients of the examples in it."""

from typing import Any, Self

import numpy as np

from kerneltron._types import Floats, Integers, Weights
from kerneltron.engine.columns import UNKNOWN
from kerneltron.engine.declared import declared
from kerneltron.engine.dual import LOST
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.room import Room
from kerneltron.models.dual_state import copied, kept_slots, nothing_yet, sharing, with_room, without_log
from kerneltron.models.expansion import Expansion
from kerneltron.models.hypothesis import Hypothesis
from kerneltron.models.kernel_values import Computed, KernelValues
from kerneltron.models.late import ColumnOrigin, Start, are_late
from kerneltron.models.support_set import SupportSet
from kerneltron.models.undo import may_fold
from kerneltron.models.weights import regroup

VISITS = 1024  # visits that are made at a time: two blocks of an order
PIECE = 1024  # remembered examples that these are compared with at a time
MOST_SCORES = 2**18  # scores of the examples that are visited at a time


class KernelExpansion:
    """The vectors w_c = sum_s a_sc phi(x_s), in `columns` columns, which grow by the examples that move them.

    Copies share arrays as far as these do not change: see `kernels.room`.

    Parameters
    ----------
    rule
        What moves the vectors.
    kernel
        The inner product <phi(x), phi(z)>.
    columns
        Number of vectors.
    bias
        Value of the constant feature.
    delta
        delta^2 is added to k(x_i, x_i) where both are the same example.
    keeps_sums
        Whether the sums of all past coefficients are kept.
    features
        Number of features that vectors have besides the examples: the first places.

    Attributes
    ----------
    examples
        The remembered examples.
    state
        Their coefficients, and the scores and moves of a call. Its features are the `places`.
    values
        The source of kernel values.
    stride
        Number of `VISITS` that are made at a time; `PIECE` is divided by it.
    """

    def __init__(
        self,
        rule: Any,
        kernel: Kernel,
        columns: int,
        *,
        bias: float,
        delta: float = 0.0,
        keeps_sums: bool = False,
        features: int = 0,
    ) -> None:
        self.kernel, self.bias, self.delta = kernel, bias, delta
        self.keeps_sums, self.features = keeps_sums, features
        self.values: KernelValues = Computed(kernel)
        self.examples = SupportSet()
        self.state = nothing_yet(rule, columns, keeps_sums)
        self.stride = 1
        self._room = Room()  # behind the coefficients
        self.make_room(features)
        self.state.counts[0] = features

    # -- what it holds -------------------------------------------------------------------------------

    @property
    def columns(self) -> int:
        """Number of vectors."""
        return self.state.weights.scale.size

    @property
    def places(self) -> int:
        """Number of rows of coefficients: those of the features, then those of the examples."""
        return int(self.state.counts[0])

    @property
    def count(self) -> int:
        """Number of remembered examples."""
        return self.places - self.features

    @property
    def v(self) -> Floats:
        """The coefficients divided by the scale of their column, one row per place."""
        columns = self.columns
        return self.state.weights.v[: self.places * columns].reshape(-1, columns)

    @property
    def weights(self) -> Weights:
        """The coefficients as weights, whose features are the places."""
        w = self.state.weights
        used = self.places * w.scale.size
        return w._replace(v=w.v[:used], u=w.u[: used if w.u.size else 0])

    @property
    def constants(self) -> Weights:
        """The weights of the constant feature alone, which late classes began with."""
        v, u = self.state.constant
        w = self.state.weights
        return w._replace(v=v, u=u if self.keeps_sums else w.u[:0])

    @property
    def visits_at_a_time(self) -> int:
        """Number of visits that are made at a time: fewer where an example has very many scores."""
        return max(1, min(self.stride * VISITS, MOST_SCORES // self.columns))

    # -- products ------------------------------------------------------------------------------------

    def squares(self, pack: Pack) -> Floats:
        """Return the inner product of each example with itself: k(x, x) + bias^2 + delta^2."""
        return self.values.diagonal(pack) + self.bias**2 + self.delta**2

    def products(self, pack: Pack, slots: Integers, coefficients: Floats) -> Floats:
        """Return sum_s coefficients[s] k(x, x_s) for the examples of a pack, in double precision."""
        return self.expansion(slots, coefficients).products(pack)

    def expansion(self, slots: Integers, coefficients: Floats, is_kept: bool = False) -> Expansion:
        """Return the vectors of some examples, ready to be multiplied; see `Expansion` for `is_kept`."""
        most = max(1, PIECE // self.stride)
        return Expansion(
            self.values, lambda: self.examples.pieces(slots, most), coefficients, self.bias**2, is_kept
        )

    def measure_norms(self) -> None:
        """Compute ||w||^2 anew; it is known to as many digits as the coefficients leave."""
        weights, v = self.state.weights, self.v
        there = np.flatnonzero(v.any(axis=1))
        norms = self.delta**2 * np.square(v).sum(axis=0)
        errors = np.zeros(self.columns)
        for part, pack in self.examples.pieces(there, 512):
            mine = v[there[part]]
            norms += (mine * self.products(pack, there, v[there])).sum(axis=0)
            errors += (
                np.finfo(pack.precision).eps * (self.values.diagonal(pack) + self.bias**2) @ np.square(mine)
            )
        weights.norm[:] = np.maximum(norms, 0.0) * weights.scale**2
        weights.drift[:] = np.divide(errors, norms, out=np.full(self.columns, UNKNOWN), where=norms > 0)
        weights.drift[errors == 0] = 0.0

    @property
    def has_unknown_norms(self) -> bool:
        """Whether norms that the rule reads must be measured: after a merge, or in an older file."""
        drift = self.state.weights.drift
        return bool(drift.size and (drift >= UNKNOWN).any())

    @property
    def has_lost_digits(self) -> bool:
        """Whether rounding has cost the norms that the rule reads their digits."""
        drift = self.state.weights.drift
        return bool(drift.size and (drift > LOST).any())

    # -- growing and shrinking -----------------------------------------------------------------------

    def make_room(self, visits: int, is_logged: bool = False) -> None:
        """Let arrays have room for this many more visits."""
        self.state = with_room(self.state, visits, self.keeps_sums, is_logged)

    def restore(self, weights: Weights, constant: Floats | None = None) -> None:
        """Take coefficients of the examples that are remembered, and the sums of the constant feature."""
        counts = np.array([self.features + len(self.examples), 0])
        self.state = self.state._replace(weights=weights, counts=counts)
        if constant is not None:
            self.state = self.state._replace(constant=constant)

    def release(self, slots: Integers, hypothesis: Hypothesis) -> None:
        """Forget the examples in some slots, with their coefficients."""
        places = self.examples.release(slots, [hypothesis])
        self.state = kept_slots(self.state, places)
        self.state.weights.drift[:] = UNKNOWN  # the norm is another one

    def regroup(self, rule: Any, column_origins: list[ColumnOrigin], begins: Start) -> None:
        """Rearrange the columns; a late class begins as `begins` says."""
        weights = regroup(self.weights, rule, column_origins, Start())
        alone = regroup(self.constants, rule, column_origins, begins)
        sums = alone.u if alone.u.size else np.zeros(len(column_origins))
        self.state = without_log(self.state._replace(weights=weights, constant=np.stack([alone.v, sums])))
        if declared(rule).reads_norm:
            weights.drift[are_late(column_origins)] = UNKNOWN  # the norm follows from the kernel

    def finish(self, visited: int) -> None:
        """Let go of the scores and moves of a call with this many examples."""
        self.examples.seen += visited
        self.state, self.stride = without_log(self.state), 1
        self.examples.memory.let_go()

    # -- copies --------------------------------------------------------------------------------------

    def reserve(self, visits: int, rule: Any, undo: bool) -> None:
        """Take the room behind the coefficients for some visits, or copies where others need these.

        Coefficients change only where a scale is folded into them, which is foreseen for one visit to each
        example.
        """
        may_change = self._room.is_shared and (not undo or may_fold(self.state.weights, rule, visits))
        if may_change or not self._room.take(self.count, visits):
            self.state, self._room = copied(self.state), Room(self.count)
            self._room.take(self.count, visits)

    def give_back(self) -> None:
        """Give back the room that was reserved, and not used."""
        self._room.give_back(self.count)

    def successor(self) -> Self:
        """Return one that shares the coefficients with this one, and writes behind them."""
        self._room.is_shared = True
        return self._with(sharing(self.state), self._room)

    def copy(self) -> Self:
        """Return an independent copy; examples are never changed, so both may hold them."""
        return self._with(copied(self.state), Room(self.count))

    def _with(self, state: Any, room: Room) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__ = self.__dict__.copy()
        other.state, other._room, other.examples = state, room, self.examples.copy()
        return other
