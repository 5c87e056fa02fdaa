"""Fewer dimensions with about the same inner products, as a transformer."""

from dataclasses import dataclass
from typing import Any

from kerneltron.features._approximate import Approximate


@dataclass(eq=False, repr=False)
class RandomProjection(Approximate):
    """Turn rows into fewer columns, x R with a random R: inner products and distances stay about the same.

    The error of an inner product of rows of length 1 is about 1 / sqrt(m). What it costs, and why it works,
    says `kerneltron.maps.RandomProjection`.

    Parameters
    ----------
    n_components
        Number of features m; `kerneltron.maps.random_projection.components_for` says how many are enough.
    density
        Share of the entries of R that are not 0: 1.0 is Gaussian, "auto" is 1 / sqrt(columns).
    random_state
        Seed, RandomState or None.
    kernel
        `Linear()`, as for None.

    Attributes
    ----------
    map_ : the map, without scikit-learn
    kernel_ : the kernel that `kernel` describes
    n_features_in_ : number of columns of X

    Examples
    --------
    >>> from kerneltron.features import RandomProjection
    >>> RandomProjection(50, density="auto", random_state=0).fit_transform([[3.0] * 400]).shape
    (1, 50)
    """

    n_components: int = 1000
    density: float | str = 1.0
    random_state: Any = None
    kernel: Any = None

    example = default_kernel = "Linear()"
