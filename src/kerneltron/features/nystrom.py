"""Any kernel by its values at landmarks, as a transformer."""

from dataclasses import dataclass
from typing import Any

from kerneltron.features._approximate import Approximate


@dataclass(eq=False, repr=False)
class Nystrom(Approximate):
    """Turn examples into rows whose inner products are about any kernel, by comparing them with landmarks.

    What it costs, and why it works, says `kerneltron.maps.Nystrom`.

    Parameters
    ----------
    n_landmarks
        Number of landmarks, and at most of features: landmarks that others span are left out.
    method
        How landmarks are chosen from the examples of `fit`: "uniform", "kmeans" (for vectors) or "leverage".
    landmarks
        Examples to take instead.
    ridge
        For "leverage", the ridge of the leverage scores; None is trace(K) / n_landmarks.
    random_state
        Seed, RandomState or None.
    kernel
        Any kernel, or its text; `kernel__sigma` and the like set its parameters.

    Attributes
    ----------
    map_ : the map, without scikit-learn
    kernel_ : the kernel that `kernel` describes
    n_features_in_ : number of columns of X, where examples are rows of numbers

    Examples
    --------
    >>> from kerneltron.features import Nystrom
    >>> words = ["abab", "baba", "abba"]
    >>> rows = Nystrom(3, kernel="Spectrum(2)", random_state=0).fit_transform(words)
    >>> (rows @ rows.T).round(6).tolist()
    [[5.0, 4.0, 3.0], [4.0, 5.0, 3.0], [3.0, 3.0, 3.0]]
    """

    n_landmarks: int = 100
    method: str = "uniform"
    landmarks: Any = None
    ridge: float | None = None
    random_state: Any = None
    kernel: Any = None

    example = "Gaussian(2.0)"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.dict = True
        return tags
