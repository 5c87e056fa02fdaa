"""Coefficients of a support vector machine in dual form climb to the optimum of a box-constrained problem.

Passes go over a working set, of examples whose scores are always up to date. The first set is a part of the
examples, drawn at random. When a set has little left to gain, the scores of all examples are brought up to
date, and the duality gap is known: it is small enough, or the next set has all examples with something to
gain.
"""

from copy import copy
from math import inf
from typing import Self

import numpy as np

from kerneltron._types import Floats, Integers, Visits
from kerneltron.engine.ascent import Coordinates, Sums, measure_gap
from kerneltron.kernels.cost import are_cheap
from kerneltron.kernels.pack import Pack, as_slice
from kerneltron.kernels.precomputed import given_matrix, is_given
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.models.dual_walk import DualWalk
from kerneltron.models.kept_rows import Reuse
from kerneltron.models.kernel_expansion import VISITS
from kerneltron.models.labels import labels_of
from kerneltron.models.optimality import Optimality
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
SMALL_SQUARE = 2**25  # bytes of kernel values that are kept even if they are cheap
LEAST_ROOM = 2**24  # bytes for the kernel values of a set, whatever the working memory is
EXAMPLES = 8192  # examples whose shares of the gap are computed at a time
NOTHING = Sums(0.0, 0.0, 0.0, 0.0)


