"""A learner in dual form: a rule, a kernel, the examples that moved its vectors, and their coefficients.

The walk is exact: it decides as the sequential algorithm does, mistake for mistake. Kernel evaluations are
matrix products, because (1) an example keeps its scores, and on the next visit only what was learned
since is added, (2) inside a block of visits, rows of the block's own Gram matrix are asked for together,
for all visits that look as if they would move a vector.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Self

import numpy as np

from kerneltron._bounds import check_visits
from kerneltron._matrices import stacked
from kerneltron._types import Floats, Integers, Trace, Visits, Weights
from kerneltron.engine.coded_rules import coded
from kerneltron.engine.columns import UNKNOWN
from kerneltron.engine.declared import declared
from kerneltron.engine.dual import LOST, Block, DualState, VisitDecision, survey, walk
from kerneltron.engine.order import BLOCK
from kerneltron.kernels.cost import are_cheap
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack, as_slice
from kerneltron.kernels.precomputed import given_matrix, is_given
from kerneltron.kernels.room import Room
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.kernels.vectors import KEY, vectors
from kerneltron.models.dual_state import (
    copied,
    forget,
    kept_slots,
    moves_since,
    nothing_yet,
    sharing,
    with_coefficients,
    with_room,
    without_log,
)
from kerneltron.models.expansion import Expansion
from kerneltron.models.frozen import OfExamples
from kerneltron.models.kept_rows import GivenRows, KeptRows, Reuse
from kerneltron.models.kernel_values import Computed, KernelValues
from kerneltron.models.labels import labels_of
from kerneltron.models.late import ColumnOrigin, Start, are_late, beginning
from kerneltron.models.model import Model
from kerneltron.models.overflow import finite, overflow, without_digits
from kerneltron.models.representation import RESERVED
from kerneltron.models.shared_vectors import SharedVectors
from kerneltron.models.support_set import SupportSet
from kerneltron.models.undo import may_fold
from kerneltron.models.weights import regroup

VISITS = 1024  # visits that are made at a time: two blocks of an order
PIECE = 1024  # remembered examples that these are compared with at a time
MOST_SCORES = 2**18  # scores of the examples that are visited at a time
RARE = 0.02  # moves are rare where fewer than this share of the visits are moves
# Where moves are rare, LONGER times as many visits are made at a time, and pieces are shorter by this factor:
# each move changes the scores of a longer block, but less work is done around the matrix products.
LONGER = 2
LARGEST_SQUARE = 1e150  # the largest k(x, x): rules multiply two such numbers


class Dual(Model):
    """Vectors that are sums of remembered examples, in `columns` columns.

    Parameters
    ----------
    kernel
        What an inner product is.
    delta
        delta^2 is added to k(x_i, x_i) where both are the same example (never for equal ones).
    working_memory
        Bytes that may be used beyond the examples, those that are remembered, and their coefficients.
        Where the scores of all examples do not fit, they are computed anew in each pass.
    """

    form = "dual"
    features = 0  # that vectors have beside the remembered examples
    shows_predictions = True
    reuse = Reuse()  # of kernel values, in the last call that could keep some

    def __init__(
        self,
        rule: Any,
        kernel: Kernel,
        columns: int,
        *,
        bias: float,
        hypothesis: str,
        delta: float = 0.0,
        working_memory: int = 2**28,
        seed: int = 0,
    ) -> None:
        super().__init__(rule, bias=bias, hypothesis=hypothesis, seed=seed)
        self.kernel, self.delta, self.working_memory = kernel, delta, working_memory
        self.values: KernelValues = Computed(kernel)
        self.remembered = SupportSet()
        self._state = nothing_yet(rule, columns, self.hypothesis.keeps_sums)
        self._behind = Room()  # behind the coefficients
        self._pack: Pack | None = None  # the examples of this call
        self._stride = 1  # this many times VISITS are made at a time
        self._moves = 0  # moves of this pass
        self._kept: KeptRows | None = None  # of the examples of this call
        self._is_lost = False

    @property
    def blocks(self) -> int:  # type: ignore[override]
        """How many blocks of 512 visits are best learned from at a time."""
        return max(1, self._visits // BLOCK)

    @property
    def _visits(self) -> int:
        """How many visits are made at a time: fewer of them where an example has very many scores."""
        return max(1, min(self._stride * VISITS, MOST_SCORES // self.columns))

    @property
    def depends_on_cuts(self) -> bool:
        """Whether the order of what it remembers does: so it is."""
        return True

    @property
    def learned_kernel(self) -> Kernel:
        """The kernel that it learned with."""
        return self.kernel

    @property
    def is_busy(self) -> bool:
        """Whether it holds examples that are being visited."""
        return self._pack is not None

    # -- what it knows -------------------------------------------------------------------------------

    @property
    def weights(self) -> Weights:
        """Its coefficients, as weights whose features are the remembered examples."""
        used = self.count * self._state.weights.scale.size
        w = self._state.weights
        return w._replace(v=w.v[:used], u=w.u[: used if w.u.size else 0])

    @property
    def constants(self) -> Weights:
        """What late classes began with: the constant feature alone, which no example is."""
        v, u = self._state.constant
        w = self._state.weights
        return w._replace(v=v, u=u if self.hypothesis.keeps_sums else w.u[:0])

    def forget_beginning(self) -> None:
        """Let the hypothesis know, before the second pass, that the first one is over."""
        with self._shown.lock:
            self._forget_vectors()
            self.hypothesis.forget_beginning([self.weights, self.constants])

    @property
    def columns(self) -> int:
        """Number of vectors: one per class, one for two classes."""
        return self._state.weights.scale.size

    @property
    def count(self) -> int:
        """Number of remembered examples."""
        return int(self._state.counts[0])

    @property
    def dtype(self) -> Any:
        """None: a kernel takes rows in their own precision."""
        return None

    def support(self) -> tuple[Integers, Floats]:
        """Return which examples predict, and their coefficients, one row each."""
        coefficients = self._coefficients()
        there = np.flatnonzero(coefficients.any(axis=1))
        return there, coefficients[there]

    def coefficients(self) -> Floats:
        """Return the coefficients of the examples that predict, one row each."""
        if self.hypothesis.keeps_moves:
            raise AttributeError(
                f"A {self.hypothesis.name} of many vectors has no single one, so no coefficients: use "
                "hypothesis='average'."
            )
        return self.support()[1]

    def support_vectors(self) -> Any:
        """Return the rows of the examples that predict, as a matrix."""
        slots, _ = self.support()
        self._check_rows("they cannot be shown: see support_")
        parts = [vectors(pack).X for _, pack in self.remembered.pieces(slots, max(1, slots.size))]
        return stacked(parts) if parts else np.empty((0, 0))

    def _check_rows(self, otherwise: str) -> None:
        if any(KEY not in pack.parts for pack in self.remembered.memory.packs):
            raise AttributeError(f"{self.kernel} does not keep the rows themselves, so {otherwise}.")

    def _coefficients(self) -> Floats:
        """Return one row of coefficients per remembered example; where moves are kept, 1 if it has a say."""
        if self.hypothesis.keeps_moves:
            return self.hypothesis.has_say(self.count, self.columns)
        vectors = self.vectors()
        if len(vectors) == self.count:
            return vectors
        # The random hypothesis may be older than some of the examples.
        return np.pad(vectors, ((0, self.count - len(vectors)), (0, 0)))

    def offsets(self) -> Floats:
        """Return what is added to all scores, one number per column; 0 but for late classes."""
        if self._offsets is None:
            self._offsets = self.hypothesis.offsets(self.constants)[0]
        return self._offsets

    def weight_of(self, feature: Callable[[Any], Floats]) -> Floats:
        """Return the weight of a feature, one number per column; `feature` gives its value for some rows."""
        self.coefficients()  # raises for a vote
        slots, coefficients = self.support()
        weight = np.zeros(self.columns)
        if any(KEY not in pack.parts for pack in self.remembered.memory.packs):
            raise ValueError(
                f"{self.kernel} does not keep the rows themselves, which features are read from: use "
                "representation='primal'."
            )
        for part, pack in self.remembered.pieces(slots, PIECE):
            weight += feature(vectors(pack).X) @ coefficients[part]
        return weight

    # -- learning ------------------------------------------------------------------------------------

    def read(self, X: Any) -> Pack:
        """Make examples ready to be compared."""
        return self.kernel.pack(X)

    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""
        n, columns = len(rows), self.columns
        self._pack = rows
        self._q = self.values.diagonal(rows) + self.bias**2 + self.delta**2
        if self._q.max(initial=0.0) > LARGEST_SQUARE:
            raise ValueError(
                f"{self.kernel} reaches {self._q.max():.0e} on these examples, too much to be squared: use "
                "kernel.normalized(), or scale the rows down."
            )
        self._slots = np.full(n, -1, np.int64)
        self._absorbed = np.full(n, -1, np.int64)  # how much of the log the cached scores contain
        self._moves, self._stride = 0, 1  # moves of this pass
        self._kept = None
        # Scores, and a log of up to two passes in which every visit is a move.
        self._is_lost = False  # whether a vector lost its digits in this call
        drift = self._state.weights.drift
        if drift.size and (drift >= UNKNOWN).any():  # merged, or from an older file
            self._measure_norms()
        self._is_cached = n * (3 * columns + 4) * 8 <= self.working_memory - RESERVED
        self._state = self._state._replace(cached=np.zeros((columns, n if self._is_cached else 0)))

    def expect(self, passes: float) -> None:
        """Keep rows of kernel values for later passes, where they cost more to compute than to keep."""
        assert self._pack is not None
        if passes <= 1 or not self._is_cached or are_cheap(self._pack):
            return
        if is_given(self._pack):
            self._kept = GivenRows(self._pack, given_matrix(self._pack))
        else:
            used = RESERVED + 3 * self._state.cached.nbytes
            self._kept = KeptRows(self.kernel, self._pack, self.working_memory - used, passes)
        if not self._kept.is_worth_it:
            self._kept = None
        elif not self.count:
            self._absorbed[:] = 0  # no example has a score yet

    def step(self, visits: Visits, trace: Trace) -> Any:
        """Visit some examples; return the mistakes."""
        assert self._pack is not None
        check_visits(visits, trace, len(self._pack), self.columns)
        several = visits.codes.ndim == 2
        mistakes = np.zeros(self.columns if several else 1, np.int64)
        size = self._visits
        with self._threads():
            if visits.order.size <= size:
                if visits.order.size:
                    self._visit(visits, trace, mistakes)
                return mistakes if several else int(mistakes[0])
            for first in range(0, visits.order.size, size):
                part = slice(first, first + size)
                some = Visits._make(array[part] for array in visits)
                self._visit(some, Trace._make(array[part] for array in trace), mistakes)
        return mistakes if several else int(mistakes[0])

    def _threads(self) -> AbstractContextManager[None]:
        """Return what holds while blocks are visited: products have one thread each, and may be shared."""
        return one_blas_thread()

    def _visit(self, visits: Visits, trace: Trace, mistakes: Integers) -> None:
        assert self._pack is not None
        pack = self._pack if len(self._pack) == 1 else self._pack[as_slice(visits.order)]
        self._state = with_room(self._state, len(pack), self.hypothesis.keeps_sums, self._is_cached)
        slots = self._slots[visits.order]
        known_before = slots >= 0
        block = self._block(pack, visits, slots)
        if trace.said_by_mean.size:
            block = block._replace(sums=self._sums_now(pack))
        logged = int(self._state.counts[1])
        self._walk(pack, visits.order, block, trace, mistakes)
        self._moves += int(self._state.counts[1]) - logged
        if self._kept is not None:
            self._spread_kept(visits.order, slots, logged)
        self._slots[visits.order] = slots
        new = np.flatnonzero((slots >= 0) & ~known_before)
        if new.size == len(pack) == 1:
            self.remembered.append(pack, visits.order)
        elif new.size:
            new = new[np.argsort(slots[new])]
            self.remembered.append(pack[new], visits.order[new])
        if self._is_cached:
            self._state.cached[:, visits.order] = block.scores
            self._absorbed[visits.order] = self._state.counts[1]

    def _spread_kept(self, order: Integers, slots: Integers, logged: int) -> None:
        """Add the moves of examples whose rows are kept to all scores; others stay in the log."""
        assert self._kept is not None
        state, end = self._state, int(self._state.counts[1])
        moves = state.log_slots[logged:end], state.log_steps[logged:end]
        there, in_slot = slots >= 0, np.empty(self.count, np.int64)
        in_slot[slots[there]] = order[there]
        examples = in_slot[moves[0]]
        is_kept = self._kept.admit(order, examples)
        if is_kept.any():
            self._kept.spread(examples[is_kept], moves[1][is_kept], self.bias**2, state.cached)
            left = logged + np.count_nonzero(~is_kept)
            state.log_slots[logged:left] = moves[0][~is_kept]
            state.log_steps[logged:left] = moves[1][~is_kept]
            state.counts[1] = left

    def _block(self, pack: Pack, visits: Visits, slots: Integers) -> Block:
        size = len(pack)
        codes = visits.codes if visits.codes.ndim == 1 else np.empty(0, np.int64)
        return Block(
            scores=np.ascontiguousarray(self._scores_now(pack, visits.order, slots).T),
            labels=labels_of(visits.codes, self.columns),
            codes=codes,
            importance=visits.importance,
            q=self._q[visits.order],
            constant=self.bias**2,
            own=np.empty((0, size), pack.precision),
            known=np.full(size, -1),
            slots=slots,
            first=0,
            end=self.columns,
            sums=np.empty((self.columns, 0)),
        )

    def _sums_now(self, pack: Pack) -> Floats:
        """Return the scores of a block by what sums over the past are kept in, one row per column."""
        sums = self._products(pack, *with_coefficients(self.weights.u.reshape(-1, self.columns)))
        return np.ascontiguousarray((sums + self._state.constant[1]).T)

    def _walk(self, pack: Pack, order: Integers, block: Block, trace: Trace, mistakes: Integers) -> None:
        self._walk_with(lambda asked: self._own_rows(pack, order, asked), block, trace, mistakes)

    def _own_rows(self, pack: Pack, order: Integers, asked: Integers) -> Floats:
        """Return rows of the Gram matrix of a block, as far as possible from those that are kept."""
        kept = self._kept
        if kept is None:
            return self.values.rows(pack, asked)
        there = kept.place[order[asked]] >= 0
        rows = np.empty((asked.size, order.size), pack.precision)
        if there.any():
            rows[there] = kept.own(order[asked[there]], order)
        if not there.all():
            rows[~there] = self.values.rows(pack, asked[~there])
        return rows

    def _walk_with(
        self, own: Callable[[Integers], Floats], block: Block, trace: Trace, mistakes: Integers
    ) -> None:
        """Walk through a block; `own` computes the rows of its Gram matrix that are asked for."""
        decision = VisitDecision(*(np.empty(self.columns) for _ in VisitDecision._fields))
        wanted = np.empty(block.slots.size, np.int8)
        rule, first = coded(self.rule), 0
        if wanted.size == 1:  # a row is for the scores of later visits, and there are none: any will do
            block = block._replace(own=np.zeros((1, 1), block.own.dtype), known=np.zeros(1, np.int64))
        while first < wanted.size:
            wanted[:] = 0
            if wanted.size > 1:
                survey(rule, self._state, block, first, decision, wanted)
            asked = np.flatnonzero(wanted)
            if asked.size:
                block.known[asked] = len(block.own) + np.arange(asked.size)
                rows = own(asked)
                block = block._replace(own=np.concatenate([block.own, rows]) if len(block.own) else rows)
            first = walk(rule, self._state, block, first, trace, decision, mistakes)
            if first < 0:
                raise overflow(np.float64)

    def _scores_now(self, pack: Pack, order: Integers, slots: Integers) -> Floats:
        """Return the scores of a block: those that it had when last met, and what was learned since."""
        absorbed = self._absorbed[order]
        if order.size == 1 and absorbed[0] < 0 and slots[0] < 0:  # as of a call with one row
            v = self.weights.v.reshape(-1, self.columns)
            return np.asarray(self._products(pack, *with_coefficients(v)) + self._state.constant[0])
        scores = np.zeros((len(pack), self.columns))
        for since in np.unique(absorbed):
            mine = np.flatnonzero(absorbed == since)
            part = pack if mine.size == len(pack) else pack[as_slice(mine)]
            if since >= 0:
                learned = self._products(part, *moves_since(self._state, since))
                scores[mine] = self._state.cached[:, order[mine]].T + learned
            else:
                v = self.weights.v.reshape(-1, self.columns)
                scores[mine] = self._products(part, *with_coefficients(v))
                old = mine[slots[mine] >= 0]
                scores[old] += self.delta**2 * v[slots[old]]
                scores[mine] += self._state.constant[0]
        return scores

    def _products(self, pack: Pack, slots: Integers, coefficients: Floats) -> Floats:
        """Return sum_s coefficients[s] k(x, x_s) for the examples of a pack, in double precision."""
        return self._expansion_of(slots, coefficients).products(pack)

    def _expansion_of(self, slots: Integers, coefficients: Floats, is_kept: bool = False) -> Expansion:
        most = max(1, PIECE // self._stride)
        return Expansion(
            self.values, lambda: self.remembered.pieces(slots, most), coefficients, self.bias**2, is_kept
        )

    def remember(self, order: Integers, moved: Integers) -> Integers:
        """Return the places of some examples."""
        return self._slots[order]

    def measure(self) -> None:
        """Forget moves that all scores contain; recompute the norms for rules that look at them.

        Between calls there is nothing to do: no scores are kept.
        """
        if not self.is_busy:
            return
        self.remembered.memory.join()
        if self._is_cached:
            self._stride = LONGER if self._moves < RARE * len(self._slots) else 1
            self._moves = 0
            known = self._absorbed >= 0
            needless = int(self._absorbed[known].min(initial=self._state.counts[1]))
            forget(self._state, needless)
            self._absorbed[known] -= needless
        if declared(self.rule).reads_norm:
            self._is_lost |= bool((self.weights.drift > LOST).any())
            self._measure_norms()

    def _measure_norms(self) -> None:
        """Compute ||w||^2 anew; it is known to as many digits as the coefficients leave."""
        weights = self.weights
        v = weights.v.reshape(-1, self.columns)
        there = np.flatnonzero(v.any(axis=1))
        norms = self.delta**2 * np.square(v).sum(axis=0)
        errors = np.zeros(self.columns)
        for part, pack in self.remembered.pieces(there, 512):
            mine = v[there[part]]
            norms += (mine * self._products(pack, there, v[there])).sum(axis=0)
            errors += (
                np.finfo(pack.precision).eps * (self.values.diagonal(pack) + self.bias**2) @ np.square(mine)
            )
        weights.norm[:] = np.maximum(norms, 0.0) * weights.scale**2
        weights.drift[:] = np.divide(errors, norms, out=np.full(self.columns, UNKNOWN), where=norms > 0)
        weights.drift[errors == 0] = 0.0

    def finish(self) -> None:
        """Let go of the examples; those that are remembered are copies."""
        drift = self._state.weights.drift
        if self._is_lost or (drift.size and (drift > LOST).any()):
            self._measure_norms()
            warnings.warn(without_digits(), RuntimeWarning, stacklevel=2)
        if self._pack is not None:
            self.remembered.seen += len(self._pack)
        self._state = without_log(self._state)
        if self._kept is not None:
            self.reuse = self._kept.reuse
        self._pack, self._stride, self._kept = None, 1, None
        self._shown.forget()  # an expansion holds what is let go of
        self.remembered.memory.let_go()
        self._q, self._slots = np.empty(0), np.empty(0, np.int64)
        self._absorbed = self._slots

    def release(self, slots: Integers) -> None:
        """Forget the remembered examples in some slots, with their coefficients; not while a call lasts."""
        if self.is_busy:
            raise RuntimeError("examples are released between calls, when none is visited.")
        self._forget_vectors()
        places = self.remembered.release(slots, [self.hypothesis])
        self._state = kept_slots(self._state, places)
        self._state.weights.drift[:] = UNKNOWN  # the norm is another one

    # -- predicting ----------------------------------------------------------------------------------

    def scores(self, X: Any) -> Floats:
        """Return one score per example and column; only examples with coefficients are compared with."""
        return self._scores_of(self.read(X))

    def said(self, places: Integers) -> Floats:
        """Return what predicts now of some examples of this call, one score per example and column."""
        assert self._pack is not None
        return self._scores_of(self._pack[places])

    def _scores_of(self, pack: Pack) -> Floats:
        score = self._scores_of_moves if self.hypothesis.keeps_moves else self._scores_of_vectors
        with one_blas_thread():
            parts = [score(part) for part in in_blocks(pack, self._visits)]
        products = parts[0] if len(parts) == 1 else np.concatenate([np.empty((0, self.columns)), *parts])
        return finite(products + self.offsets())

    def _scores_of_vectors(self, pack: Pack) -> Floats:
        return self.expansion().products(pack)

    def frozen(self) -> Callable[[Any], Floats]:
        """Return a function that scores examples as this model does now."""
        if self.hypothesis.keeps_moves or self.features:
            return super().frozen()
        expansion = self._expansion_of(*self.support(), is_kept=True)
        return OfExamples(self.kernel, expansion, self.offsets().copy())

    def expansion(self) -> Expansion:
        """Return the vectors that predict, made ready once, as long as they stay."""
        return self._shown.made_of(self.vectors(), self._expanded)

    def _expanded(self) -> Expansion:
        slots, coefficients = self.support()
        # Some of the examples are a copy of these, unlike all of them.
        is_kept = slots.size == self.count or self.remembered.size_of(slots) <= self.working_memory
        return self._expansion_of(slots, coefficients, is_kept)

    def beside(self, pack: Pack) -> Floats:
        """Return the scores of examples by what is known beside remembered examples and the constant."""
        return np.zeros((len(pack), self.columns))

    def _scores_of_moves(self, pack: Pack) -> Floats:
        (slots, _), parts = self.support(), []
        rows = max(1, (self.working_memory - RESERVED) // (16 * (self.count + 1)))
        for part in in_blocks(pack, min(VISITS, rows)):
            products = np.zeros((len(part), self.count))
            for where, support in self.remembered.pieces(slots, PIECE):
                products[:, slots[where]] = self.values.block(part, support) + self.bias**2
            began = np.zeros((len(part), self.columns))
            parts.append(self.hypothesis.scores(products, began, self.weights.clock))
        return np.concatenate(parts)

    # -- columns, copies -----------------------------------------------------------------------------

    def regroup(self, column_origins: list[ColumnOrigin]) -> None:
        """Rearrange the coefficients; a late class begins as `models.late` says."""
        self._forget_vectors()
        ticks = self.ticks
        begins = beginning(self.rule, self.bias, ticks)
        weights = regroup(self.weights, self.rule, column_origins, Start())
        alone = regroup(self.constants, self.rule, column_origins, begins)
        sums = alone.u if alone.u.size else np.zeros(len(column_origins))
        self._state = without_log(self._state._replace(weights=weights, constant=np.stack([alone.v, sums])))
        self.hypothesis.regroup(column_origins, ticks, begins)
        if declared(self.rule).reads_norm:
            weights.drift[are_late(column_origins)] = UNKNOWN  # the norm follows from the kernel

    @contextmanager
    def visiting(self, rows: Pack, undo: bool = True) -> Iterator[None]:
        """Visit examples: what is learned of them stands behind the coefficients that are there.

        These change only where a scale is folded into them, which is foreseen for one visit to each example.
        """
        may_change = self._behind.is_shared and (
            not undo or may_fold(self._state.weights, self.rule, len(rows))
        )
        if may_change or not self._behind.take(self.count, len(rows)):
            self._state, self._behind = copied(self._state), Room(self.count)
            self._behind.take(self.count, len(rows))
        with super().visiting(rows, undo):
            yield
        self._behind.give_back(self.count)

    def successor(self) -> Self:
        """Return a model that shares the coefficients with this one, and writes behind them."""
        self._behind.is_shared = True
        return self._with(sharing(self._state), self._behind)

    def copy(self) -> Self:
        """Return a copy that goes its own way; examples are never changed, so both may hold them."""
        return self._with(copied(self._state), Room(self.count))

    def _with(self, state: DualState, room: Room) -> Self:
        other = self._twin()
        other._state, other._behind, other.remembered = state, room, self.remembered.copy()
        other.hypothesis, other._shown = self.hypothesis.copy(), SharedVectors()
        return other


def in_blocks(pack: Pack, rows: int) -> Iterator[Pack]:
    """Yield the examples in order, some at a time."""
    if 0 < len(pack) <= rows:
        return iter((pack,))
    return (pack[first : first + rows] for first in range(0, len(pack), rows))
