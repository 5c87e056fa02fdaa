"""What weights have gained since they were as others are: the algebra of models that went on from one.

With base w_b, a delta says of each of its vectors

    w = (1 - fading) w_b + change        sum of the vectors since = mass w_b + examples * mean

where `change` and `mean` are 0 in every slot that no example has touched: `fading` and `mass` stand for what
shrinking alone does to a vector. So a delta holds few slots where few have changed. For shares a_i that sum
to 1, the mix of several is

    w = (1 - sum_i a_i fading_i) w_b + sum_i a_i change_i

while examples, updates and sums of vectors are base + sum_i delta_i; of what a rule keeps for each weight,
each part counts as its term says. Sums are taken in double precision, in a tree over the numbers of the
parts, which `grouped` alone defines: the result does not depend on which part was there first, nor on where
each sum was taken.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from kerneltron._types import Anything, Floats, Integers, Weights
from kerneltron.engine.declared import declared
from kerneltron.models.weights import measure

PIECE = 2**16  # rows of weights that are mixed at a time, in double precision
SPARSE = 0.5  # of the slots have changed, at most, where a delta names them
FAN = 8  # deltas that are added up at a time
COUNTS = ("mass", "clock", "updates")  # of a delta, one number per column
ARRAYS = ("change", "mean", "negative", "kept")

Node = TypeVar("Node")


class Delta(NamedTuple):
    """What some weights have gained since; arrays are empty where a rule or a hypothesis has no use for them.

    `change`, `mean`, `negative` and `kept` have one row per slot, of the precision of the weights. In a sum
    of deltas they are of double precision, the shares are in them, and `mean` is a sum.
    """

    slots: Integers | None  # sorted; None for all
    size: int  # number of all slots
    change: Floats
    mean: Floats  # of the vectors after each example, without the part `mass` of the base
    negative: Floats  # of rules with two positive vectors, the second
    kept: Floats  # what a rule keeps for each weight
    fading: Floats  # one number per column, and so below
    mass: Floats
    clock: Integers
    updates: Integers
    is_whole: bool = False  # `change` and `mean` are the vectors themselves: nothing of the base is in them
    is_sum: bool = False

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return sum(array.nbytes for array in self if isinstance(array, np.ndarray))


def difference(weights: Weights, base: Weights, rule: Any, exact: bool = False) -> Delta:
    """Return what `weights`, which went on from `base`, have gained; if `exact`, all in double precision.

    Examples
    --------
    >>> from kerneltron.engine.rules.perceptron import PerceptronRule
    >>> from kerneltron.models.weights import blank, copy
    >>> rule = PerceptronRule(1.0, 0.0)
    >>> base = blank(rule, 6, 1, "f4", averaging=False)
    >>> now = copy(base)
    >>> now.v[2] = 5.0
    >>> difference(now, base, rule).slots, difference(now, base, rule).change
    (array([2], dtype=int32), array([[5.]], dtype=float32))
    """
    # A weight that is multiplied may fall by many orders of magnitude: as a change of the base it would be 0.
    is_relative = not declared(rule).is_multiplicative
    columns = base.scale.size
    slots = _touched(weights, base) if is_relative else None
    scale, mass = base.scale, weights.mass - base.mass
    clock = weights.clock - base.clock
    count = base.v.size // columns if slots is None else slots.size
    arrays: dict[str, Any] = {
        name: np.empty(
            (count if array.size else 0, columns),
            np.float64 if exact else _precision(array, weights.v.dtype),
        )
        for name, array in (
            ("change", weights.v),
            ("mean", weights.u),
            ("negative", weights.negative),
            ("kept", weights.kept),
        )
    }
    for where, rows in _rows(slots, count):
        now, then = _Rows(weights, rows), _Rows(base, rows)
        if is_relative:
            arrays["change"][where] = weights.scale * (now.v - then.v)
            sums = weights.mass * (now.v - then.v) - (now.u - then.u)
        else:
            arrays["change"][where] = weights.scale * now.v
            sums = now.summed() - then.summed()
        if weights.u.size:
            arrays["mean"][where] = sums / np.maximum(clock, 1)
        if weights.negative.size:
            arrays["negative"][where] = now.negative
        if weights.kept.size:
            arrays["kept"][where] = now.kept - then.kept
    nothing = np.zeros(columns)
    return Delta(
        slots=slots,
        size=base.v.size // columns,
        **arrays,
        fading=1.0 - weights.scale / scale if is_relative else nothing,
        mass=mass / scale if is_relative else nothing,
        clock=clock,
        updates=weights.updates - base.updates,
        is_whole=not is_relative,
    )


def sums_anew(weights: Weights, own: bool) -> Weights:
    """Return weights whose sum of vectors begins now: what they gain from here on is the same.

    Sums that nobody writes to take no memory, and are not moved. With `own`, the weights may be changed.
    """
    begun = weights._replace(u=np.zeros(weights.u.size), mass=np.zeros_like(weights.mass))
    if not own:
        return begun
    changing = {name: array.copy() for name, array in begun._asdict().items() if name != "u"}
    return begun._replace(**changing)


def grouped(nodes: Sequence[Node], add: Callable[[Sequence[Node]], Node]) -> list[Node]:
    """Return at most FAN nodes that stand for all: groups of neighbours are added up until so few are left.

    Examples
    --------
    >>> grouped([1] * 20, sum)
    [8, 8, 4]
    """
    nodes = list(nodes)
    while len(nodes) > FAN:
        nodes = [add(nodes[first : first + FAN]) for first in range(0, len(nodes), FAN)]
    return nodes


class Term(NamedTuple):
    """A delta as it counts in a mix, or a sum of such ones, which counts whole."""

    delta: Delta
    share: float = 1.0  # of the vectors
    kept_share: float = 1.0  # of what a rule keeps for each weight: 1 where that adds up
    examples: Floats | None = None  # that its mean stands for, one number per column; None: those it has seen

    def factor(self, name: str) -> Any:
        """Return what one of its arrays is multiplied by."""
        if self.delta.is_sum:
            return 1.0
        examples = self.delta.clock if self.examples is None else self.examples
        return {"mean": examples.astype(np.float64), "kept": self.kept_share}.get(name, self.share)

    @property
    def fading(self) -> Floats:
        """How much of the base it takes away."""
        return np.asarray(self.factor("fading") * self.delta.fading)


def added(terms: Sequence[Term]) -> Term:
    """Return the sum of terms, from the first to the last."""
    first = terms[0].delta
    slots = _united([term.delta.slots for term in terms], first.size)
    count = first.size if slots is None else slots.size
    arrays: dict[str, Any] = {}
    for name in ARRAYS:
        parts = [(term, getattr(term.delta, name)) for term in terms]
        is_there = any(part.size for _, part in parts)
        arrays[name] = total = np.zeros((count if is_there else 0, first.fading.size))
        for term, part in parts:
            own = term.delta.slots
            where: Any = slice(None)
            if own is not None:
                where = own if slots is None else np.searchsorted(slots, own)
            if part.size:
                total[where] += np.float64(1.0) * term.factor(name) * part
    return Term(first._replace(slots=slots, **arrays, **_totals(terms), is_sum=True))


def _totals(terms: Sequence[Term]) -> dict[str, Any]:
    """Return the sums of what terms have one number per column of."""
    return {
        "fading": _sum([term.fading for term in terms]),
        **{name: _sum([getattr(term.delta, name) for term in terms]) for name in COUNTS},
    }


def mixed(base: Weights, terms: Sequence[Term]) -> Weights:
    """Return weights that have gained what terms say together.

    What is kept in double precision is rounded to that of the weights, in which models move.
    """
    terms = grouped(terms, added)
    total = _totals(terms)
    clock, updates = base.clock + total["clock"], base.updates + total["updates"]
    merged = Weights(
        v=np.empty_like(base.v),
        u=np.empty_like(base.u),
        negative=np.empty_like(base.negative),
        kept=np.empty_like(base.kept),
        scale=np.ones_like(base.scale),
        mass=clock.astype(np.float64),
        norm=np.zeros_like(base.norm),
        drift=np.zeros_like(base.drift),
        clock=clock,
        updates=updates,
    )
    columns, precision = base.scale.size, base.v.dtype
    count = base.v.size // columns
    # From 1, not as a sum of shares: a round without a move leaves every bit as it was.
    stays = 0.0 if terms[0].delta.is_whole else 1.0 - total["fading"]
    for first in range(0, count, PIECE):
        rows = slice(first, min(first + PIECE, count))
        then = _Rows(base, rows)
        w = base.scale * then.v
        gained = {name: _gained(terms, name, rows) for name in ARRAYS}
        now = (stays * w + gained["change"]).astype(precision)
        _put(merged.v, rows, now)
        if base.negative.size:
            negative = gained["negative"].astype(precision)
            _put(merged.negative, rows, negative)
            now = now.astype(np.float64) - negative
        if base.kept.size:
            _put(merged.kept, rows, _rounded(then.kept + gained["kept"], precision))
        if base.u.size:
            # From the weights as they were rounded: the average is then exact.
            past = then.summed() + total["mass"] * w + gained["mean"]
            _put(merged.u, rows, _rounded(merged.mass * now - past, precision))
    measure(merged)
    return merged


def _precision(array: Anything, wanted: Any) -> Any:
    """Return the precision in which a delta holds an array: double where single cannot."""
    most = max(array.max(initial=0.0), -array.min(initial=0.0))
    return wanted if most < np.finfo(wanted).max / 4 else np.float64


class _Rows:
    """Some rows of weights, in double precision."""

    def __init__(self, weights: Weights, rows: Any) -> None:
        self.mass, columns = weights.mass, weights.scale.size
        for name in ("v", "u", "negative", "kept"):
            array = getattr(weights, name)
            found = array.reshape(-1, columns)[rows].astype(np.float64) if array.size else 0.0
            setattr(self, name, found)

    v: Any
    u: Any
    negative: Any
    kept: Any

    def summed(self) -> Any:
        """Return the sum of all vectors so far."""
        return self.mass * (self.v - self.negative) - self.u


def _touched(weights: Weights, base: Weights) -> Integers | None:
    """Return the slots in which anything changed; None where they are too many to be named."""
    columns, found = base.scale.size, []
    count = base.v.size // columns
    for first in range(0, count, PIECE):
        part = slice(first * columns, (first + PIECE) * columns)
        differs = weights.v[part] != base.v[part]
        for now, then in ((weights.u, base.u), (weights.kept, base.kept)):
            if now.size:
                differs |= now[part] != then[part]
        found.append(first + np.flatnonzero(differs.reshape(-1, columns).any(axis=1)))
    slots = np.concatenate(found) if found else np.zeros(0, np.int64)
    return None if slots.size > SPARSE * count else slots.astype(np.int32)


def _rows(slots: Integers | None, count: int) -> Iterator[tuple[slice, Any]]:
    """Yield places in a delta's arrays, and the rows of the weights that they stand for."""
    for first in range(0, count, PIECE):
        where = slice(first, min(first + PIECE, count))
        yield where, where if slots is None else slots[where]


