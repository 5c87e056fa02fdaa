"""The Delta trick: how to be separable with data that are not.

Let every example have a feature of its own, of value Delta. If a unit vector u separates the data with
margin gamma but for deviations d_i = max(0, gamma - y_i <u, x_i>), then the longer examples are separated,
and the perceptron makes at most (R^2 + Delta^2)(1 + D^2 / Delta^2) / gamma^2 mistakes, D^2 = sum_i d_i^2. The
best Delta is sqrt(R D), with the bound (R + D)^2 / gamma^2.

Freund and Schapire, Large margin classification using the perceptron algorithm (1999), theorem 2.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Visits
from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.models.dual import Dual
from kerneltron.models.labels import labels_of

SAMPLE = 2000  # examples that are looked at


def best_delta(margins: Floats, radius: float, repeats: float = 1.0) -> float:
    """Return sqrt(R D) for the margin gamma whose bound (R + D)^2 / gamma^2 is the least.

    Parameters
    ----------
    margins
        y_i <u, x_i> of a unit vector u, negative where it is wrong.
    radius
        R, the largest norm.
    repeats
        How many examples each margin stands for.

    Examples
    --------
    >>> import numpy as np
    >>> best_delta(np.array([1.0, 1.0, 1.0]), radius=2.0)
    0.0
    >>> f"{best_delta(np.array([1.0, 1.0, -1.0]), radius=2.0):.3f}"
    '2.000'
    """
    margins = np.asarray(margins, np.float64)
    positive = margins[margins > 0]
    if positive.size == 0:
        return float(radius)
    gammas = np.unique(np.quantile(positive, np.linspace(0, 1, 65)))
    deviations = np.maximum(0.0, gammas - margins[:, None])
    D = np.sqrt(repeats * np.square(deviations).sum(axis=0))
    best = np.argmin((radius + D) / gammas)
    return float(np.sqrt(radius * D[best]))


class Sample(NamedTuple):
    """Examples as a kernel packs them, their classes (or labels of tasks), and how many columns learn."""

    pack: Pack
    codes: Anything
    columns: int


def propose_delta(kernel: Kernel, given: Sample, bias: float, seed: int) -> float:
    """Approximate sqrt(R D) for data: u is an averaged perceptron after one pass over a part of them.

    Parameters
    ----------
    kernel
        The inner product.
    given
        The data.
    bias
        Value of the constant feature.
    seed
        Which part of the data is looked at follows from it.
    """
    n = len(given.codes)
    chosen = np.sort(np.random.default_rng(seed).permutation(n)[:SAMPLE])
    pack, codes = given.pack[chosen], given.codes[chosen]
    model = Dual(PerceptronRule(1.0, 0.0), kernel, given.columns, bias=bias, hypothesis="average")
    with model.visiting(pack):
        model.learn(Visits(np.arange(len(codes)), codes, np.ones(len(codes))))
    scores = model.scores(pack)
    slots, coefficients = model.support()
    norms = np.sqrt(np.maximum((coefficients * scores[model.remembered.origins[slots]]).sum(axis=0), 0.0))
    labels = labels_of(codes, given.columns)
    margins = labels * scores / np.where(norms > 0, norms, 1.0)
    radius = float(np.sqrt(kernel.diag(pack).max() + bias**2))
    known = [labels[:, c] != 0 for c in range(given.columns)]
    return float(np.mean([best_delta(margins[k, c], radius, n / len(codes)) for c, k in enumerate(known)]))
