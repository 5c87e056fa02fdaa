"""Polynomial kernels as products of count sketches."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.count_sketches import place_of
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.normalized import Normalized
from kerneltron.kernels.parameters import whole
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.threads import in_threads
from kerneltron.kernels.vectors import Vectors
from kerneltron.maps.approximation import Approximation
from kerneltron.maps.of_rows import MapOfRows, refuse, width_of
from kerneltron.maps.sketching import add_sketch

STREAM = 1024  # of random numbers, for the first factor; the others follow
NUMBERS = 2**16  # of a sketch that are transformed at a time: they stay in the cache


@dataclass(frozen=True, repr=False)
class TensorSketch(Approximation):
    """Sketches of all products of `degree` columns, without listing them: for polynomial kernels.

    The count sketch of x has, in slot s, the sum of +-x_c over the columns c with h(c) = s. The sketch
    of a product of columns with h(c1) + ... + h(cp) mod m is the convolution of p such sketches, and so a
    product of Fourier transforms. Inner products are right on average. Of rows of length 1 they are wrong
    by at most sqrt((3^degree - 1) / m), as a standard deviation: small degrees need few components.

    A row costs O(degree (columns + m log m)), of sparse rows O(degree (non-zeros + m log m)). Powers of two
    are the quickest m, large primes the slowest. Nothing is stored: hashes are functions of the seed.

    Parameters
    ----------
    n_components
        Number of features m, at least 1.
    random_state
        Seed; None leaves it to whoever asks for the map.

    Notes
    -----
    (c + <x, z>)^degree is <u, v>^degree of u = (x, sqrt(c)): the constant is one more column. Sketched is
    u / |u|, and for a kernel that is not normalized the result is multiplied by |u|^degree: nothing
    overflows on the way. The length of a sketch itself is right on average only: no row is divided by it.

    References
    ----------
    N. Pham and R. Pagh, Fast and scalable polynomial kernels via explicit feature maps, KDD 2013. M.
    Charikar, K. Chen and M. Farach-Colton, Finding frequent items in data streams, 2002.

    Examples
    --------
    >>> from kerneltron.kernels import Polynomial
    >>> from kerneltron.maps import TensorSketch
    >>> X = [[0.6, 0.8], [1.0, 0.0]]
    >>> phi = TensorSketch(8192, random_state=0).fit(Polynomial(2), X)
    >>> (phi(X) @ phi(X).T).round(1)  # Polynomial(2)(X) has 4 and 2.56
    array([[4. , 2.6],
           [2.6, 4. ]])
    """

    n_components: int
    random_state: int | None = None

    def __post_init__(self) -> None:
        whole("n_components", self.n_components, 1)

    @classmethod
    def _found_type(cls) -> type["SketchMap"]:
        return SketchMap

    def _fit(self, kernel: Kernel, X: Any, seed: int) -> "SketchMap":
        return SketchMap(self, kernel, width_of(X), seed)


class SketchMap(MapOfRows):
    """The sketches of rows, for a kernel that says degree and constant; see `TensorSketch`."""

    def __init__(self, asked: TensorSketch, kernel: Kernel, inputs: int, seed: int) -> None:
        super().__init__(asked, kernel, inputs, seed)
        self.is_normalized = isinstance(kernel, Normalized)
        self.degree, self.c = degree_and_constant(asked, kernel)

    @property
    def width(self) -> int:
        """The number of features."""
        return int(self.asked.n_components)  # type: ignore[attr-defined]

    def names(self) -> list[str]:
        """Return sketch0, sketch1, ...: a slot holds many products."""
        return [f"sketch{slot}" for slot in range(self.width)]

    def _mapped(self, examples: Any) -> Floats:
        with np.errstate(over="ignore"):
            lengths = np.sqrt(Vectors(examples).squares() + self.c)
            powers = (lengths**self.degree).astype(examples.dtype)
        self._check(lengths, powers)
        scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        out = np.empty((examples.shape[0], self.width), examples.dtype)
        size = max(1, NUMBERS // self.width)

        def work(first: int, end: int) -> None:
            for low in range(first, end, size):
                part = slice(low, min(low + size, end))
                self._sketch(examples[part], scales[part], out[part])
            if not self.is_normalized:
                out[first:end] *= powers[first:end, None]

        in_threads(work, len(out), size)
        return out

    def _sketch(self, X: Any, scales: Floats, out: Floats) -> None:
        """Write the sketches of the rows (x, sqrt(c)), each times its scale, to the power of the degree."""
        if self.degree == 1:
            out[:] = self._factor(X, scales, 0)
            return
        product = np.fft.rfft(self._factor(X, scales, 0))
        for number in range(1, self.degree):
            product *= np.fft.rfft(self._factor(X, scales, number))
        out[:] = np.fft.irfft(product, self.width)

    def _factor(self, X: Any, scales: Floats, number: int) -> Floats:
        """Return the count sketches of rows with the hashes of one factor."""
        out = np.zeros((X.shape[0], self.width), X.dtype)
        add_sketch(X, self.seed, STREAM + number, 1, scales.astype(X.dtype), 0, len(out), out)
        if self.c:
            place = place_of(np.uint64(self.seed), STREAM + number, self.inputs, self.width)
            constant = np.sqrt(self.c) * scales
            out[:, place if place >= 0 else -1 - place] += constant if place >= 0 else -constant
        return out

    def _check(self, lengths: Floats, powers: Floats) -> None:
        """Raise where rows are too long for numbers of their precision."""
        if np.isfinite(lengths if self.is_normalized else powers).all():
            return
        advice = "scale the rows down" if self.is_normalized else "use .normalized(), or scale the rows down"
        raise ValueError(f"{self.kernel} overflows: a row of X is too long for {powers.dtype}; {advice}.")


def degree_and_constant(asked: TensorSketch, kernel: Kernel) -> tuple[int, float]:
    """Return which power of c + <x, z> the kernel is, before it is normalized; raise if it is none."""
    base = kernel.base if isinstance(kernel, Normalized) else kernel
    if isinstance(base, Polynomial):
        return int(base.degree), float(base.c)
    if isinstance(base, Linear):
        return 1, 0.0
    raise refuse(asked, "Polynomial kernels, also normalized,", kernel)
