"""A learner in dual form that remembers at most a given number of examples, and revises what it holds.

A block of visits is compared with all that is held in one matrix product. These values are kept while the
block is walked, so that examples can be dropped, shrunk, projected and merged in between; see
`engine.budgets`. At the end of the block the remembered examples follow.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn, Self

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits, Weights
from kerneltron._validate import is_sparse
from kerneltron.engine.budgets.held import DROPPED, MOVES, Compared, Held
from kerneltron.engine.budgets.rows import walk_rows
from kerneltron.engine.budgets.walk import survey_held, walk_block
from kerneltron.engine.coded_rules import coded
from kerneltron.engine.declared import declared
from kerneltron.engine.dual import Block, VisitDecision
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.pack import Pack, as_slice
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.models import holdings
from kerneltron.models.compared import NOT_COMPARED, can_be_compared, compared, seen, unchanged
from kerneltron.models.dual import PIECE, VISITS, Dual, in_blocks
from kerneltron.models.dual_state import with_room
from kerneltron.models.factor import Factor
from kerneltron.models.labels import labels_of
from kerneltron.models.late import ColumnOrigin
from kerneltron.models.mixed_rows import mixed_rows
from kerneltron.models.overflow import finite, overflow, scored
from kerneltron.models.policy import Policy, is_gaussian_over_rows
from kerneltron.models.support_set import NO_ORIGIN
from kerneltron.models.weights import current, settle
from kerneltron.models.workspace import Workspace

LEAST, MOST = 64, 512  # visits that are made at a time: powers of two, so that 1,024 of them are whole blocks
# Where more of the visits moved a vector than this, rows of numbers are compared with the whole block at
# once: to stop the walk and ask for a row costs as much as 50,000 kernel values.
OFTEN = 1 / 8
STRIP = 128  # visits whose rows are then computed at a time: those before need no values
NOBODY = -1  # as the owner of a place: an example of an earlier call, or one that was made of others
UNBOUNDED = 2**62
AT_A_TIME = (
    64  # visits whose values compiled code computes: with 500 examples they fit the second-level cache
)


class Budgeted(Dual):
    """Vectors that are sums of at most `budget` remembered examples.

    Parameters
    ----------
    rule, kernel, columns
        As for `Dual`.
    policy
        What happens when the budget is spent.
    budget
        Number of examples; None where the policy alone decides which are remembered.
    options
        What else `Dual` takes.
    """

    form = "budgeted"
    refuses_mixing = (
        "models with a budget cannot be merged: together they remember more than it allows. Train them with "
        "a map such as Nystrom(500), whose weights can be mixed."
    )

    def __init__(
        self, rule: Any, kernel: Kernel, columns: int, *, policy: Policy, budget: int | None, **options: Any
    ) -> None:
        super().__init__(rule, kernel, columns, **options)
        self.policy, self.budget = policy, budget
        self.features = policy.features
        self.factor = Factor()
        self.keeps_gram = policy.keeps_gram or declared(rule).reads_norm
        self._holdings = holdings.nothing_yet(self.features, columns)
        self._owners: Integers = np.empty(0, np.int64)  # by slot: numbers of examples of this call
        self._moved = 1.0  # the share of the visits of the last block that moved a vector
        self.dropped = 0  # examples that were forgotten so far
        self.lacks_sums = False  # of what was dropped: so it is in older files
        self._workspace = Workspace()
        # The kernel, where compiled code may compare rows by it.
        is_compared = is_gaussian_over_rows(kernel) and not policy.solves
        self._gaussian = kernel if isinstance(kernel, Gaussian) and is_compared else None
        self._state = with_room(self._state, self.features, self.hypothesis.keeps_sums, False)
        self._state.counts[0] = self.features

    # -- what it knows -------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Number of remembered examples."""
        return int(self._state.counts[0]) - self.features

    @property
    def weights(self) -> Weights:
        """Its coefficients, as weights whose features are those of the sketch, then the examples."""
        used = int(self._state.counts[0]) * self._state.weights.scale.size
        w = self._state.weights
        return w._replace(v=w.v[:used], u=w.u[: used if w.u.size else 0])

    @property
    def holdings(self) -> holdings.Holdings:
        """What it keeps of each place, without room for more."""
        return holdings.trimmed(self._holdings, np.arange(self._state.counts[0]))

    @property
    def _most(self) -> int:
        """The most places that are ever taken: one more than the budget has, until room is made."""
        return UNBOUNDED if self.budget is None else self.features + self.budget + 1

    @property
    def _visits(self) -> int:
        """How many visits are made at a time: about as many as are remembered."""
        if self._pack is not None and self._are_compared(self._pack):
            return 2 * VISITS
        return max(1, min(VISITS, MOST, max(LEAST, 1 << ((self.budget or MOST) - 1).bit_length())))

    def _coefficients(self) -> Floats:
        """Return one row of coefficients per remembered example."""
        return self.vectors()[self.features :]

    def check_tracing(self) -> None:
        """Raise: what is held is revised, too."""
        raise ValueError(
            "a learner with a budget also revises what it remembers: its updates are not of the form "
            "shrink * w + step * x, and cannot be traced."
        )

    # -- learning ------------------------------------------------------------------------------------

    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""
        if self.lacks_sums:  # let the mean begin with the vectors of now
            self._forget_vectors()
            for each in (self.weights, self.constants):
                settle(each)
            self.lacks_sums = False
        super().begin(rows)
        self._decision = VisitDecision(*(np.empty(self.columns) for _ in VisitDecision._fields))
        self._is_cached = False
        self._state = self._state._replace(cached=np.empty((self.columns, 0)))
        self._owners = np.full(self.count, NOBODY)
        self._moved = 1.0

    def _visit(self, visits: Visits, trace: Trace, mistakes: Integers) -> None:
        assert self._pack is not None
        pack = self._pack[as_slice(visits.order)]
        places = min(self._most, int(self._state.counts[0]) + len(pack))
        self._state = with_room(self._state, len(pack), self.hypothesis.keeps_sums, False)
        self._holdings = holdings.with_room(self._holdings, places, self._most, self.keeps_gram)
        rows = self._compared(pack, places) if self._are_compared(pack) else None
        if rows:
            values, exponents = self._room(pack, places, rows.held.dtype)
        else:
            values, exponents = self._values(pack, places)
        block = self._block_of(visits, values.dtype, len(values))
        held = self._held(block, values, exponents, rows)
        moves = int(held.numbers[MOVES])
        walk = self._walk_rows if rows else self._walk_held
        walk(pack, block, held, trace, mistakes)
        self._holdings.moves[0] = held.numbers[MOVES]
        self.dropped = int(held.numbers[DROPPED])
        self._moved = (int(held.numbers[MOVES]) - moves) / len(pack)
        if held.numbers[MOVES] > moves:
            with one_blas_thread():
                self._follow(pack, visits.order, block, held)

    def _threads(self) -> AbstractContextManager[None]:
        """Return what holds while blocks are visited: compiled code needs nothing of BLAS."""
        assert self._pack is not None
        return nullcontext() if self._are_compared(self._pack) else super()._threads()

    def _values(self, pack: Pack, places: int) -> tuple[Floats, Floats]:
        """Return what some examples have in common with all places, and room for more of these.

        Where examples are merged, the logarithms are returned, too.
        """
        block = self.kernel.exponents if self.policy.mixes else self.values.block  # type: ignore[attr-defined]
        parts = [block(pack, part) for _, part in self._pieces()]
        dtype = np.result_type(pack.precision, *(part.dtype for part in parts))
        values, first = self._workspace.take("values", (len(pack), places), dtype), self.features
        if first:
            values[:, :first] = self._sketched(pack)
        for part in parts:
            values[:, first : first + part.shape[1]] = part
            first += part.shape[1]
        if not self.policy.mixes:
            return values, self._workspace.take("exponents", (0, 0), dtype)
        exponents = self._workspace.take("exponents", values.shape, dtype)
        exponents[:, :first] = values[:, :first]
        np.exp(values[:, :first], out=values[:, :first])
        return values, exponents

    def _are_compared(self, pack: Pack) -> bool:
        """Tell whether compiled code compares these examples itself."""
        packs = pack, *self.remembered.memory.packs
        return self._gaussian is not None and can_be_compared(self._gaussian, packs)

    def _room(self, pack: Pack, places: int, dtype: Any) -> tuple[Floats, Floats]:
        """Return room for the values of some visits at a time, which compiled code computes."""
        shape = min(AT_A_TIME, len(pack)), places
        exponents = shape if self.policy.mixes else (0, 0)
        take = self._workspace.take
        return take("values", shape, dtype), take("exponents", exponents, dtype)

    def _compared(self, pack: Pack, places: int) -> Compared:
        """Return the rows that compiled code compares: those of the visits, and those that are held."""
        assert self._gaussian is not None
        with one_blas_thread() if self.features else nullcontext():
            features = self._sketched(pack) if self.features else None
        first, packs, own = self.features, self.remembered.memory.packs, self.delta**2
        return compared(self._gaussian, pack, packs, first, places, features, own, self._workspace)

    def _pieces(self) -> Any:
        return self.remembered.pieces(np.arange(len(self.remembered)), PIECE)

    def _block_of(self, visits: Visits, dtype: Any, at_a_time: int) -> Block:
        size = visits.order.size
        codes = visits.codes if visits.codes.ndim == 1 else np.empty(0, np.int64)
        return Block(
            scores=np.empty((self.columns, 0)),
            labels=labels_of(visits.codes, self.columns),
            codes=codes,
            importance=visits.importance,
            q=self._q[visits.order],
            constant=self.bias**2,
            own=self._workspace.take("own", (at_a_time, at_a_time), dtype),
            known=np.full(size, -1),
            slots=self._slots[visits.order],
            first=0,
            end=self.columns,
            sums=np.empty((self.columns, 0)),
        )

    def _held(self, block: Block, values: Floats, exponents: Floats, rows: Compared | None) -> Held:
        (size, places), before, mine = values.shape, int(self._state.counts[0]), self._holdings
        if self.delta and rows is None:
            is_known = np.flatnonzero(block.slots >= 0)
            values[is_known, block.slots[is_known]] += self.delta**2
        solving = (size, places) if self.policy.solves else (0, 0)
        mixes = (size, before + size) if self.policy.mixes and rows is None else (0, 0)
        order = np.arange(places)
        return Held(
            features=self.features,
            budget=self._most - 1,
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
            numbers=np.array((int(mine.moves[0]), 0, before, 0, self.dropped)),
        )

    def _walk_rows(self, pack: Pack, block: Block, held: Held, trace: Trace, mistakes: Integers) -> None:
        """Walk through a block whose rows compiled code compares."""
        way = self.policy.way(held.values.dtype)
        if walk_rows(coded(self.rule), way, self._state, block, held, trace, self._decision, mistakes) < 0:
            raise overflow(np.float64)

    def _walk_held(self, pack: Pack, block: Block, held: Held, trace: Trace, mistakes: Integers) -> None:
        """Walk through a block; rows that it needs are computed as they are asked for, or all at once."""
        rule, way, decision = coded(self.rule), self.policy.way(held.values.dtype), self._decision
        size, first = block.slots.size, 0
        wanted = np.zeros(size, np.int8)
        asks = not self._asks_at_once()
        if not asks:
            self._ask_at_once(pack, block)
        while first < size:
            if asks:
                survey_held(rule, way, self._state, block, held, first, decision, wanted)
                self._ask(pack, block, held, np.flatnonzero(wanted))
            first = walk_block(rule, way, self._state, block, held, first, trace, decision, mistakes)
            if first < 0:
                raise overflow(np.float64)

    def _asks_at_once(self) -> bool:
        if self.policy.solves or (self.policy.stops and self._is_full()):
            return False
        return self.kernel.domain in OF_NUMBERS and self._moved > OFTEN

    def _ask_at_once(self, pack: Pack, block: Block) -> None:
        """Compute the rows of all visits, as far as they are about later ones."""
        block.known[:] = np.arange(len(pack))
        for first in range(0, len(pack), STRIP):
            strip = slice(first, first + STRIP)
            block.own[strip, first:] = self.values.block(pack[strip], pack[first:])

    def _is_full(self) -> bool:
        return self.budget is not None and self.count >= self.budget

    def _ask(self, pack: Pack, block: Block, held: Held, asked: Integers) -> None:
        """Compute what is needed of visits that may move a vector."""
        if not asked.size:
            return
        block.known[asked] = asked
        if not (self.policy.solves and self._is_full()):
            block.own[asked] = self.values.rows(pack, as_slice(asked))
        if self.policy.solves:
            common = held.values[asked, : held.before].astype(np.float64) + block.constant
            held.projections[asked, : held.before] = self.factor.solve(common)

    # -- after a block -------------------------------------------------------------------------------

    def _follow(self, pack: Pack, order: Integers, block: Block, held: Held) -> None:
        """Let the remembered examples be those that stand in the places now, by their rank."""
        features, before, count = self.features, held.before, int(self._state.counts[0])
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
        self.remembered.rearrange(places, Pack.join(added) if added else None, numbers)
        if numbers.size > visits.size and is_sparse(self._seen(pack)):  # they may have lost some entries
            self._compare_anew(features + np.flatnonzero(are_mixed))
        if self.policy.solves:
            self._extend(block, held, visits)

    def _arrange(self, order: Integers) -> None:
        """Let what is known of each place stand in the order of ranks."""
        moved = np.flatnonzero(order != np.arange(order.size))
        if not moved.size:
            return
        for array in (self._state.weights.v, self._state.weights.u):
            rows = array.reshape(-1, self.columns)
            if rows.size:
                rows[moved] = rows[order[moved]]
        holdings.move(self._holdings, moved, order[moved])

    def _tell_examples(self, places: Integers, numbers: Integers) -> None:
        """Let examples of this call know where they stand: `places` among those before, then `numbers`."""
        self._slots[self._owners[self._owners != NOBODY]] = -1
        self._owners = np.append(self._owners, numbers)[places]
        there = np.flatnonzero(self._owners != NOBODY)
        self._slots[self._owners[there]] = self.features + there

    def _mixed(self, pack: Pack, held: Held, places: Integers) -> Pack:
        """Return the examples at some places, each a weighted sum of those that were held or visited."""
        assert isinstance(self.kernel, Gaussian)
        if held.compared.rows.size:
            return self.kernel.pack(unchanged(self.kernel, held.compared.held[places]))
        parts = [self._seen(part) for _, part in self._pieces()]
        weights = held.mixing[-1 - held.holders[places]]
        return self.kernel.pack(unchanged(self.kernel, mixed_rows(weights, [*parts, self._seen(pack)])))

    def _seen(self, pack: Pack) -> Any:
        """Return the rows whose distances the kernel sees, for policies that work on these."""
        assert isinstance(self.kernel, Gaussian)
        return seen(self.kernel, pack).X

    def _sketched(self, pack: Pack) -> Floats:
        """Return the features of the sketch, one row per example."""
        assert isinstance(self.kernel, Gaussian)
        features: Floats = self.policy.sketch(unchanged(self.kernel, self._seen(pack)))
        return features

    def _compare_anew(self, places: Integers) -> None:
        """Compute what some places have in common with all, from the examples themselves."""
        first, gram = self.features, self._holdings.gram
        (_, mine), *_ = self.remembered.pieces(places - first, len(places))
        for other, pack in self._pieces():
            common = self.kernel.exponents(mine, pack)  # type: ignore[attr-defined]
            gram[places, first + other.start : first + other.stop] = common
            gram[first + other.start : first + other.stop, places] = common.T
        gram[places, places] = 0.0

    def _extend(self, block: Block, held: Held, visits: Integers) -> None:
        """Let the factor grow by the examples of some visits, which got the last places."""
        common = held.values[visits, : held.before].astype(np.float64) + block.constant
        own = block.own[np.ix_(visits, visits)].astype(np.float64) + block.constant
        own = (own + own.T) / 2
        np.fill_diagonal(own, block.q[visits])
        self.factor.extend(common, own)

    def measure(self) -> None:
        """Recompute the norms for rules that look at them."""
        if self.is_busy and declared(self.rule).reads_norm:
            self._measure_norms()

    def finish(self) -> None:
        """Let go of the examples; those that are remembered are copies."""
        super().finish()
        self._owners, self._workspace = np.empty(0, np.int64), Workspace()

    def release(self, slots: Integers) -> NoReturn:
        """Raise: the policy alone decides who is forgotten."""
        raise RuntimeError("a learner with a budget releases examples itself.")

    # -- predicting ----------------------------------------------------------------------------------

    @property
    def _averages_constant(self) -> bool:
        """Whether the constant feature alone has a mean, as it is all that no example is needed for."""
        return self.hypothesis.keeps_sums and self.dropped > 0 and not self.lacks_sums

    def vectors(self) -> Floats:
        """Return what predicts, one row per place; once examples were dropped, the vectors as they are now.

        The mean of the coefficients that are left would lack all that was dropped: it is of no use.
        """
        if self._vectors is not None or not self._averages_constant:
            return super().vectors()
        return self._shown.get(self.hypothesis, lambda: current(self.weights))

    def offsets(self) -> Floats:
        """Return what is added to all scores; once examples were dropped, it makes the constant its mean."""
        if self._offsets is None and self._vectors is None and self._averages_constant:
            mean = self.hypothesis.vectors(self.weights)
            missing = self.bias**2 * (mean - current(self.weights)).sum(axis=0)
            self._offsets = self.hypothesis.offsets(self.constants)[0] + missing
        return super().offsets()

    def forget_beginning(self) -> None:
        """Let the hypothesis know that the first pass is over, unless there is only a constant to average.

        That of the last vector alone is what the mean is to smooth.
        """
        if not self._averages_constant:
            super().forget_beginning()

    def _scores_of(self, pack: Pack) -> Floats:
        """Return the scores by what is remembered and by what lives on in a sketch."""
        if not self.features:
            return super()._scores_of(pack)
        slots, coefficients = self.support()
        parts = [
            self._products(part, slots, coefficients) + self.beside(part) for part in in_blocks(pack, VISITS)
        ]
        return finite(np.concatenate([np.empty((0, self.columns)), *parts]) + self.offsets())

    def beside(self, pack: Pack) -> Floats:
        """Return the scores of examples by what lives on in a sketch."""
        if not self.features:
            return super().beside(pack)
        kept = self.vectors()[: self.features]
        return scored(self._sketched(pack), kept, np.zeros(self.columns))

    # -- columns, copies -----------------------------------------------------------------------------

    def regroup(self, column_origins: list[ColumnOrigin]) -> None:
        """Rearrange the coefficients; what forgetting has cost a late class is what it cost the others."""
        super().regroup(column_origins)
        spent = self._holdings.spent
        mean = float(spent.mean())
        late = [spent[column] if column >= 0 else mean for column, _ in column_origins]
        self._holdings = self._holdings._replace(spent=np.array(late))

    def successor(self) -> Self:
        """Return a copy: any of the coefficients may change, and there are few of them."""
        return self.copy()

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        other = super().copy()
        other._holdings, other.factor = holdings.copied(self._holdings), self.factor.copy()
        other._workspace = Workspace()
        return other
