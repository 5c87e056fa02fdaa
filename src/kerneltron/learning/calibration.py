"""From scores to probabilities: one temperature per learner, found by scores of examples while it learns.

A score says which class is likelier, and not how much: that of a perceptron grows with every mistake. With
one positive number a for all columns, softmax(a s), or sigmoid(a s) for two classes, ranks the classes as the
scores do, so that the likeliest class is the one predicted. The temperature a is kept as a *sharpness*, a
times the mean size of the scores: it stays as it is while vectors grow. Two kinds of scores speak for
a sharpness: *fresh* ones, of examples that were not learned from yet, by the vector of that moment, which is
less certain than what predicts in the end; and those that *said* what predicts, of examples that it may have
learned from, which are too certain where it has learned them by heart. A geometric mean of both sharpnesses
is taken, in which the fresh one counts half where there are more features than visits, and less the fewer.

One outlier must not flatten the probabilities of all other examples. The scores of an example count for no
more than 8 times the mean size, or a quarter of all sizes so far: where larger ones come again and again, the
mean follows them exponentially. It is of the visits since the last power of 2 and, for a quarter each time,
of earlier ones, unless these are 8 times as large.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers

SHARPNESS = np.exp2(np.arange(-6.0, 10.0))  # those whose losses are summed up
UNIT = 2.0**-20  # of a loss: sums of whole numbers do not depend on their order
LARGEST = 2.0**15  # loss of an example
LEAST = 1e-150  # size of scores that a temperature can make up for
MOST_SPREAD = 1e300
FADES = 2  # bits that older losses lose whenever the number of visits has doubled
MOST = 0.5  # that fresh scores count beside the others,
VISITS = 10  # and half as much with so many visits for each feature
SURE = 64  # visits that were looked at
AT_A_TIME = 2**16  # numbers that losses are computed from
OFTEN = 128  # visits that are looked at between one power of 2 and the next
FAR = 8.0  # times the mean size that the scores of an example count at most,
PART = 0.25  # or of all sizes so far
TAIL = 0.95  # quantile of many sizes at once, which that is measured by
SUMS = ("weight", "size", "said_size", "beside", "share", "earlier_weight", "earlier_size")
NONE, ONE = np.zeros(0, np.int64), np.zeros(1, np.int64)


class Calibration(NamedTuple):
    """What is known of the sharpness of a learner, as sums over some of its visits; it is never changed.

    Parameters
    ----------
    seen
        Visits so far.
    fresh, said
        Log-losses, in units of 2^-20, at each of the sharpnesses: of scores before each update, and of what
        predicts.
    weight, size
        Of the fresh scores since the last power of 2: how many visits there are, and the sizes of their
        scores, added up.
    said_size, beside
        Of some visits, the sizes of the scores of what predicts, and those of the fresh scores, added up.
    share
        What the fresh losses count beside the others, in the logarithm of the sharpness.
    given
        The temperature, where no more than that is known.
    earlier_weight, earlier_size
        Like `weight` and `size`, of the visits before, which lose weight whenever their number has doubled.
    """

    seen: int = 0
    fresh: Integers = np.zeros(SHARPNESS.size, np.int64)
    said: Integers = np.zeros(SHARPNESS.size, np.int64)
    weight: float = 0.0
    size: float = 0.0
    said_size: float = 0.0
    beside: float = 0.0
    share: float = 0.5
    given: float | None = None
    earlier_weight: float = 0.0
    earlier_size: float = 0.0

    @property
    def mean_size(self) -> float:
        """The mean size of fresh scores."""
        weight = self.weight + self.earlier_weight
        return (self.size + self.earlier_size) / weight if weight else 0.0

    @property
    def temperature(self) -> float:
        """What the scores of what predicts are multiplied by."""
        if self.given is not None:
            return self.given
        spread = self.mean_size
        if self.beside > 0 and self.said_size > 0:
            spread *= self.said_size / self.beside
        known = [losses for losses in (self.fresh, self.said) if losses.any()]
        if not known or not spread > LEAST:
            return 1.0
        spread = min(spread, MOST_SPREAD)  # Winnow's scores come near the largest numbers there are
        first, last = sharpness(known[0]), sharpness(known[-1])
        found = exp(self.share * log(first) + (1.0 - self.share) * log(last)) / spread
        return float(f"{found:.6g}")  # the same one whatever the last digits of sums are

    @property
    def is_sure(self) -> bool:
        """Return whether it knows enough to be used where scores have a meaning of their own."""
        return self.given is not None or bool(self.said.any()) or self.weight + self.earlier_weight >= SURE

    def with_fresh(self, ticks: Integers, scores: Floats, codes: Integers, are_new: bool) -> "Calibration":
        """Add scores that examples had before they were learned from.

        Parameters
        ----------
        ticks
            The number of each visit, from 1.
        scores, codes
            One row, and the class, per visit.
        are_new
            Whether the examples were never learned from: otherwise only the size of their scores counts.
        """
        z, sizes = centred(scores)
        found = self
        for part in _octaves(ticks):
            if _is_power(int(ticks[part.start])):
                found = found._faded(are_new)
            there = np.flatnonzero(sizes[part]) + part.start
            found, spreads = found._with_sizes(sizes[there])
            if there.size and are_new:
                losses = _losses(_limited(z[there], sizes[there], spreads), codes[there])
                found = found._replace(fresh=found.fresh + losses)
        return found

    def _faded(self, are_new: bool) -> "Calibration":
        """Let what was before a power of 2 lose weight; forget sizes that those since the last one belie."""
        earlier_weight, earlier_size = self.earlier_weight, self.earlier_size
        if self.weight > 1.0 and earlier_size * self.weight > FAR * self.size * earlier_weight:
            earlier_weight = earlier_size = 0.0
        return self._replace(
            weight=0.0,
            size=0.0,
            earlier_weight=(self.weight + earlier_weight) / 2**FADES,
            earlier_size=(self.size + earlier_size) / 2**FADES,
            fresh=self.fresh >> FADES if are_new else self.fresh,
        )

    def _with_sizes(self, sizes: Floats) -> tuple["Calibration", Floats]:
        """Add sizes of fresh scores; return also the mean size up to and including each."""
        # Added up one by one, whatever the visits are cut into.
        weights = np.cumsum(np.concatenate([[self.weight], np.ones(sizes.size)]))
        totals = np.cumsum(np.concatenate([[self.size], sizes]))
        if (FAR * (totals + self.earlier_size)[:-1] < sizes * (weights + self.earlier_weight)[:-1]).any():
            for i, size in enumerate(sizes.tolist()):
                weight, total = weights[i] + self.earlier_weight, totals[i] + self.earlier_size
                most = max(FAR / weight, PART) * total if weight else size
                totals[i + 1] = totals[i] + min(size, most)
        found = self._replace(weight=float(weights[-1]), size=float(totals[-1]))
        return found, ((totals + self.earlier_size)[1:] / (weights + self.earlier_weight)[1:])

    def compared(self, ticks: Integers, said: Floats, fresh: Floats) -> "Calibration":
        """Add how large the scores of what predicts are beside the fresh ones of the same visits."""
        total, beside, most = self.said_size, self.beside, self.mean_size
        for tick, mine, other in zip(
            ticks.tolist(), centred(said)[1].tolist(), centred(fresh)[1].tolist(), strict=True
        ):
            if _is_power(tick):
                total, beside = total / 2**FADES, beside / 2**FADES
            part = min(1.0, FAR * most / max(mine, other)) if max(mine, other) > 0 else 1.0
            total, beside = total + part * mine, beside + part * other
        return self._replace(said_size=total, beside=beside)

    def parted(self) -> "Calibration":
        """Return it for s and -s in two columns: softmax(a (s, -s)) is sigmoid(2 a s), so a is halved."""
        return self._replace(size=2.0 * self.size, earlier_size=2.0 * self.earlier_size)

    def settled(self, said: Floats, codes: Integers, features: int = 0) -> "Calibration":
        """Return it with what predicts now, on many examples at once, in the place of all before.

        It may have learned these by heart if it has many `features`, numbers in each vector, for the visits
        so far: then the fresh scores count as much, with ten visits for each half as much, and else less.
        """
        z, sizes = centred(said)
        mean = float(np.minimum(sizes, FAR * np.quantile(sizes, TAIL)).mean()) if sizes.size else 0.0
        if not mean > LEAST:
            return self
        count, weight = float(len(said)), self.weight + self.earlier_weight or 1.0
        return self._replace(
            said=_losses(_limited(z, sizes, np.full(sizes.size, mean)), codes),
            weight=weight,
            size=weight * mean,
            said_size=count * mean,
            beside=count * mean,
            share=MOST * features / max(features + self.seen / VISITS, 1.0),
            earlier_weight=0.0,
            earlier_size=0.0,
        )

    def held_out(self, said: Floats, codes: Integers) -> "Calibration":
        """Return it with scores of examples that were held out, in the place of all before."""
        found = Calibration(self.seen).settled(said, codes)
        return found._replace(fresh=found.said)


def joined(parts: Sequence[Calibration | None], base: Calibration | None = None) -> Calibration | None:
    """Return the mean of what several learners know; None where one of them knows nothing.

    The visits of a `base` that all of them went on from count once.
    """
    known = [part for part in parts if part is not None and part.given is None]
    if len(known) < len(parts):
        return None
    before, count = 0 if base is None else base.seen, len(known)
    sums = {name: sum(getattr(part, name) for part in known) / count for name in SUMS}
    losses = {name: sum(getattr(part, name) // count for part in known) for name in ("fresh", "said")}
    return Calibration(before + sum(part.seen - before for part in known), **losses, **sums)


def sharpness(losses: Integers) -> float:
    """Return the sharpness with the least loss, between those that were tried.

    One more example is right and one is wrong: where all are right, it does not grow without bound.

    Examples
    --------
    >>> z, codes = np.array([[1.0], [1.0], [1.0], [-1.0]]), np.array([1, 1, 1, 1])
    >>> round(sharpness(_losses(z, codes)), 1)  # log(4 / 2) = 0.7, by a parabola through three losses
    0.6
    """
    total = losses * UNIT + np.logaddexp(0.0, SHARPNESS) + np.logaddexp(0.0, -SHARPNESS)
    best = min(max(int(total.argmin()), 1), SHARPNESS.size - 2)
    left, middle, right = total[best - 1 : best + 2].tolist()
    curvature = left - 2 * middle + right
    offset = (left - right) / (2 * curvature) if curvature > 0 else 0.0
    return float(SHARPNESS[best] * 2.0 ** min(max(offset, -1.0), 1.0))


def centred(scores: Floats) -> tuple[Floats, Floats]:
    """Return scores without what all classes have in common, and the mean size of those of each row."""
    z = np.clip(np.asarray(scores, np.float64), -MOST_SPREAD, MOST_SPREAD)
    if z.shape[1] > 1:
        z = z - z.mean(axis=1, keepdims=True)
    return z, np.abs(z).mean(axis=1)


def _limited(z: Floats, sizes: Floats, spreads: Floats) -> Floats:
    """Return scores in units of a spread for each row; those of far rows as if they were nearer."""
    return np.asarray(z / np.maximum(spreads, sizes / FAR)[:, None])


def sampled(seen: int, count: int, often: int = OFTEN) -> Integers:
    """Return which of `count` visits after `seen` others are looked at: it depends on their numbers alone.

    Examples
    --------
    >>> (sampled(0, 32, often=4) + 1).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32]
    """
    tick, end = seen + 1, seen + count + 1
    if count == 1:  # most calls of one row are not looked at, and must not pay for it
        return ONE if tick % max(1, (1 << (tick.bit_length() - 1)) // often) == 0 else NONE
    found = []
    while tick < end:
        power = 1 << (tick.bit_length() - 1)
        stride = max(1, power // often)
        found.append(np.arange(-(-tick // stride) * stride, min(2 * power, end), stride))
        tick = 2 * power
    return np.concatenate(found) - (seen + 1) if found else NONE


def _octaves(ticks: Integers) -> list[slice]:
    """Return the parts of increasing ticks that lie between a power of 2 and the next."""
    octaves = np.frexp(ticks)[1]
    cuts = [0, *(np.flatnonzero(np.diff(octaves)) + 1).tolist(), ticks.size]
    return [slice(a, b) for a, b in pairwise(cuts) if b > a]


def _is_power(tick: int) -> bool:
    """Return whether a tick is a power of 2, where what was before loses weight."""
    return tick & (tick - 1) == 0


def _losses(z: Floats, codes: Integers) -> Integers:
    """Return the log-losses of scores at each sharpness, added up, in units."""
    found = np.zeros(SHARPNESS.size, np.int64)
    rows = max(1, AT_A_TIME // (SHARPNESS.size * z.shape[1]))
    for first in range(0, len(z), rows):
        losses = _table(z[first : first + rows], codes[first : first + rows])
        found += np.rint(np.minimum(losses, LARGEST) / UNIT).astype(np.int64).sum(axis=1)
    return found


def _table(z: Floats, codes: Integers) -> Floats:
    """Return the log-loss at each sharpness, one column per row of scores."""
    if z.shape[1] == 1:
        return np.asarray(np.logaddexp(0.0, SHARPNESS[:, None] * np.where(codes == 1, -z[:, 0], z[:, 0])))
    many = SHARPNESS[:, None, None] * (z - z[np.arange(codes.size), codes][:, None])
    top = many.max(axis=2)
    return np.asarray(top + np.log(np.exp(many - top[:, :, None]).sum(axis=2)))
