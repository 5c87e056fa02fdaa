"""A support vector machine in dual form: coefficients climb to the optimum of a box-constrained problem.

Passes go over a working set, of examples whose scores are always up to date. The first set is a part of the
examples, drawn at random. When a set has little left to gain, the scores of all examples are brought up to
date, and the duality gap is known: it is small enough, or the next set has all examples with something to
gain. What is shown to it without a set, as by `partial_fit`, takes the walk of every dual learner.
"""

from math import inf
from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron.engine.ascent import Coordinates, Sums, measure_gap
from kerneltron.engine.order import BLOCK
from kerneltron.kernels.cost import are_cheap
from kerneltron.kernels.pack import Pack, as_slice
from kerneltron.kernels.precomputed import given_matrix, is_given
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.models.dual import VISITS, Dual
from kerneltron.models.dual_state import forget, with_room
from kerneltron.models.kept_rows import Reuse
from kerneltron.models.labels import labels_of
from kerneltron.models.model import Model
from kerneltron.models.optimality import UNKNOWN, Optimality
from kerneltron.models.representation import RESERVED
from kerneltron.models.set_values import Given, Kept, Recomputed, SetValues
from kerneltron.models.working_set import WorkingSet

SMALL = 8192  # examples that are all in the first set; of more it is a FIRST part, but at least half of these
FIRST = 0.25
GROWTH = 2  # a set has at most this many times the examples that have coefficients
ROUGH = 0.1  # the first set is left at this relative gap,
LEFT = 0.5  # and later ones when their part of the gap is below this share of what is allowed,
FALL = 0.1  # or of the gap that was there when they were opened: others may have more to gain by then,
BESIDE = 0.2  # or of what the other examples were last known to have
IDLE = (
    0.1  # this share of the allowed gap may stay with coefficients that are not worth a visit, all together
)
MARGIN = 0.1  # examples whose margins are larger than 1 by this are expected to stay without coefficients
SHRINK = 0.7  # a set is made smaller when fewer than this part of its examples are not expected to stay so
MOST_PASSES = 40  # over a set, before all examples are looked at
AGAIN = 8  # times that a pass visits a set that is this much smaller than all examples
MANY = 64  # blocks of visits at a time
SMALL_SQUARE = 2**25  # bytes of kernel values that are kept even if they are cheap
LEAST_ROOM = 2**24  # bytes for the kernel values of a set, whatever the working memory is
EXAMPLES = 8192  # examples whose shares of the gap are computed at a time
NOTHING = Sums(0.0, 0.0, 0.0, 0.0)


