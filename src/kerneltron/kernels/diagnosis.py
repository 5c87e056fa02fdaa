"""Does a kernel suit the data? What its Gram matrix and the labels say, before anything is learned."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import check_labels
from kerneltron.kernels.after import After
from kerneltron.kernels.checking import evenly
from kerneltron.kernels.distances import OfDistance
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.width import one_each, propose_sigma, squared_distances

ALIKE = 0.99  # where cosines are above this on average, all examples look the same
ALONE = 0.1  # where half of the examples have no other with a cosine above this, each is alone
SHUFFLES = 30  # of the labels, to see which alignment chance gives
SHOWN = 5  # conflicts that are named


@dataclass(frozen=True)
class Diagnosis:
    """What `diagnose` found.

    `diagonality` is 1 minus the mean |cosine| of two examples: 0 if all are alike, 1 if each is similar only
    to itself. `spread` is the standard deviation of these cosines. `alignment` is the centred alignment with
    the labels (1 for the kernel that knows them, NaN if they do not differ), and `chance` the most that
    shuffled labels reached. `effective_dimension`, (sum of eigenvalues)^2 / sum of squared eigenvalues, lies
    between 1 and `rows`, the number of examples compared. `conflicts` counts pairs with the same
    representation and different labels; `first_conflicts` are some of them, as places in X.
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
    advice: str

    def __str__(self) -> str:
        shown = ", ".join(f"{i} and {j}" for i, j in self.first_conflicts)
        more = ", ..." if self.conflicts > len(self.first_conflicts) else ""
        lines = [
            f"examples             {self.rows} of {self.total}",
            f"diagonality          {self.diagonality:.3f}  (0: all alike, 1: each similar only to itself)",
            f"spread               {self.spread:.3f}  (of the cosines)",
            f"alignment            {self.alignment:.3f}  (shuffled labels: up to {self.chance:.3f})",
            f"effective dimension  {self.effective_dimension:.1f}  (at most {self.rows})",
            f"conflicts            {self.conflicts}" + (f"  (rows {shown}{more})" if shown else ""),
        ]
        return "\n".join([*lines, "", self.advice])


def diagnose(k: Kernel | str, X: Any, y: Any, most: int = 1000) -> Diagnosis:
    """Compare examples with each other and with their labels, and advise.

    Takes O(n^2) comparisons of n examples, at most `most`, evenly spaced.

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
    if getattr(X, "dtype", None) == np.float32:
        X = X.astype(np.float64)  # in single precision, near examples look the same
    pack = k.pack(X)
    labels = _codes(y, len(pack))
    places = evenly(len(pack), most)
    some, labels = pack[places], labels[places]
    gram = k.gram(some, some).astype(np.float64)
    gram = (gram + gram.T) / 2
    gram /= np.max(np.abs(gram)) or 1.0  # nothing below depends on the scale, and squares cannot overflow
    cosines = _cosines(gram)
    others = cosines[~np.eye(len(cosines), dtype=bool)]
    squares = float(np.sum(gram**2))
    pairs = _conflicts(gram, labels)
    alignment, chance = _alignment(gram, labels)
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
        advice=_about_the_examples(k, X, cosines) or _about_the_labels(alignment, chance, places[pairs]),
    )


def _codes(y: Any, n: int) -> Anything:
    """Return the labels as whole numbers."""
    check_labels(y)
    labels = one_each(y, n)
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        row = np.flatnonzero(np.isnan(labels))[0]
        raise ValueError(f"y holds NaN in row {row}: drop the rows without a label.")
    return np.unique(labels, return_inverse=True)[1]


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


def _alignment(gram: Floats, labels: Anything) -> tuple[float, float]:
    """Return the cosine of the centred Gram matrix and that of the labels, and its maximum over shuffles."""
    members = np.eye(labels.max() + 1)[labels]
    members -= members.mean(axis=0)
    centred = gram - gram.mean(axis=0)
    centred -= centred.mean(axis=1, keepdims=True)
    lengths = float(np.linalg.norm(centred) * np.linalg.norm(members.T @ members))
    largest = float(np.max(np.abs(gram)))
    if not np.linalg.norm(centred) > 1e-12 * len(gram) * largest or lengths == 0:
        return np.nan, np.nan
    generator = np.random.default_rng(0)
    shuffled = [generator.permutation(members) for _ in range(SHUFFLES)]
    values = [float(np.sum(members * (centred @ members))) / lengths for members in [members, *shuffled]]
    return values[0], max(values[1:])


def _about_the_examples(k: Kernel, X: Any, cosines: Floats) -> str:
    """Return what is wrong with the similarities, whatever the labels, and what to do about it."""
    if len(cosines) < 2:
        return "There are fewer than two examples with k(x, x) above 0, so there is nothing to compare."
    others = (np.sum(cosines) - np.trace(cosines)) / (len(cosines) * (len(cosines) - 1))
    if others > ALIKE:
        remedy = _width(k, X, "large") or "centre or scale the columns, or raise the degree."
        return f"All examples are almost alike to this kernel: {remedy}"
    copies = np.triu(cosines > 1 - 1e-12, 1).any(axis=0)  # of earlier examples
    apart = np.abs(cosines[np.ix_(~copies, ~copies)])
    np.fill_diagonal(apart, 0.0)
    if 4 * len(apart) > len(cosines) and np.median(apart.max(axis=1)) < ALONE:
        remedy = _width(k, X, "small") or "drop irrelevant columns, or take a smoother kernel."
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
    return "Looks suitable."


def _width(k: Kernel, X: Any, size: str) -> str:
    """Return what to do about the first width in a kernel, or nothing if there is none."""
    found = next(_of_distances(k), None)
    if found is None:
        return ""
    return f"sigma={found.sigma:.3g} is too {size}, try sigma={propose_sigma(X, over=found.over):.3g}."


def _of_distances(k: Kernel) -> Iterator[OfDistance]:
    if isinstance(k, OfDistance):
        yield k
    elif not isinstance(k, After):  # behind it stand other examples than X
        for part in k._parts():
            yield from _of_distances(part)
