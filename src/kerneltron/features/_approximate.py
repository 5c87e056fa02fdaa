"""What the transformers that approximate kernels share: they ask for a map, find it, and apply it."""

from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from kerneltron._types import Anything, Floats
from kerneltron._validate import as_csr, is_sparse
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.routing import RoutesToKernel
from kerneltron.maps.approximation import SAMPLE, ApproximateMap, Approximation
from kerneltron.maps.catalogue import map_type

OWN = ("kernel", "random_state")  # parameters that a transformer has in its own way


class Approximate(RoutesToKernel, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer from examples to dense rows whose inner products approximate a kernel.

    A subclass is a dataclass with the name and the parameters of an approximation in `maps/`, and with
    `kernel`. It says which kernel to give where none is given: `example`, or takes its `default_kernel`.

    Attributes
    ----------
    map_ : what `fit` found, a `maps.approximation.ApproximateMap`
    kernel_ : the kernel that `kernel` describes
    n_features_in_ : the number of columns, where examples are rows of numbers
    """

    example: ClassVar[str]
    default_kernel: ClassVar[str | None] = None

    random_state: Any
    map_: ApproximateMap
    kernel_: Kernel

    def approximation(self) -> Approximation:
        """Return the description of the map, without scikit-learn, as learners take it."""
        names = [field.name for field in fields(self) if field.name not in OWN]
        given = {name: getattr(self, name) for name in names}
        described: Approximation = map_type(type(self).__name__)(**given, random_state=self._seed())
        return described

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the map for examples such as X.

        Parameters
        ----------
        X
            A sequence of examples, such as the kernel compares: for most a matrix, dense or sparse.
        y
            Not looked at.
        """
        self.kernel_ = self._kernel()
        seed = int(check_random_state(None).randint(np.iinfo(np.int32).max)) if self._draws() else 0
        self.map_ = self.approximation().fit(self.kernel_, self._read(X, reset=True), seed)
        return self

    def transform(self, X: Any) -> Floats:
        """Return phi(x) for each example: a dense matrix, of single precision where X is.

        Parameters
        ----------
        X
            A sequence of examples, such as `fit` was given.
        """
        check_is_fitted(self)
        return self.map_(self._read(X))

    def approximation_error(self, X: Any, sample: int = SAMPLE, random_state: int = 0) -> float:
        """Return the error of the Gram matrix of X, relative to its Frobenius norm: for choosing a size.

        Parameters
        ----------
        X
            A sequence of examples.
        sample
            Of more examples than this, so many are looked at.
        random_state
            Which these are.
        """
        check_is_fitted(self)
        return self.map_.approximation_error(self._read(X), sample, random_state)

    def get_feature_names_out(self, input_features: Any = None) -> Anything:
        """Return the names of the features."""
        check_is_fitted(self)
        if hasattr(self, "n_features_in_"):
            _check_feature_names_in(self, input_features, generate_names=False)
        return np.array(self.map_.names(), dtype=object)

    def _kernel(self) -> Kernel:
        """Return the kernel that is meant."""
        given = self.default_kernel if self.kernel is None else self.kernel
        if given is None:
            raise ValueError(
                f"{type(self).__name__} needs a kernel to approximate: give kernel={self.example}, say."
            )
        return parse(given)

    def _draws(self) -> bool:
        """Return whether each `fit` has a seed of its own."""
        return self.random_state is None or self.random_state is np.random

    def _seed(self) -> int | None:
        """Return the seed of the description; None where `random_state` is."""
        if self._draws():
            return None
        if isinstance(self.random_state, np.random.RandomState):
            return int(self.random_state.randint(np.iinfo(np.int32).max))
        return self.random_state  # type: ignore[no-any-return]

    def _read(self, X: Any, reset: bool = False) -> Any:
        """Return examples that the map can read; of matrices, scikit-learn notes width and names."""
        if self.kernel_.domain not in OF_NUMBERS:
            return X
        return validate_data(
            self,
            as_csr(X) if is_sparse(X) else X,
            accept_sparse="csr",
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite=False,  # the map looks, and says where
            reset=reset,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
