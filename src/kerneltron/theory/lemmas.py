"""The two lemmas behind the perceptron's bound, followed from mistake to mistake.

With v_k the vector after k mistakes, every mistake adds at least gamma to <v_k, u>, and at most R^2 to
||v_k||^2, since it adds x where y <v, x> <= 0:

    k gamma <= <v_k, u> <= ||v_k|| <= sqrt(k) R.

Examples that no vector separates each have a feature of their own, of value Delta: see `bounds.delta_bound`.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.theory.replaying import Moves

EXACT = 1e-9  # of R: inner products with u are those of double precision
ROUNDED = 1e-5  # the scores of a run may be of single precision


class Lemmas(NamedTuple):
    """<v_k, u> and ||v_k||^2 after each mistake, from the first, beside what the lemmas promise.

    Where examples have features of their own, these are counted in the vectors, the margin and the radius.
    """

    visits: Integers  # at which the mistakes were made
    projections: Floats  # <v_k, u>
    squares: Floats  # ||v_k||^2
    margin: float
    radius: float
    thick: float = 0.0  # 2 margin / rate: what an update of a thin margin may add to ||v||^2 beside R^2

    @property
    def lower(self) -> Floats:
        """What <v_k, u> is not below: k gamma."""
        return self.margin * np.arange(1, self.visits.size + 1)

    @property
    def upper(self) -> Floats:
        """What ||v_k||^2 is not above: k R^2."""
        return (self.radius**2 + self.thick) * np.arange(1, self.visits.size + 1)

    @property
    def hold(self) -> bool:
        """Whether both do, up to rounding."""
        k = np.arange(1, self.visits.size + 1)
        below = self.projections >= self.lower - EXACT * self.radius * k
        above = self.squares <= self.upper * (1 + ROUNDED)
        return bool((below & above).all())


def follow(
    moves: Moves, rate: float, products: Floats, lengths: Floats, margin: float, delta: float = 0.0
) -> tuple[Floats, Floats]:
    """Return <v_k, u> and ||v_k||^2 after each update of a perceptron, v counted in units of its rate.

    Parameters
    ----------
    moves
        The updates, each of the length `rate`.
    rate
        The learning rate.
    products
        <u, x> of each example, u of length 1.
    lengths
        ||x|| of each example.
    margin
        gamma: what examples lack of it is made up for by the features of their own.
    delta
        The value of these features, a new one for every visit; 0 for none.
    """
    y = np.sign(moves.step)
    signed = y * products[moves.rows]
    squares = np.cumsum(2 * y * moves.scores / rate + np.square(lengths[moves.rows]))
    if not delta:
        return np.cumsum(signed), squares
    return np.cumsum(np.maximum(signed, margin)), squares + delta**2 * np.arange(1, y.size + 1)
