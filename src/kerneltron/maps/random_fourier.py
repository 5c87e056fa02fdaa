"""Gaussian kernels as waves of random directions and lengths."""

from dataclasses import dataclass
from math import sqrt
from typing import Any, Self

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.pack import SAFE
from kerneltron.kernels.parameters import whole
from kerneltron.kernels.scaled_columns import ScaledColumns
from kerneltron.kernels.threads import in_threads
from kerneltron.kernels.vectors import Vectors
from kerneltron.maps.approximation import Approximation, Saved
from kerneltron.maps.of_rows import MapOfRows, columns_of, refuse, width_of
from kerneltron.maps.random_matrix import DrawnMatrix, StoredMatrix, normal_matrix, normal_numbers

WIDEST = 4096  # columns for which orthogonal frequencies, width x width numbers, are drawn
STREAM = 1  # of random numbers
# An angle has an error of about |x| / sigma units in the last place: beyond this many widths from the origin
# single precision would be off by 1e-4, and angles are computed in double.
FAR = 1e3
FARTHEST = (
    1e150  # widths; from 1e16 on angles are as good as random, and so all but equal rows are orthogonal
)
WAVES = 2**17  # cosines and sines that are computed at a time


@dataclass(frozen=True, repr=False)
class RandomFourier(Approximation):
    """phi(x) = sqrt(2/m) (cos <w_1, x>, ..., sin <w_1, x>, ...), m / 2 random w: for Gaussian kernels.

    The Gaussian kernel is the mean of cos <w, x - z> over frequencies w from the normal distribution with
    variance 1 / sigma^2. With m / 2 of them inner products are right on average, and wrong by about
    1 / sqrt(m); |phi(x)| is 1 exactly. Orthogonal frequencies, the orthogonalised columns of a Gaussian
    matrix with lengths of their own, are spread more evenly: on average over seeds the error is smaller, by
    more the nearer m / 2 is to a multiple of the number of columns.

    A row costs one product with a matrix of columns x m / 2 numbers, of which no more than 64 MB are kept
    unless the frequencies are orthogonal: others are functions of the seed, made anew where they are needed.

    Parameters
    ----------
    n_components
        Number of features m, even: a cosine and a sine for each frequency.
    orthogonal
        True, False, or "auto": where rows have at most 4,096 columns. Takes O(columns^2 m) at the beginning.
    random_state
        Seed; None leaves it to whoever asks for the map.

    References
    ----------
    A. Rahimi and B. Recht, Random features for large-scale kernel machines, NIPS 2007. F. X. Yu et al.,
    Orthogonal random features, NIPS 2016. D. J. Sutherland and J. Schneider, On the error of random Fourier
    features, UAI 2015: pairs of sine and cosine are better than cosines with random phases.

    Examples
    --------
    >>> from kerneltron.kernels import Gaussian
    >>> from kerneltron.maps import RandomFourier
    >>> X = [[0.0, 0.0], [1.0, 0.0]]
    >>> phi = RandomFourier(10_000, random_state=0).fit(Gaussian(1.0), X)
    >>> (phi(X) @ phi(X).T).round(2)  # Gaussian(1.0)(X) has exp(-1/2) = 0.61
    array([[1.  , 0.61],
           [0.61, 1.  ]])
    """

    n_components: int
    orthogonal: bool | str = "auto"
    random_state: int | None = None

    def __post_init__(self) -> None:
        whole("n_components", self.n_components, 2)
        if self.n_components % 2:
            raise ValueError(
                f"n_components={self.n_components!r} must be even: each frequency gives a cosine and a sine."
            )
        if not (isinstance(self.orthogonal, bool | np.bool_) or self.orthogonal == "auto"):
            raise ValueError(f'orthogonal={self.orthogonal!r} must be True, False or "auto".')

    @classmethod
    def _found_type(cls) -> type["FourierMap"]:
        return FourierMap

    def _fit(self, kernel: Kernel, X: Any, seed: int) -> "FourierMap":
        check_kernel(self, kernel)
        width, count = width_of(X), int(self.n_components) // 2
        if self.orthogonal is not False and self.orthogonal != "auto" and width > WIDEST:
            raise ValueError(
                f"orthogonal=True takes rows of at most {WIDEST:,} columns, and X has {width:,}: orthogonal "
                'frequencies need columns x columns numbers. Use orthogonal="auto".'
            )
        if self.orthogonal and width <= WIDEST:
            stored = StoredMatrix(orthogonal_frequencies(seed, width, count))
            return FourierMap(self, kernel, width, seed, stored, is_saved=True)
        return FourierMap(self, kernel, width, seed, normal_matrix(seed, STREAM, width, count))


