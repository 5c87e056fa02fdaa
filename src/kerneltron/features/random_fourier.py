"""Gaussian kernels as random waves, as a transformer."""

from dataclasses import dataclass
from typing import Any

from kerneltron.features._approximate import Approximate


@dataclass(eq=False, repr=False)
class RandomFourier(Approximate):
    """Turn rows into cosines and sines of random frequencies, for Gaussian kernels.

    phi(x) = sqrt(2/m) (cos <w_1, x>, ..., sin <w_1, x>, ...): inner products are right on average, and wrong
    by about 1 / sqrt(m). What it costs, and why it works, says
    `kerneltron.maps.RandomFourier`.

    Parameters
    ----------
    n_components
        Number of features m, even.
    orthogonal
        Whether frequencies are orthogonal, which makes the error smaller; "auto" is up to 4,096 columns.
    random_state
        Seed, RandomState or None.
    kernel
        A Gaussian kernel of rows of numbers, or its text; `kernel__sigma` sets its width.

    Attributes
    ----------
    map_ : the map, without scikit-learn
    kernel_ : the kernel that `kernel` describes
    n_features_in_ : number of columns of X

    Examples
    --------
    >>> from kerneltron.features import RandomFourier
    >>> waves = RandomFourier(1000, kernel="Gaussian(1.0)", random_state=0)
    >>> X = [[0.0, 0.0], [1.0, 0.0]]
    >>> waves.fit_transform(X).shape
    (2, 1000)
    >>> waves.get_feature_names_out()[[0, 999]].tolist()
    ['cos0', 'sin499']
    """

    n_components: int = 1000
    orthogonal: bool | str = "auto"
    random_state: Any = None
    kernel: Any = None

    example = "Gaussian(2.0)"
