"""What predicts, as functions of examples that nothing can change any more: see `Model.frozen`."""

from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.models.expansion import Expansion
from kerneltron.models.overflow import scored


class OfWeights:
    """X w + constant, in the precision of X and w; in double where that cannot hold a score."""

    def __init__(self, w: Floats, constant: Floats) -> None:
        self._w, self._constant = w, constant

    def __call__(self, X: Any) -> Floats:
        """Return one score per row of X and column."""
        with np.errstate(over="ignore", invalid="ignore"):
            scores: Floats = X @ self._w
            scores += self._constant
        return scores if scores.dtype == np.float64 else scored(X, self._w, self._constant)


class OfFeatures:
    """phi(x) w + constant, with the features phi of a map in the precision of the weights."""

    def __init__(self, phi: Any, w: Floats, constant: Floats) -> None:
        self._phi, self._of_features, self._dtype = phi, OfWeights(w, constant), w.dtype

    def __call__(self, X: Any) -> Floats:
        """Return one score per row of X and column."""
        features = self._phi.mapped(self._phi.read(X))
        return self._of_features(np.ascontiguousarray(features, self._dtype))


class OfExamples:
    """sum_s a_s k(x, x_s) + constant, with remembered examples x_s."""

    def __init__(self, kernel: Kernel, expansion: Expansion, constant: Floats) -> None:
        self._kernel, self._expansion, self._constant = kernel, expansion, constant

    def __call__(self, X: Any) -> Floats:
        """Return one score per row of X and column."""
        pack = self._kernel.pack(X)
        with one_blas_thread():
            return self._expansion.products(pack) + self._constant