class FourierMap(MapOfRows):
    """The cosines and sines of rows, with frequencies that were drawn; see `RandomFourier`.

    Parameters
    ----------
    frequencies
        Those of the kernel with sigma = 1, one column each.
    is_saved
        Whether they are saved with the map: what linear algebra made, and not integers.
    """

    def __init__(
        self,
        asked: RandomFourier,
        kernel: Kernel,
        inputs: int,
        seed: int,
        frequencies: StoredMatrix | DrawnMatrix,
        is_saved: bool = False,
    ) -> None:
        super().__init__(asked, kernel, inputs, seed)
        self.frequencies, self.is_saved = frequencies, is_saved
        self.count = int(asked.n_components) // 2

    @property
    def width(self) -> int:
        """The number of features."""
        return 2 * self.count

    def names(self) -> list[str]:
        """Return cos0, cos1, ..., sin0, sin1, ...: the wave of each frequency."""
        return [f"{wave}{number}" for wave in ("cos", "sin") for number in range(self.count)]

    def __call__(self, X: Any) -> Floats:
        """Return phi(x) for each row: at once, as angles stand where their cosines will."""
        return self._mapped(self.read(X))

    def _mapped(self, examples: Any) -> Floats:
        sigma, base = float(self.kernel.sigma), self.kernel.base  # type: ignore[attr-defined]
        if isinstance(base, ScaledColumns):
            examples = base.changed(examples)
        out = np.empty((examples.shape[0], self.width), examples.dtype)
        if self._is_double(examples, sigma):
            for part in self.parts(len(out)):
                angles = np.empty((len(out[part]), self.count))
                self.frequencies.multiply(examples[part], angles)
                self._wave(angles, sigma, out[part])
        else:
            # The product of 6,000 x 784 numbers with 2,000 frequencies takes 0.37 s at once, and 0.83 s by
            # 512 rows, beside other work on both cores.
            self.frequencies.multiply(examples, out[:, : self.count])
            self._wave(out[:, : self.count], sigma, out)
        return out

    def _wave(self, angles: Floats, sigma: float, out: Floats) -> None:
        """Write cosines and sines of angles / sigma to `out`, which may begin with the angles themselves."""
        scale = 1 / sqrt(self.count)
        size = max(1, WAVES // self.width)

        def work(first: int, end: int) -> None:
            for low in range(first, end, size):  # of a size that stays in the cache
                high = min(low + size, end)
                some, waves = angles[low:high], out[low:high]
                some /= sigma
                np.sin(some, out=waves[:, self.count :], casting="same_kind")
                np.cos(some, out=waves[:, : self.count], casting="same_kind")
                waves *= scale

        in_threads(work, len(out), 4 * size)

    def _is_double(self, X: Any, sigma: float) -> bool:
        """Return whether angles need double precision; raise where they would be infinite."""
        with np.errstate(over="ignore"):
            widths = sqrt(float(np.max(Vectors(X).squares(), initial=0.0))) / sigma
        if not widths < FARTHEST:
            raise ValueError(
                f"a row of X lies more than {FARTHEST:g} times sigma={sigma:g} away from the origin: scale "
                "the rows, or subtract their mean."
            )
        return X.dtype == np.float32 and not (widths < FAR and 1 / SAFE < sigma < SAFE)

    def state(self) -> tuple[dict[str, Any], dict[str, Anything]]:
        """Return the frequencies where linear algebra made them; others are drawn again."""
        tensors = {"frequencies": self.frequencies.numbers} if self.is_saved else {}  # type: ignore[union-attr]
        return {"orthogonal": self.is_saved}, tensors

    @classmethod
    def restore(cls, saved: Saved) -> Self:
        """Return the map; frequencies that integers made are drawn again."""
        check_kernel(saved.asked, saved.kernel)
        inputs, count = columns_of(saved), int(saved.asked.n_components) // 2
        is_saved = saved.contents.truth("orthogonal")
        frequencies: StoredMatrix | DrawnMatrix
        if is_saved:
            frequencies = StoredMatrix(saved.contents.array("frequencies", np.float32, (inputs, count)))
        else:
            frequencies = normal_matrix(saved.seed, STREAM, inputs, count)
        return cls(saved.asked, saved.kernel, inputs, saved.seed, frequencies, is_saved)


def check_kernel(asked: RandomFourier, kernel: Kernel) -> None:
    """Raise unless the kernel is a Gaussian of rows of numbers."""
    if not (isinstance(kernel, Gaussian) and isinstance(kernel.base, Linear | ScaledColumns)):
        raise refuse(asked, "Gaussian kernels of rows of numbers", kernel)


def orthogonal_frequencies(seed: int, width: int, count: int) -> Floats:
    """Return a matrix of normal columns that are made orthogonal, as many at a time as there can be.

    Columns keep their lengths: these are independent of all directions, and the directions are all that
    the orthogonal ones depend on.
    """
    out = normal_numbers(seed, STREAM, width, count)
    for low in range(0, count, max(width, 1)):
        block = out[:, low : low + width].astype(np.float64)
        directions, triangle = np.linalg.qr(block)
        signs = np.where(np.diagonal(triangle) < 0, -1.0, 1.0)  # as of Gram and Schmidt
        out[:, low : low + width] = directions * (signs * np.linalg.norm(block, axis=0))
    return out