def _united(slots: Sequence[Integers | None], size: int) -> Integers | None:
    """Return all slots of several; None where they are too many to be named."""
    named = [each for each in slots if each is not None]
    if len(named) < len(slots):
        return None
    united = np.unique(np.concatenate(named))
    return None if united.size > SPARSE * size else united


def _gained(terms: Sequence[Term], name: str, rows: slice) -> Any:
    """Return the sum of some rows of an array of all terms, from the first to the last."""
    total = np.zeros((rows.stop - rows.start, terms[0].delta.fading.size))
    for term in terms:
        array, slots = getattr(term.delta, name), term.delta.slots
        factor = np.float64(1.0) * term.factor(name)  # NumPy would multiply in single precision
        if not array.size:
            continue
        if slots is None:
            total += factor * array[rows]
        else:
            first, last = np.searchsorted(slots, [rows.start, rows.stop])
            total[slots[first:last] - rows.start] += factor * array[first:last]
    return total


def _rounded(values: Any, precision: Any) -> Any:
    """Return numbers of double precision as those of another can be, but for those that it cannot hold."""
    with np.errstate(over="ignore"):
        rounded = values.astype(precision)
    return np.where(np.isfinite(rounded), rounded, values)


def _sum(arrays: Sequence[Anything]) -> Any:
    """Return a sum from the first to the last."""
    total = arrays[0].copy()
    for array in arrays[1:]:
        total += array
    return total


def _put(array: Anything, rows: slice, values: Any) -> None:
    columns = values.shape[1]
    array[rows.start * columns : rows.stop * columns] = values.reshape(-1)