class DualClimb:
    """The coefficients of the examples of a call, and the working set that is visited.

    Parameters
    ----------
    walk
        The examples, with their scores.
    visits
        All examples that passes may visit, once.
    tolerance
        The relative duality gap that is aimed at.
    working_memory
        Bytes that may be used.
    """

    def __init__(self, walk: DualWalk, visits: Visits, tolerance: float, working_memory: int) -> None:
        self.walk, self.learned, self.rule, self.rows = walk, walk.learned, walk.rule, walk.rows
        self.kernel, self.constant = walk.learned.kernel, walk.learned.bias**2
        self.tolerance, self.working_memory = tolerance, working_memory
        self._check_tolerance()
        if not visits.order.size:
            raise ValueError("all examples have the weight 0: there is nothing to learn from.")
        count, columns = len(self.rows), self.learned.columns
        self._labels = np.zeros((count, columns), np.int8)
        self._importance = np.zeros(count)
        self._labels[visits.order] = labels_of(visits.codes, columns)
        self._importance[visits.order] = visits.importance
        self._beside = NOTHING  # of the examples that are not in the set, when they were last looked at
        self._passes = self._updates_before = 0  # passes over the set, and updates before the last one
        self._clip()
        self._set: WorkingSet | None = None
        self._sweep(is_last=False)

    def _check_tolerance(self) -> None:
        least = 8 * float(np.finfo(self.rows.precision).eps)
        if self.tolerance < least:
            raise ValueError(
                f"tol={self.tolerance:g} is below what {np.dtype(self.rows.precision)} can tell, "
                f"{least:.0e}: give a larger one, or rows of float64."
            )

    @property
    def working_set(self) -> WorkingSet:
        """The examples that are visited now."""
        assert self._set is not None
        return self._set

    @property
    def updates(self) -> int:
        """How often a coefficient has moved."""
        return int(self.learned.state.weights.updates.sum())

    @property
    def reuse(self) -> Reuse | None:
        """How often kernel values of the set were of use; None where it keeps none."""
        some = self.working_set
        return None if isinstance(some.values, Recomputed) else Reuse(len(some), some.moves, some.moves)

    def of(self, walk: DualWalk) -> Self:
        """Return the same climb, of a copy."""
        other = copy(self)
        other.walk, other.learned = walk, walk.learned
        return other

    def visit(self, examples: Integers, mistakes: Integers) -> None:
        """Visit some examples of the set, and count the mistakes."""
        some, weights = self.working_set, self.learned.state.weights
        moves = some.visit(self.rule, self._place[examples], mistakes)
        self._visit_again(some, examples, moves)
        if not np.isfinite(some.some.scores).all():
            raise self._overflow()
        weights.clock[:] += examples.size
        weights.updates[:] += moves
        self._write_back(some)

    def _visit_again(self, some: WorkingSet, examples: Integers, moves: Integers) -> None:
        """Visit a small set several times: a pass makes about as many visits as there are examples."""
        again = min(AGAIN, int(np.count_nonzero(self._importance)) // len(some)) - 1
        nobody = np.zeros(self.learned.columns, np.int64)
        for number in range(again):
            seed = [int(self.learned.state.weights.clock[0]), number]
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
        some = self.working_set
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
        coordinates = np.count_nonzero(self._importance) * self.learned.columns
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
            self.walk.forget_log()
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
        scores = np.empty((self.learned.columns, examples.size))
        for first in range(0, examples.size, VISITS):
            part = slice(first, first + VISITS)
            scores[:, part] = self.walk.scores_of(examples[part]).T
        slots, labels = self.walk.slots[examples], self._labels[examples]
        alpha = np.zeros(labels.shape)
        there = slots >= 0
        alpha[there] = self.learned.v[slots[there]] * labels[there]
        signs, alpha = np.ascontiguousarray(labels.T), np.ascontiguousarray(alpha.T)
        return Coordinates(scores, alpha, signs, self._importance[examples], self.walk.q[examples])

    def _clip(self) -> None:
        """Bring coefficients of before to where they may be now; an example that does not count has none."""
        examples = np.flatnonzero(self.walk.slots >= 0)
        labels, slots = self._labels[examples], self.walk.slots[examples]
        v = self.learned.v
        importance = self._importance[examples][:, None]
        cap = np.where(importance > 0, self.rule.cap, 0.0) * np.where(importance > 0, importance, 1.0)
        v[slots] = labels * np.clip(v[slots] * labels, 0.0, cap)

    # -- the working set -----------------------------------------------------------------------------

    def _open(self, found: Optimality, total: Sums, shares: Floats, nearest: Floats) -> None:
        """Choose the examples that have something to gain, or may soon have, and begin to work on them."""
        examples, least = np.flatnonzero(self._importance), self._least(found)
        wanted: Integers = np.flatnonzero((shares > least) | (nearest < 1 + MARGIN))
        if least == inf:  # it begins where it is to end, with coefficients of before
            wanted = wanted[:0]
        self._is_first = self.learned.count == 0 and examples.size > SMALL and not are_cheap(self.rows)
        if self._set is not None and not are_cheap(self.rows):
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
        self._before = self.learned.v.copy()

    def _chosen_set(self, wanted: Integers, shares: Floats) -> WorkingSet:
        """Return a set of the examples that are wanted, or that matter most: the one before, changed."""
        pack, some = self.rows, self._set
        if some is None:
            if is_given(pack):
                every = np.arange(len(pack))
                return WorkingSet(every, self._coordinates(every), Given(given_matrix(pack)), self.constant)
            values = self._new_values(pack, wanted.size)
            wanted = most_of(wanted, shares, values.most)
            some = WorkingSet(wanted[:0], self._coordinates(wanted[:0]), values, self.constant)
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
        state = self.learned.state
        used = RESERVED + state.cached.nbytes + state.log_steps.nbytes
        return Kept(self.kernel, pack[:0], len(pack), max(LEAST_ROOM, self.working_memory - used))

    def _shrink(self, some: WorkingSet, found: Optimality) -> None:
        """Forget the examples of a set that are expected to stay without coefficients, if they are many."""
        stays = some.nearest < 1 + MARGIN + found.gap
        if is_given(self.rows) or not self.walk.is_cached or np.count_nonzero(stays) >= SHRINK * len(some):
            return
        self._close(some)
        left, _ = some.measure(self.rule, np.flatnonzero(~stays))
        self._beside = Sums._make(map(sum, zip(self._beside, left, strict=True)))
        some.keep(np.flatnonzero(stays))
        self._begin_to_work_on(some)

    def _write_back(self, some: WorkingSet) -> None:
        """Let the weights be what the coefficients of the set are; an example that has some gets a slot."""
        slots = self.walk.slots
        self.walk.remember(some.examples[some.some.alpha.any(axis=0) & (slots[some.examples] < 0)])
        mine = slots[some.examples]
        there = mine >= 0
        self.learned.v[mine[there]] = (some.some.alpha * some.some.labels)[:, there].T

    def _close(self, some: WorkingSet) -> None:
        """Log what the coefficients of the set have become since it was opened, and keep its scores."""
        if self.walk.is_cached:
            changes = self.learned.v.copy()
            changes[: len(self._before)] -= self._before
            slots = np.flatnonzero(changes.any(axis=1))
            self.walk.log(slots, changes[slots])
            self.walk.keep_scores(some.examples, some.some.scores)


def most_of(wanted: Integers, shares: Floats, most: int) -> Integers:
    """Return the examples that are wanted or, of too many, those with the largest shares of the gap."""
    if wanted.size <= most:
        return wanted
    return np.sort(wanted[np.argsort(-shares[wanted], kind="stable")[:most]])
