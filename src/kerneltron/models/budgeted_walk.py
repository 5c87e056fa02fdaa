"""The walk of a learner with a budget, which revises what it holds.

A block of visits is compared with all that is held in one matrix product. These values are kept while the
block is walked, so that examples can be dropped, shrunk, projected and merged in between; see
`engine.budgets`. At the end of the block the remembered examples follow.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Self

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron._validate import is_sparse
from kerneltron.engine.budgets.held import DROPPED, MOVES, Compared, Held
from kerneltron.engine.budgets.rows import walk_rows
from kerneltron.engine.budgets.walk import survey_held, walk_block
from kerneltron.engine.coded_rules import coded
from kerneltron.engine.declared import declared
from kerneltron.engine.dual import Block, VisitDecision
from kerneltron.kernels.kernel import OF_NUMBERS
from kerneltron.kernels.pack import Pack, as_slice
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.models import holdings
from kerneltron.models.compared import NOT_COMPARED, compared, unchanged
from kerneltron.models.kernel_expansion import PIECE, KernelExpansion
from kerneltron.models.labels import labels_of
from kerneltron.models.mixed_rows import mixed_rows
from kerneltron.models.overflow import overflow
from kerneltron.models.places import Places
from kerneltron.models.support_set import NO_ORIGIN
from kerneltron.models.visited_examples import VisitedExamples
from kerneltron.models.workspace import Workspace

# Where more of the visits moved a vector than this, rows of numbers are compared with the whole block at
# once: to stop the walk and ask for a row costs as much as 50,000 kernel values.
OFTEN = 1 / 8
STRIP = 128  # visits whose rows are then computed at a time: those before need no values
NOBODY = -1  # as the owner of a place: an example of an earlier call, or one that was made of others
AT_A_TIME = (
    64  # visits whose values compiled code computes: with 500 examples they fit the second-level cache
)


class BudgetedWalk(VisitedExamples):
    """Examples that enter and leave the places of a budget.

    Parameters
    ----------
    learned, rule, rows
        As for `VisitedExamples`.
    places
        What is kept of each place of the vectors.
    """

    def __init__(self, learned: KernelExpansion, rule: Any, rows: Pack, places: Places) -> None:
        super().__init__(learned, rule, rows)
        self.places, self.policy = places, places.policy
        self._owners: Integers = np.full(learned.count, NOBODY)  # by slot: numbers of examples of this call
        self._moved = 1.0  # the share of the visits of the last block that moved a vector
        self._decision = VisitDecision(*(np.empty(learned.columns) for _ in VisitDecision._fields))
        self._workspace = Workspace()

    def measure(self) -> None:
        """Recompute the norms for rules that read them."""
        if declared(self.rule).reads_norm:
            self.learned.measure_norms()

    def of(self, learned: KernelExpansion) -> Self:
        """Return the same examples, which move the vectors of a copy."""
        other = super().of(learned)
        other._workspace = Workspace()
        return other

    def visit(self, visits: Visits, trace: Trace, mistakes: Integers) -> None:
        """Make a block of visits, and count the mistakes."""
        learned, mine = self.learned, self.places
        pack = self.rows[as_slice(visits.order)]
        places = min(mine.most, learned.places + len(pack))
        learned.make_room(len(pack))
        mine.make_room(places)
        rows = self._compared(pack, places) if self.are_compared(pack) else None
        if rows:
            values, exponents = self._room(pack, places, rows.held.dtype)
        else:
            values, exponents = self._values(pack, places)
        block = self._block_of(visits, values.dtype, len(values))
        held = self._held(block, values, exponents, rows)
        moves = int(held.numbers[MOVES])
        walk = self._walk_rows if rows else self._walk_held
        walk(pack, block, held, trace, mistakes)
        mine.holdings.moves[0] = held.numbers[MOVES]
        mine.dropped = int(held.numbers[DROPPED])
        self._moved = (int(held.numbers[MOVES]) - moves) / len(pack)
        if held.numbers[MOVES] > moves:
            with one_blas_thread():
                self._follow(pack, visits.order, block, held)

    def are_compared(self, pack: Pack) -> bool:
        """Return whether compiled code compares some of the examples with those that are held."""
        return self.places.are_compared((pack, *self.learned.examples.memory.packs))

    def _is_full(self) -> bool:
        return self.places.budget is not None and self.learned.count >= self.places.budget

    def threads(self) -> AbstractContextManager[None]:
        """Return what holds while blocks are visited: compiled code needs nothing of BLAS."""
        return nullcontext() if self.are_compared(self.rows) else super().threads()

    def _values(self, pack: Pack, places: int) -> tuple[Floats, Floats]:
        """Return what some examples have in common with all places, and room for more of these.

        Where examples are merged, the logarithms are returned, too.
        """
        learned, mixes = self.learned, self.policy.mixes
        block = self.places.gaussian.exponents if mixes else learned.values.block
        parts = [block(pack, part) for _, part in self._pieces()]
        dtype = np.result_type(pack.precision, *(part.dtype for part in parts))
        values, first = self._workspace.take("values", (len(pack), places), dtype), self.places.features
        if first:
            values[:, :first] = self.places.sketched(pack)
        for part in parts:
            values[:, first : first + part.shape[1]] = part
            first += part.shape[1]
        if not mixes:
            return values, self._workspace.take("exponents", (0, 0), dtype)
        exponents = self._workspace.take("exponents", values.shape, dtype)
        exponents[:, :first] = values[:, :first]
        np.exp(values[:, :first], out=values[:, :first])
        return values, exponents

    def _room(self, pack: Pack, places: int, dtype: Any) -> tuple[Floats, Floats]:
        """Return room for the values of some visits at a time, which compiled code computes."""
        shape = min(AT_A_TIME, len(pack)), places
        exponents = shape if self.policy.mixes else (0, 0)
        take = self._workspace.take
        return take("values", shape, dtype), take("exponents", exponents, dtype)

    def _compared(self, pack: Pack, places: int) -> Compared:
        """Return the rows that compiled code compares: those of the visits, and those that are held."""
        with one_blas_thread() if self.places.features else nullcontext():
            features = self.places.sketched(pack) if self.places.features else None
        first, packs, own = self.places.features, self.learned.examples.memory.packs, self.learned.delta**2
        return compared(self.places.gaussian, pack, packs, first, places, features, own, self._workspace)

    def _pieces(self) -> Any:
        return self.learned.examples.pieces(np.arange(len(self.learned.examples)), PIECE)

    def _block_of(self, visits: Visits, dtype: Any, at_a_time: int) -> Block:
        size, columns = visits.order.size, self.learned.columns
        codes = visits.codes if visits.codes.ndim == 1 else np.empty(0, np.int64)
        return Block(
            scores=np.empty((columns, 0)),
            labels=labels_of(visits.codes, columns),
            codes=codes,
            importance=visits.importance,
            q=self.q[visits.order],
            constant=self.learned.bias**2,
            own=self._workspace.take("own", (at_a_time, at_a_time), dtype),
            known=np.full(size, -1),
            slots=self.slots[visits.order],
            first=0,
            end=columns,
            sums=np.empty((columns, 0)),
        )

    def _held(self, block: Block, values: Floats, exponents: Floats, rows: Compared | None) -> Held:
        (size, places), before, mine = values.shape, self.learned.places, self.places.holdings
        if self.learned.delta and rows is None:
            is_known = np.flatnonzero(block.slots >= 0)
            values[is_known, block.slots[is_known]] += self.learned.delta**2
        solving = (size, places) if self.policy.solves else (0, 0)
        mixes = (size, before + size) if self.policy.mixes and rows is None else (0, 0)
        order = np.arange(places)
        return Held(
            features=self.places.features,
            budget=self.places.most - 1,
            before=before,
            values=values,
            exponents=exponents,
            compared=rows or NOT_COMPARED,
            gram=mine.gram,
            squares=mine.squares,
            ages=mine.ages,
            holders=order.copy(),
            order=order,
            ranks=order.copy(),
            mixing=self._workspace.take("mixing", mixes, np.float64),
            sketched=mine.sketched,
            projections=self._workspace.take("projections", solving, np.float64),
            residuals=self._workspace.take("residuals", solving[1:], np.float64),
            spent=mine.spent,
            numbers=np.array((int(mine.moves[0]), 0, before, 0, self.places.dropped)),
        )

    def _walk_rows(self, pack: Pack, block: Block, held: Held, trace: Trace, mistakes: Integers) -> None:
        """Walk through a block whose rows compiled code compares."""
        way, state = self.policy.way(held.values.dtype), self.learned.state
        if walk_rows(coded(self.rule), way, state, block, held, trace, self._decision, mistakes) < 0:
            raise overflow(np.float64)

    def _walk_held(self, pack: Pack, block: Block, held: Held, trace: Trace, mistakes: Integers) -> None:
        """Walk through a block; rows that it needs are computed as they are asked for, or all at once."""
        rule, way, decision = coded(self.rule), self.policy.way(held.values.dtype), self._decision
        state, size, first = self.learned.state, block.slots.size, 0
        wanted = np.zeros(size, np.int8)
        asks = not self._asks_at_once()
        if not asks:
            self._ask_at_once(pack, block)
        while first < size:
            if asks:
                survey_held(rule, way, state, block, held, first, decision, wanted)
                self._ask(pack, block, held, np.flatnonzero(wanted))
            first = walk_block(rule, way, state, block, held, first, trace, decision, mistakes)
            if first < 0:
                raise overflow(np.float64)

    def _asks_at_once(self) -> bool:
        if self.policy.solves or (self.policy.stops and self._is_full()):
            return False
        return self.learned.kernel.domain in OF_NUMBERS and self._moved > OFTEN

    def _ask_at_once(self, pack: Pack, block: Block) -> None:
        """Compute the rows of all visits, as far as they are about later ones."""
        block.known[:] = np.arange(len(pack))
        for first in range(0, len(pack), STRIP):
            strip = slice(first, first + STRIP)
            block.own[strip, first:] = self.learned.values.block(pack[strip], pack[first:])

    def _ask(self, pack: Pack, block: Block, held: Held, asked: Integers) -> None:
        """Compute what is needed of visits that may move a vector."""
        if not asked.size:
            return
        block.known[asked] = asked
        if not (self.policy.solves and self._is_full()):
            block.own[asked] = self.learned.values.rows(pack, as_slice(asked))
        if self.policy.solves:
            common = held.values[asked, : held.before].astype(np.float64) + block.constant
            held.projections[asked, : held.before] = self.places.factor.solve(common)

    # -- after a block -------------------------------------------------------------------------------

    def _follow(self, pack: Pack, order: Integers, block: Block, held: Held) -> None:
        """Let the remembered examples be those that stand in the places now, by their rank."""
        features, before, count = self.places.features, held.before, self.learned.places
        self._arrange(held.order[:count])
        who = held.holders[held.order[features:count]]
        are_new, are_mixed = who >= before, who < 0
        visits = who[are_new] - before
        added, numbers = [pack[visits]] if visits.size else [], order[visits]
        if self.policy.mixes and are_mixed.any():
            added.append(self._mixed(pack, held, held.order[features:count][are_mixed]))
            numbers = np.append(numbers, np.full(len(added[-1]), NO_ORIGIN))
        if not added and who.size == before - features:
            return
        places = who - features
        places[are_new] = np.arange(before - features, before - features + visits.size)
        places[are_mixed] = np.arange(numbers.size - visits.size) + (before - features + visits.size)
        self._tell_examples(places, numbers)
        self.learned.examples.rearrange(places, Pack.join(added) if added else None, numbers)
        if numbers.size > visits.size and is_sparse(
            self.places.seen(pack)
        ):  # they may have lost some entries
            self._compare_anew(features + np.flatnonzero(are_mixed))
        if self.policy.solves:
            self._extend(block, held, visits)

    def _arrange(self, order: Integers) -> None:
        """Let what is known of each place stand in the order of ranks."""
        moved = np.flatnonzero(order != np.arange(order.size))
        if not moved.size:
            return
        weights = self.learned.state.weights
        for array in (weights.v, weights.u):
            rows = array.reshape(-1, self.learned.columns)
            if rows.size:
                rows[moved] = rows[order[moved]]
        holdings.move(self.places.holdings, moved, order[moved])

    def _tell_examples(self, places: Integers, numbers: Integers) -> None:
        """Let examples of this call know where they stand: `places` among those before, then `numbers`."""
        self.slots[self._owners[self._owners != NOBODY]] = -1
        self._owners = np.append(self._owners, numbers)[places]
        there = np.flatnonzero(self._owners != NOBODY)
        self.slots[self._owners[there]] = self.places.features + there

    def _mixed(self, pack: Pack, held: Held, places: Integers) -> Pack:
        """Return the examples at some places, each a weighted sum of those that were held or visited."""
        kernel = self.places.gaussian
        if held.compared.rows.size:
            return kernel.pack(unchanged(kernel, held.compared.held[places]))
        parts = [self.places.seen(part) for _, part in self._pieces()]
        weights = held.mixing[-1 - held.holders[places]]
        return kernel.pack(unchanged(kernel, mixed_rows(weights, [*parts, self.places.seen(pack)])))

    def _compare_anew(self, places: Integers) -> None:
        """Compute what some places have in common with all, from the examples themselves."""
        first, gram = self.places.features, self.places.holdings.gram
        (_, mine), *_ = self.learned.examples.pieces(places - first, len(places))
        for other, pack in self._pieces():
            common = self.places.gaussian.exponents(mine, pack)
            gram[places, first + other.start : first + other.stop] = common
            gram[first + other.start : first + other.stop, places] = common.T
        gram[places, places] = 0.0

    def _extend(self, block: Block, held: Held, visits: Integers) -> None:
        """Let the factor grow by the examples of some visits, which got the last places."""
        common = held.values[visits, : held.before].astype(np.float64) + block.constant
        own = block.own[np.ix_(visits, visits)].astype(np.float64) + block.constant
        own = (own + own.T) / 2
        np.fill_diagonal(own, block.q[visits])
        self.places.factor.extend(common, own)
