"""What the additive learners add to the others: kernels, and the examples they remember."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import _num_samples

from kerneltron._types import Anything, Floats
from kerneltron.estimators._base import OnlineClassifier
from kerneltron.estimators._input import FLOATS, read_objects
from kerneltron.estimators._remembering import Remembering
from kerneltron.kernels.precomputed import Precomputed, check_similarities
from kerneltron.kernels.routing import RoutesToKernel
from kerneltron.learning.additive import MATRICES, STREAM, AdditiveMethod
from kerneltron.learning.classes import columns_for
from kerneltron.models.dual import Dual
from kerneltron.models.model import Model
from kerneltron.theory.delta import Sample, propose_delta


@dataclass(kw_only=True, eq=False, repr=False)
class AdditiveClassifier(RoutesToKernel, AdditiveMethod, Remembering, OnlineClassifier):
    """A learner that adds multiples of the examples to its vectors: an `AdditiveMethod` that reads data."""

    def _dual(self) -> Dual:
        model = self._fitted()
        if not isinstance(model, Dual):
            raise AttributeError("A learner in primal form has weights: see coef_ and intercept_.")
        return model

    def feature_weight(self, feature: Any) -> Floats:
        """Return the weight of one feature of the kernel's explicit map, a number a class.

        In dual form it is read from the remembered examples, sum_s alpha_s phi_feature(x_s), without ever
        building the map: for a conjunction, the signed count of the mistakes that satisfy it.

        Parameters
        ----------
        feature
            As the map lists them (`kernel.feature_map(d).features()`): a monomial is a tuple of columns
            such as (0, 0, 3), a conjunction a tuple of literals such as ((0, True), (3, False)).
        """
        model = self._fitted()
        phi = self.kernel_.feature_map(getattr(self, "n_features_in_", 0))
        if phi is None:
            raise ValueError(f"The features of {self.kernel_} cannot be listed, so none has a weight.")
        if isinstance(model, Dual):
            return model.weight_of(lambda X: phi.column(X, feature))
        phi.column(np.zeros((1, self.n_features_in_)), feature)  # raises if there is no such feature
        return np.asarray(self._with_weights().vectors()[list(phi.features()).index(feature)])

    # -- input ---------------------------------------------------------------------------------------

    def _read(self, X: Any, y: Any = None, precision: Any = FLOATS, reset: bool = False) -> tuple[Any, Any]:
        # A parameter that was set since then is no part of what was learned.
        kernel = self._kernel() if reset else vars(self).get("kernel_", None) or self._kernel()
        if kernel.domain not in MATRICES:
            return read_objects(X, y)
        X, y = super()._read(X, y, precision, reset)
        if reset and isinstance(kernel, Precomputed):
            check_similarities(X)
        return X, y

    # -- the model -----------------------------------------------------------------------------------

    def _new_model(self, X: Any, y: Any, seed: int, there: Anything | None, streaming: bool = False) -> Model:
        columns = columns_for(len(self.classes_))
        self._choose_form_for(X, columns, streaming)
        self._resolve_delta(X, np.searchsorted(self.classes_, y), columns, seed, there)
        if self.representation_.form == "dual":  # whose examples need not be rows of numbers
            return self._new_dual(Dual, columns, seed)
        return self._untrained(X.shape[1], columns, X.dtype, seed)

    def _choose_form_for(self, X: Any, columns: int, streaming: bool) -> None:
        """Choose between primal and dual form for these examples."""
        n, inputs = _num_samples(X), X.shape[1] if self._kernel().domain in MATRICES else 0
        self._choose_form(max(n, STREAM) if streaming else n, inputs, columns)

    def _resolve_delta(
        self, X: Any, codes: Anything, columns: int, seed: int, there: Anything | None
    ) -> None:
        self.delta_ = 0.0 if self.delta == "auto" else float(self.delta)
        if self.delta == "auto":
            rows = np.arange(len(codes)) if there is None else there
            sample = Sample(self.kernel_.pack(X)[rows], codes[rows], columns)
            self.delta_ = propose_delta(self.kernel_, sample, self._bias(), seed)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed()
        return tags
