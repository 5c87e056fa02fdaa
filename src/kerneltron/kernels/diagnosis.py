"""Does a kernel suit the data? What its Gram matrix and the labels say, before anything is learned."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron._validate import rows_of
from kerneltron.kernels.auto import has_open_width
from kerneltron.kernels.checking import evenly
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.search.candidates import rivals
from kerneltron.kernels.search.finding import FEWEST
from kerneltron.kernels.search.held_out import alignments, class_codes
from kerneltron.kernels.search.proposing import propose_sigma
from kerneltron.kernels.search.trying import Sample, Tried, evaluated, ranked, tried
from kerneltron.kernels.search.widths import of_distances, squared_distances

ALIKE = 0.99  # where cosines are above this on average, all examples look the same
ALONE = 0.1  # where half of the examples have no other with a cosine above this, each is alone
SHOWN = 5  # conflicts that are named
HELD_OUT = 500  # examples whose errors are compared, each when all others are known
SUITABLE = "Looks suitable"  # how praise begins
# What to do where all examples are alike, or each is alone: for rows of numbers, and for structures.
ALIKE_REMEDIES = (
    "centre or scale the columns, or raise the degree.",
    "compare larger parts of them, or take the best of kernels.propose(X, y).",
)
ALONE_REMEDIES = (
    "drop irrelevant columns, or take a smoother kernel.",
    "compare smaller parts of them, or take the best of kernels.propose(X, y).",
)


@dataclass(frozen=True)
class Diagnosis:
    """What `diagnose` found.

    `diagonality` is 1 minus the mean |cosine| of two examples: 0 if all are alike, 1 if each is similar only
    to itself. `spread` is the standard deviation of these cosines. `alignment` is the centred alignment with
    the labels (1 for the kernel that knows them, NaN if they do not differ), and `chance` the most that
    shuffled labels reached. `effective_dimension`, (sum of eigenvalues)^2 / sum of squared eigenvalues, lies
    between 1 and `rows`, the number of examples compared. `conflicts` counts pairs with the same
    representation and different labels; `first_conflicts` are some of them, as places in X.

    `error` is the share of at most 500 examples that is taken for another class when all others are known
    (see `kernels.search.held_out`), with its standard error; `majority` is that of a guess, and `rivals` are
    other kernels with theirs, the best first. There is nothing to compare with fewer than ten examples, or
    one class.
    """

    diagonality: float
    spread: float
    alignment: float
    chance: float
    effective_dimension: float
    rows: int
    total: int
    conflicts: int
    first_conflicts: tuple[tuple[int, int], ...]
    error: float
    standard_error: float
    majority: float
    rivals: tuple[tuple[Kernel, float], ...]
    advice: str

    def __str__(self) -> str:
        shown = ", ".join(f"{i} and {j}" for i, j in self.first_conflicts)
        more = ", ..." if self.conflicts > len(self.first_conflicts) else ""
        alike = _number(self.diagonality)
        lines = [
            f"examples             {self.rows} of {self.total}",
            f"diagonality          {alike}  (0: all alike, 1: each similar only to itself)",
            f"spread               {_number(self.spread)}  (of the cosines)",
            f"alignment            {self._alignment}",
            f"effective dimension  {self.effective_dimension:.1f}  (at most {self.rows})",
            f"conflicts            {self.conflicts}" + (f"  (rows {shown}{more})" if shown else ""),
            f"held-out error       {_number(self.error)}  (standard error {_number(self.standard_error)}; "
            f"the largest class alone: {self.majority:.3f})",
            *(f"{'instead':20} {error:.3f}  {rival}" for rival, error in self.rivals),
        ]
        return "\n".join([*lines, "", self.advice])

    @property
    def _alignment(self) -> str:
        if np.isnan(self.alignment):
            return "none   (all examples are alike to the kernel, or all labels are the same)"
        return f"{self.alignment:.3f}  (shuffled labels: up to {self.chance:.3f})"


def _number(value: float) -> str:
    """Return a number with three digits after the point, or that there is none."""
    return "none " if np.isnan(value) else f"{value:.3f}"


def diagnose(k: Kernel | str, X: Any, y: Any, most: int = 1000) -> Diagnosis:
    """Compare examples with each other and with their labels, and the kernel with others; advise.

    Others are the kernel with other widths, over scaled columns, and normalised, the inner product and,
    beside kernels without a width, a Gaussian. Takes O(n^2) comparisons of n examples, at most `most`, evenly
    spaced, and O(m^3) for each kernel and m of these, at most 500: about a second for rows of numbers.

    Parameters
    ----------
    k
        The kernel.
    X
        Examples.
    y
        One label for each.
    most
        How many examples to compare at most.

    References
    ----------
    Cortes, Mohri and Rostamizadeh (2012), Algorithms for learning kernels based on centered alignment.

    Examples
    --------
    >>> from kerneltron.kernels import Linear, diagnose
    >>> found = diagnose(Linear(), [[1, 0], [2, 0], [0, 1], [0, 2]], ["a", "a", "b", "b"])
    >>> round(found.alignment, 2), round(found.effective_dimension, 2), found.conflicts
    (0.9, 2.0, 0)
    """
    k = parse(k)
    if has_open_width(k):
        raise ValueError(f"{k} has no width yet, or no kernel: kernels.propose(X, y) ranks several.")
    if getattr(X, "dtype", None) == np.float32:
        X = X.astype(np.float64)  # in single precision, near examples look the same
    pack = k.pack(X)
    labels = class_codes(y, len(pack))
    places = evenly(len(pack), most)
    some, labels = pack[places], labels[places]
    gram = k.gram(some, some).astype(np.float64)
    gram = (gram + gram.T) / 2
    gram /= np.max(np.abs(gram)) or 1.0  # nothing below depends on the scale, and squares cannot overflow
    cosines = _cosines(gram)
    others = cosines[~np.eye(len(cosines), dtype=bool)]
    squares = float(np.sum(gram**2))
    pairs = _conflicts(gram, labels)
    alignment, chance = alignments(gram, labels)
    majority = 1 - float(np.bincount(labels).max()) / len(labels)
    own, others_tried = _compared(k, X, pack, places, labels)
    return Diagnosis(
        diagonality=1 - float(np.mean(np.abs(others))) if len(others) else np.nan,
        spread=float(np.std(others)) if len(others) else np.nan,
        alignment=alignment,
        chance=chance,
        effective_dimension=float(np.trace(gram)) ** 2 / squares if squares else 0.0,
        rows=len(places),
        total=len(pack),
        conflicts=len(pairs),
        first_conflicts=tuple((int(places[i]), int(places[j])) for i, j in pairs[:SHOWN]),
        error=own.error,
        standard_error=own.standard_error,
        majority=majority,
        rivals=tuple((rival.kernel, rival.error) for rival in others_tried),
        advice=_joined(
            _about_the_examples(k, X, cosines) or _about_the_labels(alignment, chance, places[pairs]),
            _about_rivals(k, own, majority, others_tried),
        ),
    )


def _compared(k: Kernel, X: Any, pack: Pack, places: Integers, labels: Anything) -> tuple[Tried, list[Tried]]:
    """Return what a kernel gets wrong, and what its rivals do, the best first."""
    among = evenly(len(places), HELD_OUT)
    some, codes = places[among], np.unique(labels[among], return_inverse=True)[1]
    if len(some) < FEWEST or not codes.any():
        return Tried(k, np.nan, np.nan), []
    own = evaluated(k, Sample(X, pack[some], codes))
    if isinstance(X, Pack):
        return own, []
    sample = Sample(X, rows_of(X, some), codes)
    return own, ranked(tried(rivals(k, sample.some), sample))


def _about_rivals(k: Kernel, own: Tried, majority: float, found: list[Tried]) -> str:
    """Say which other kernel is better by more than a standard error, or that none is."""
    if np.isnan(own.error):
        return ""
    errors = f"{k} gets {own.error:.1%} of held-out examples wrong"
    if not found:
        return f"{errors}, and the largest class alone {majority:.1%}; no other kernel was there to compare."
    best = found[0]
    errors += f", and {best.kernel} {best.error:.1%}"
    if best.error < own.error - own.standard_error:
        return f"{errors}: take that instead, or the best of kernels.propose(X, y)."
    if own.error >= majority:
        return f"{errors}: no better than the largest class alone. Take other features."
    return f"{SUITABLE}: {errors}, the best that it was compared with."


def _joined(first: str, second: str) -> str:
    """Return both parts of an advice; a kernel with which something is wrong does not look suitable."""
    if first and (not second or second.startswith(SUITABLE)):
        return first
    return f"{first} {second}".strip() or "There are too few examples to compare kernels."


def _cosines(gram: Floats) -> Floats:
    """Return the cosines of the examples that have a direction: those with k(x, x) above 0."""
    norms = np.sqrt(np.maximum(np.diag(gram), 0))
    kept = norms > 0
    cosines: Floats = gram[np.ix_(kept, kept)] / norms[kept] / norms[kept, None]
    return cosines


def _conflicts(gram: Floats, labels: Anything) -> Anything:
    """Return the pairs that are the same to the kernel, but not to the labels."""
    same = squared_distances(gram) == 0
    return np.argwhere(np.triu(same & (labels[:, None] != labels[None, :]), 1))


def _about_the_examples(k: Kernel, X: Any, cosines: Floats) -> str:
    """Return what is wrong with the similarities, whatever the labels, and what to do about it."""
    if len(cosines) < 2:
        return "There are fewer than two examples with k(x, x) above 0, so there is nothing to compare."
    others = (np.sum(cosines) - np.trace(cosines)) / (len(cosines) * (len(cosines) - 1))
    if others > ALIKE:
        remedy = _width(k, X, "large") or _remedy(k, ALIKE_REMEDIES)
        return f"All examples are almost alike to this kernel: {remedy}"
    copies = np.triu(cosines > 1 - 1e-12, 1).any(axis=0)  # of earlier examples
    apart = np.abs(cosines[np.ix_(~copies, ~copies)])
    np.fill_diagonal(apart, 0.0)
    if 4 * len(apart) > len(cosines) and np.median(apart.max(axis=1)) < ALONE:
        remedy = _width(k, X, "small") or _remedy(k, ALONE_REMEDIES)
        return f"Every example is similar only to itself, so that nothing generalises: {remedy}"
    return ""


def _about_the_labels(alignment: float, chance: float, conflicts: Anything) -> str:
    """Return what the labels say about a kernel that tells examples apart."""
    if len(conflicts):
        i, j = conflicts[0]
        return (
            f"{len(conflicts)} pairs of examples with different labels are the same to this kernel, as {i} "
            f"and {j}: no learner gets both right. Give the learner a delta, or take richer features."
        )
    if np.isnan(alignment):
        return "All labels are the same: there is nothing to learn."
    if alignment <= chance:
        return (
            "The labels are unrelated to this kernel: it fits shuffled labels as well. Take other features."
        )
    return ""


def _remedy(k: Kernel, remedies: tuple[str, str]) -> str:
    """Return what to do for rows of numbers, or else for structures, which have no columns."""
    return remedies[0] if k.domain in OF_NUMBERS else remedies[1]


def _width(k: Kernel, X: Any, size: str) -> str:
    """Return what to do about the first width in a kernel, or nothing if there is none."""
    found = next(of_distances(k), None)
    if found is None:
        return ""
    return f"sigma={found.sigma:.3g} is too {size}, try sigma={propose_sigma(X, over=found.over):.3g}."
