"""The walk of the dual form, which decides as the sequential algorithm does, mistake for mistake.

Kernel evaluations are matrix products, because (1) an example keeps its scores, and on the next visit only
what was learned since is added, (2) inside a block of visits, rows of the block's own Gram matrix are
computed together, for all visits that look as if they would move a vector.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron.engine.coded_rules import coded
from kerneltron.engine.declared import declared
from kerneltron.engine.dual import Block, VisitDecision, survey, walk
from kerneltron.kernels.cost import are_cheap
from kerneltron.kernels.pack import Pack, as_slice
from kerneltron.kernels.precomputed import given_matrix, is_given
from kerneltron.models.dual_state import forget, moves_since, with_coefficients
from kerneltron.models.kept_rows import GivenRows, KeptRows, Reuse
from kerneltron.models.kernel_expansion import KernelExpansion
from kerneltron.models.labels import labels_of
from kerneltron.models.overflow import overflow
from kerneltron.models.representation import RESERVED
from kerneltron.models.visited_examples import VisitedExamples

RARE = 0.02  # moves are rare where fewer than this share of the visits are moves
# Where moves are rare, LONGER times as many visits are made at a time, and pieces are shorter by this factor:
# each move changes the scores of a longer block, but less work is done around the matrix products.
LONGER = 2


class DualWalk(VisitedExamples):
    """Examples that keep their scores from visit to visit.

    Parameters
    ----------
    learned, rule, rows
        As for `VisitedExamples`.
    working_memory
        Bytes that may be used. Where the scores of all examples do not fit, they are computed anew in each
        pass.
    keeps_scores
        False for models whose scores cannot be kept.

    Attributes
    ----------
    is_cached
        Whether scores are kept.
    """

    def __init__(
        self,
        learned: KernelExpansion,
        rule: Any,
        rows: Pack,
        working_memory: int,
        keeps_scores: bool = True,
    ) -> None:
        super().__init__(learned, rule, rows)
        n, columns = len(rows), learned.columns
        self._absorbed = np.full(n, -1, np.int64)  # how much of the log the cached scores contain
        self._moves = 0  # moves of this pass
        self._kept: KeptRows | None = None
        # Scores, and a log of up to two passes in which every visit is a move.
        self.is_cached = keeps_scores and n * (3 * columns + 4) * 8 <= working_memory - RESERVED
        learned.state = learned.state._replace(cached=np.zeros((columns, n if self.is_cached else 0)))
        learned.stride = 1

    def expect(self, passes: float, working_memory: int) -> None:
        """Keep rows of kernel values for later passes, where they cost more to compute than to keep."""
        if passes <= 1 or not self.is_cached or are_cheap(self.rows):
            return
        if is_given(self.rows):
            self._kept = GivenRows(self.rows, given_matrix(self.rows))
        else:
            used = RESERVED + 3 * self.learned.state.cached.nbytes
            self._kept = KeptRows(self.learned.kernel, self.rows, working_memory - used, passes)
        if not self._kept.is_worth_it:
            self._kept = None
        elif not self.learned.count:
            self._absorbed[:] = 0  # no example has a score yet

    @property
    def reuse(self) -> Reuse | None:
        """How often rows that were kept were of use; None where none were kept."""
        return None if self._kept is None else self._kept.reuse

    def visit(self, visits: Visits, trace: Trace, mistakes: Integers) -> None:
        """Make a block of visits, and count the mistakes."""
        learned = self.learned
        pack = self.rows if len(self.rows) == 1 else self.rows[as_slice(visits.order)]
        learned.make_room(len(pack), self.is_cached)
        slots = self.slots[visits.order]
        known_before = slots >= 0
        block = self._block(pack, visits, slots)
        if trace.predictions_by_mean.size:
            block = block._replace(sums=self._sums_now(pack))
        logged = int(learned.state.counts[1])
        self.walk(pack, visits.order, block, trace, mistakes)
        self._moves += int(learned.state.counts[1]) - logged
        if self._kept is not None:
            self._spread_kept(self._kept, visits.order, slots, logged)
        self.slots[visits.order] = slots
        new = np.flatnonzero((slots >= 0) & ~known_before)
        if new.size == len(pack) == 1:
            learned.examples.append(pack, visits.order)
        elif new.size:
            new = new[np.argsort(slots[new])]
            learned.examples.append(pack[new], visits.order[new])
        self.keep_scores(visits.order, block.scores)

    def _spread_kept(self, kept: KeptRows, order: Integers, slots: Integers, logged: int) -> None:
        """Add the moves of examples whose rows are kept to all scores; others stay in the log."""
        state = self.learned.state
        end = int(state.counts[1])
        moves = state.log_slots[logged:end], state.log_steps[logged:end]
        there, in_slot = slots >= 0, np.empty(self.learned.count, np.int64)
        in_slot[slots[there]] = order[there]
        examples = in_slot[moves[0]]
        is_kept = kept.admit(order, examples)
        if is_kept.any():
            kept.spread(examples[is_kept], moves[1][is_kept], self.learned.bias**2, state.cached)
            left = logged + np.count_nonzero(~is_kept)
            state.log_slots[logged:left] = moves[0][~is_kept]
            state.log_steps[logged:left] = moves[1][~is_kept]
            state.counts[1] = left

    def _block(self, pack: Pack, visits: Visits, slots: Integers) -> Block:
        size, columns = len(pack), self.learned.columns
        codes = visits.codes if visits.codes.ndim == 1 else np.empty(0, np.int64)
        return Block(
            scores=np.ascontiguousarray(self._scores_now(pack, visits.order, slots).T),
            labels=labels_of(visits.codes, columns),
            codes=codes,
            importance=visits.importance,
            q=self.q[visits.order],
            constant=self.learned.bias**2,
            own=np.empty((0, size), pack.precision),
            known=np.full(size, -1),
            slots=slots,
            first=0,
            end=columns,
            sums=np.empty((columns, 0)),
        )

    def walk(self, pack: Pack, order: Integers, block: Block, trace: Trace, mistakes: Integers) -> None:
        """Walk through a block."""
        self.walk_with(lambda asked: self._own_rows(pack, order, asked), block, trace, mistakes)

    def _own_rows(self, pack: Pack, order: Integers, asked: Integers) -> Floats:
        """Return rows of the Gram matrix of a block, as far as possible from those that are kept."""
        kept, values = self._kept, self.learned.values
        if kept is None:
            return values.rows(pack, asked)
        there = kept.place[order[asked]] >= 0
        rows = np.empty((asked.size, order.size), pack.precision)
        if there.any():
            rows[there] = kept.own(order[asked[there]], order)
        if not there.all():
            rows[~there] = values.rows(pack, asked[~there])
        return rows

    def walk_with(
        self, own: Callable[[Integers], Floats], block: Block, trace: Trace, mistakes: Integers
    ) -> None:
        """Walk through a block; `own` computes rows of its Gram matrix."""
        state = self.learned.state
        decision = VisitDecision(*(np.empty(self.learned.columns) for _ in VisitDecision._fields))
        wanted = np.empty(block.slots.size, np.int8)
        rule, first = coded(self.rule), 0
        if wanted.size == 1:  # a row is for the scores of later visits, and there are none: any will do
            block = block._replace(own=np.zeros((1, 1), block.own.dtype), known=np.zeros(1, np.int64))
        while first < wanted.size:
            wanted[:] = 0
            if wanted.size > 1:
                survey(rule, state, block, first, decision, wanted)
            asked = np.flatnonzero(wanted)
            if asked.size:
                block.known[asked] = len(block.own) + np.arange(asked.size)
                rows = own(asked)
                block = block._replace(own=np.concatenate([block.own, rows]) if len(block.own) else rows)
            first = walk(rule, state, block, first, trace, decision, mistakes)
            if first < 0:
                raise overflow(np.float64)

    # -- scores --------------------------------------------------------------------------------------

    def _scores_now(self, pack: Pack, order: Integers, slots: Integers) -> Floats:
        """Return the scores of a block: those that it had when last met, and what was learned since."""
        learned, state, absorbed = self.learned, self.learned.state, self._absorbed[order]
        if order.size == 1 and absorbed[0] < 0 and slots[0] < 0:  # as of a call with one row
            return np.asarray(learned.products(pack, *with_coefficients(learned.v)) + state.constant[0])
        scores = np.zeros((len(pack), learned.columns))
        for since in np.unique(absorbed):
            mine = np.flatnonzero(absorbed == since)
            part = pack if mine.size == len(pack) else pack[as_slice(mine)]
            if since >= 0:
                added = learned.products(part, *moves_since(state, since))
                scores[mine] = state.cached[:, order[mine]].T + added
            else:
                v = learned.v
                scores[mine] = learned.products(part, *with_coefficients(v))
                old = mine[slots[mine] >= 0]
                scores[old] += learned.delta**2 * v[slots[old]]
                scores[mine] += state.constant[0]
        return scores

    def _sums_now(self, pack: Pack) -> Floats:
        """Return the scores of a block by what sums over the past are kept in, one row per column."""
        learned = self.learned
        u = learned.weights.u.reshape(-1, learned.columns)
        sums = learned.products(pack, *with_coefficients(u))
        return np.ascontiguousarray((sums + learned.state.constant[1]).T)

    def scores_of(self, examples: Integers) -> Floats:
        """Return the scores of some examples as they are now, one row per example, and keep them."""
        scores = self._scores_now(self.rows[as_slice(examples)], examples, self.slots[examples])
        self.keep_scores(examples, scores.T)
        return scores

    def keep_scores(self, examples: Integers, scores: Floats) -> None:
        """Keep scores that some examples have now, one row per column."""
        if self.is_cached:
            self.learned.state.cached[:, examples] = scores
            self._absorbed[examples] = self.learned.state.counts[1]

    def log(self, slots: Integers, steps: Floats) -> None:
        """Note that the coefficients in some slots have changed by these steps."""
        self.learned.make_room(slots.size, is_logged=True)
        state = self.learned.state
        first = int(state.counts[1])
        state.log_slots[first : first + slots.size] = slots
        state.log_steps[first : first + slots.size] = steps
        state.counts[1] += slots.size

    def forget_log(self) -> None:
        """Forget all moves, which the scores of all examples contain."""
        if self.is_cached:
            forget(self.learned.state, int(self.learned.state.counts[1]))
            self._absorbed[self._absorbed >= 0] = 0

    def remember(self, new: Integers) -> None:
        """Give slots to some examples that have none, with coefficients of 0."""
        if new.size:
            learned = self.learned
            learned.make_room(new.size)
            self.slots[new] = learned.count + np.arange(new.size)
            learned.state.counts[0] += new.size
            learned.examples.append(self.rows[as_slice(new)], new)

    def measure(self) -> None:
        """Forget moves that all scores contain; recompute the norms for rules that read them."""
        learned = self.learned
        learned.examples.memory.join()
        if self.is_cached:
            learned.stride = LONGER if self._moves < RARE * len(self.slots) else 1
            self._moves = 0
            known = self._absorbed >= 0
            needless = int(self._absorbed[known].min(initial=learned.state.counts[1]))
            forget(learned.state, needless)
            self._absorbed[known] -= needless
        if declared(self.rule).reads_norm:
            self.is_lost |= learned.has_lost_digits
            learned.measure_norms()