class DualMachine(Dual):
    """Coefficients y alpha with 0 <= alpha <= C, one column per class or task.

    Attributes
    ----------
    tolerance
        The relative duality gap that is aimed at.
    """

    reshuffles = True
    shows_predictions = False

    def __init__(self, *args: Any, tolerance: float = 0.01, **options: Any) -> None:
        super().__init__(*args, **options)
        self.tolerance = tolerance
        self._set: WorkingSet | None = None
        self._earlier: DualMachine | None = None  # that it begins with
        self._beside = NOTHING  # of the examples that are not in the set, when they were last looked at
        self._passes = self._updates_before = 0  # passes over the set, and updates before the last one

    @property
    def blocks(self) -> int:  # type: ignore[override]
        """How many blocks of 512 visits are best learned from at a time."""
        return super().blocks if self._set is None else max(1, min(MANY, -(-len(self._set) // BLOCK)))

    @property
    def updates(self) -> int:
        """How often a coefficient has moved."""
        return int(self._state.weights.updates.sum())

    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""
        super().begin(rows)
        self._labels = np.zeros((len(rows), self.columns), np.int8)
        self._importance = np.zeros(len(rows))
        self._set = None
        if self._earlier is not None:
            self._take_over(self._earlier)

    def start_from(self, other: Model) -> None:
        """Begin with the coefficients that another machine has found for the same examples."""
        if not isinstance(other, DualMachine) or other.columns != self.columns or other.bias != self.bias:
            raise ValueError(
                "warm_start=True goes on with a learner of the same kind: use `warm_start=False`."
            )
        self._earlier = other

    def _take_over(self, other: "DualMachine") -> None:
        assert self._pack is not None
        slots, coefficients = other.support()
        examples = other.remembered.origins[slots]
        if other.remembered.seen != len(self._pack):
            raise ValueError(
                f"warm_start=True goes on with the same examples, but there were {other.remembered.seen} and "
                f"are {len(self._pack)} now: use `warm_start=False`."
            )
        self._state = with_room(self._state, examples.size, False, False)
        self._state.weights.v[: coefficients.size] = coefficients.reshape(-1)
        self._state.counts[0] = examples.size
        self._slots[examples] = np.arange(examples.size)
        if examples.size:
            self.remembered.append(self._pack[examples], examples)
        self._earlier = None

    def _check_tolerance(self, rows: Pack) -> None:
        least = 8 * float(np.finfo(rows.precision).eps)
        if self.tolerance < least:
            raise ValueError(
                f"tol={self.tolerance:g} is below what {np.dtype(rows.precision)} can tell, {least:.0e}: "
                "give a larger one, or rows of float64."
            )

    def expect(self, passes: float) -> None:
        """Keep no rows: a set has its own."""

    def look_at(self, visits: Visits) -> None:
        """Choose the examples that are worked on first."""
        assert self._pack is not None
        self._check_tolerance(self._pack)
        if not visits.order.size:
            raise ValueError("all examples have the weight 0: there is nothing to learn from.")
        self._labels[visits.order] = labels_of(visits.codes, self.columns)
        self._importance[visits.order] = visits.importance
        self._clip()
        self._sweep(is_last=False)

    def due(self, chosen: Integers | None) -> Integers | None:
        """Return the examples that the next pass visits: those of the set, once there is one."""
        return chosen if self._set is None else self._set.examples

    def step(self, visits: Visits, trace: Trace) -> Any:
        """Visit some examples; return the mistakes."""
        if self._set is None:
            return super().step(visits, trace)
        several = visits.codes.ndim == 2
        mistakes = np.zeros(self.columns if several else 1, np.int64)
        moves = self._set.visit(self.rule, self._place[visits.order], mistakes)
        self._visit_again(self._set, visits.order, moves)
        if not np.isfinite(self._set.some.scores).all():
            raise self._overflow()
        self._state.weights.clock[:] += visits.order.size
        self._state.weights.updates[:] += moves
        self._write_back(self._set)
        return mistakes if several else int(mistakes[0])

    def _visit_again(self, some: WorkingSet, examples: Integers, moves: Integers) -> None:
        """Visit a small set several times: a pass makes about as many visits as there are examples."""
        again = min(AGAIN, int(np.count_nonzero(self._importance)) // len(some)) - 1
        nobody = np.zeros(self.columns, np.int64)
        for number in range(again):
            seed = [int(self._state.weights.clock[0]), number]
            order = np.random.default_rng(seed).permutation(examples)
            found = some.visit(self.rule, self._place[order], nobody)
            if not found.any():
                break
            moves += found

    # -- how close it is -----------------------------------------------------------------------------

    def optimality(self, is_last: bool) -> Optimality:
        """Return both objectives: an estimate, or what a sweep over all examples confirms.

        All examples are looked at if the gap may be small enough, if the set is done, or if it is the last
        time.
        """
        some = self._set
        if some is None:
            return UNKNOWN
        sums, _ = some.measure(self.rule)
        found = self._found(sums, self._beside)
        self._passes += 1
        is_still = self.updates == self._updates_before
        self._updates_before = self.updates
        is_done = is_still or sums.gap <= self._enough(sums, found) or self._passes >= MOST_PASSES
        if is_last or is_done or not found.gap > self.tolerance:
            return self._sweep(is_last)
        some.least = self._least(found)
        self._shrink(some, found)
        return found

    def _least(self, found: Optimality) -> float:
        """Return the largest share of the gap that is not worth a visit; any, if the gap is small enough."""
        if found.gap <= self.tolerance:
            return inf
        coordinates = np.count_nonzero(self._importance) * self.columns
        return IDLE * self.tolerance * found.objective / coordinates

    def _enough(self, sums: Sums, found: Optimality) -> float:
        """Return the part of the gap at which a set is left."""
        if self._is_first:
            return ROUGH * self._found(sums).objective
        relative = max(LEFT * self.tolerance, FALL * self._opened_at)
        return max(relative * found.objective, BESIDE * self._beside.gap)

    def _found(self, *sums: Sums) -> Optimality:
        loss, gain, square, _ = (sum(parts) for parts in zip(*sums, strict=True))
        return Optimality(square / 2 + loss, gain - square / 2)

    def _sweep(self, is_last: bool) -> Optimality:
        """Bring all scores up to date, and choose another set if the gap is too large, or there was none."""
        with one_blas_thread():
            if self._set is not None:
                self._close(self._set)
            total, shares, nearest = self._measure_all()
            if self._is_cached:
                forget(self._state, int(self._state.counts[1]))
                self._absorbed[self._absorbed >= 0] = 0
            found = self._found(total)
            self._check_square(total, found)
            if self._set is None or (found.gap > self.tolerance and not is_last):
                self._open(found, total, shares, nearest)
            return found

    def _check_square(self, total: Sums, found: Optimality) -> None:
        if total.square < -self.tolerance * abs(found.objective):
            raise ValueError(
                f"||w||^2 is {total.square:.2g}, below 0: {self.kernel} is not positive semi-definite on "
                "these examples, so there is no optimum to be found. kerneltron.kernels.check shows by how "
                "much."
            )
        if not np.isfinite(found).all():
            raise self._overflow()

    def _overflow(self) -> ValueError:
        return ValueError(
            f"a score or an objective grew beyond what float64 can hold: C is too large, or {self.kernel} is "
            "not positive semi-definite on these examples, which kerneltron.kernels.check tells."
        )

    def _measure_all(self) -> tuple[Sums, Floats, Floats]:
        """Return what objectives are made of, and by example the largest share of the gap and the margin."""
        shares, nearest = np.zeros(len(self._labels)), np.full(len(self._labels), inf)
        parts = []
        there = np.flatnonzero(self._importance)
        for first in range(0, there.size, EXAMPLES):
            some = there[first : first + EXAMPLES]
            share, near = np.empty(some.size), np.empty(some.size)
            parts.append(measure_gap(self.rule, self._coordinates(some), share, near))
            shares[some], nearest[some] = share, near
        return Sums(*map(sum, zip(*parts, strict=True))), shares, nearest

    def _coordinates(self, examples: Integers) -> Coordinates:
        """Return what the ascent needs to know of some examples, with their scores as they are now."""
        scores = np.empty((self.columns, examples.size))
        for first in range(0, examples.size, VISITS):
            part = slice(first, first + VISITS)
            scores[:, part] = self._current(examples[part]).T
        slots, labels = self._slots[examples], self._labels[examples]
        alpha = np.zeros(labels.shape)
        there = slots >= 0
        alpha[there] = self.weights.v.reshape(-1, self.columns)[slots[there]] * labels[there]
        signs, alpha = np.ascontiguousarray(labels.T), np.ascontiguousarray(alpha.T)
        return Coordinates(scores, alpha, signs, self._importance[examples], self._q[examples])

    def _current(self, examples: Integers) -> Floats:
        """Return the scores of some examples as they are now, and keep them."""
        assert self._pack is not None
        scores = self._scores_now(self._pack[as_slice(examples)], examples, self._slots[examples])
        if self._is_cached:
            self._state.cached[:, examples], self._absorbed[examples] = scores.T, self._state.counts[1]
        return scores

    def _clip(self) -> None:
        """Bring coefficients of before to where they may be now; an example that does not count has none."""
        examples = np.flatnonzero(self._slots >= 0)
        labels, slots = self._labels[examples], self._slots[examples]
        v = self.weights.v.reshape(-1, self.columns)
        importance = self._importance[examples][:, None]
        cap = np.where(importance > 0, self.rule.cap, 0.0) * np.where(importance > 0, importance, 1.0)
        v[slots] = labels * np.clip(v[slots] * labels, 0.0, cap)

    # -- the working set -----------------------------------------------------------------------------

    def _open(self, found: Optimality, total: Sums, shares: Floats, nearest: Floats) -> None:
        """Choose the examples that have something to gain, or may soon have, and begin to work on them."""
        assert self._pack is not None
        examples, least = np.flatnonzero(self._importance), self._least(found)
        wanted: Integers = np.flatnonzero((shares > least) | (nearest < 1 + MARGIN))
        if least == inf:  # it begins where it is to end, with coefficients of before
            wanted = wanted[:0]
        self._is_first = self.count == 0 and examples.size > SMALL and not are_cheap(self._pack)
        if self._set is not None and not are_cheap(self._pack):
            has_some = nearest == 0
            most = max(SMALL, GROWTH * int(np.count_nonzero(has_some)))
            wanted = most_of(wanted, np.where(has_some, inf, shares), most)
        if self._is_first:
            size = max(SMALL // 2, int(FIRST * examples.size))
            wanted = np.sort(np.random.default_rng(0).permutation(examples)[:size])
        some = self._set = self._chosen_set(wanted, shares)
        some.least, self._opened_at = least, found.gap
        self._passes, self._updates_before = 0, self.updates
        inside, _ = some.measure(self.rule)
        self._beside = Sums._make(every - mine for every, mine in zip(total, inside, strict=True))
        self._begin_to_work_on(some)

    def _begin_to_work_on(self, some: WorkingSet) -> None:
        self._place = np.full(len(self._labels), -1)
        self._place[some.examples] = np.arange(len(some))
        self._before = self.weights.v.copy()

    def _chosen_set(self, wanted: Integers, shares: Floats) -> WorkingSet:
        """Return a set of the examples that are wanted, or that matter most: the one before, changed."""
        pack, some = self._pack, self._set
        assert pack is not None
        if some is None:
            if is_given(pack):
                every = np.arange(len(pack))
                return WorkingSet(every, self._coordinates(every), Given(given_matrix(pack)), self.bias**2)
            values = self._new_values(pack, wanted.size)
            wanted = most_of(wanted, shares, values.most)
            some = WorkingSet(wanted[:0], self._coordinates(wanted[:0]), values, self.bias**2)
        elif len(some) == some.values.most == len(pack):
            return some
        wanted = most_of(wanted, shares, some.values.most)
        stays = np.isin(some.examples, wanted)
        more = np.setdiff1d(wanted, some.examples)
        if np.count_nonzero(stays) < SHRINK * len(some) or len(some) + more.size > some.values.most:
            some.keep(np.flatnonzero(stays))
        if more.size:
            some.extend(more, self._coordinates(more), pack[as_slice(more)])
        return some

    def _new_values(self, pack: Pack, wanted: int) -> SetValues:
        """Return where the kernel values of a set come from, which has no examples yet."""
        is_small = wanted * wanted * np.dtype(pack.precision).itemsize <= SMALL_SQUARE
        if are_cheap(pack) and not is_small:
            return Recomputed(self.kernel, pack[:0])
        used = RESERVED + self._state.cached.nbytes + self._state.log_steps.nbytes
        return Kept(self.kernel, pack[:0], len(pack), max(LEAST_ROOM, self.working_memory - used))

    def _shrink(self, some: WorkingSet, found: Optimality) -> None:
        """Forget the examples of a set that are expected to stay without coefficients, if they are many."""
        assert self._pack is not None
        stays = some.nearest < 1 + MARGIN + found.gap
        if is_given(self._pack) or not self._is_cached or np.count_nonzero(stays) >= SHRINK * len(some):
            return
        self._close(some)
        left, _ = some.measure(self.rule, np.flatnonzero(~stays))
        self._beside = Sums._make(map(sum, zip(self._beside, left, strict=True)))
        some.keep(np.flatnonzero(stays))
        self._begin_to_work_on(some)

    def _write_back(self, some: WorkingSet) -> None:
        """Let the weights be what the coefficients of the set are; an example that has some gets a slot."""
        assert self._pack is not None
        new = some.examples[some.some.alpha.any(axis=0) & (self._slots[some.examples] < 0)]
        if new.size:
            self._state = with_room(self._state, new.size, False, False)
            self._slots[new] = self.count + np.arange(new.size)
            self._state.counts[0] += new.size
            self.remembered.append(self._pack[as_slice(new)], new)
        slots = self._slots[some.examples]
        there = slots >= 0
        v = self.weights.v.reshape(-1, self.columns)
        v[slots[there]] = (some.some.alpha * some.some.labels)[:, there].T

    def _close(self, some: WorkingSet) -> None:
        """Log what the coefficients of the set have become since it was opened, and keep its scores."""
        if not self._is_cached:
            return
        before = np.zeros(self.weights.v.size)
        before[: self._before.size] = self._before
        changes = (self.weights.v - before).reshape(-1, self.columns)
        slots = np.flatnonzero(changes.any(axis=1))
        self._state = with_room(self._state, slots.size, False, True)
        first = int(self._state.counts[1])
        self._state.log_slots[first : first + slots.size] = slots
        self._state.log_steps[first : first + slots.size] = changes[slots]
        self._state.counts[1] += slots.size
        self._state.cached[:, some.examples] = some.some.scores
        self._absorbed[some.examples] = self._state.counts[1]

    def measure(self) -> None:
        """Nothing, as long as a set is worked on."""
        if self._set is None:
            super().measure()

    def finish(self) -> None:
        """Let go of the examples, and forget those whose coefficients have returned to 0."""
        if self._set is not None and not isinstance(self._set.values, Recomputed):
            self.reuse = Reuse(len(self._set), self._set.moves, self._set.moves)
        super().finish()
        self._set = None
        self._labels, self._importance = self._labels[:0], self._importance[:0]
        self._place = self._before = np.empty(0)
        v = self.weights.v.reshape(-1, self.columns)
        needless = np.flatnonzero(~v.any(axis=1))
        if needless.size:
            self.release(needless)


def most_of(wanted: Integers, shares: Floats, most: int) -> Integers:
    """Return the examples that are wanted or, of too many, those with the largest shares of the gap."""
    if wanted.size <= most:
        return wanted
    return np.sort(wanted[np.argsort(-shares[wanted], kind="stable")[:most]])
