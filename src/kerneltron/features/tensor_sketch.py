"""Polynomial kernels as sketches, as a transformer."""

from dataclasses import dataclass
from typing import Any

from kerneltron.features._approximate import Approximate


@dataclass(eq=False, repr=False)
class TensorSketch(Approximate):
    """Turn rows into sketches of all products of their columns, for polynomial kernels.

    The error of an inner product of rows of length 1 is below sqrt(3^degree / m). What it costs, and why it
    works, says `kerneltron.maps.TensorSketch`.

    Parameters
    ----------
    n_components
        Number of features m; powers of two are quickest.
    random_state
        Seed, RandomState or None.
    kernel
        `Polynomial(degree, c)`, `Polynomial(degree, c).normalized()`, or the text of one.

    Attributes
    ----------
    map_ : the map, without scikit-learn
    kernel_ : the kernel that `kernel` describes
    n_features_in_ : number of columns of X

    Examples
    --------
    >>> from kerneltron.features import TensorSketch
    >>> sketch = TensorSketch(4096, kernel="Polynomial(2).normalized()", random_state=0)
    >>> sketch.fit_transform([[3.0, 4.0], [1.0, 0.0]]).shape
    (2, 4096)
    >>> sketch.approximation_error([[3.0, 4.0], [1.0, 0.0]]) < 0.05
    True
    """

    n_components: int = 1024
    random_state: Any = None
    kernel: Any = None

    example = "Polynomial(2)"
