"""The attributes of a fitted classifier, all read from the learner that it holds."""

from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron.kernels.linear import Linear
from kerneltron.learning.learner import Learner
from kerneltron.learning.space import Space
from kerneltron.models.dual_form import DualForm
from kerneltron.models.model import Model
from kerneltron.models.optimality import Optimality
from kerneltron.models.primal import Primal


class Fitted:
    """What scikit-learn's users look for, by the names that they know."""

    def _fitted(self) -> Learner:
        learner: Learner | None = getattr(self, "learner_", None)
        if learner is None:
            raise AttributeError(
                f"This {type(self).__name__} is not fitted yet: call fit or partial_fit first."
            )
        return learner

    @property
    def model_(self) -> Model:
        """Its vectors or remembered examples."""
        return self._fitted().model

    @property
    def classes_(self) -> Anything:
        """Sorted labels."""
        return np.asarray(_there(self._fitted().classes, "classes_"))

    @property
    def closed_(self) -> bool:
        """Whether classes were given to `partial_fit`, so that other labels are refused."""
        return self._fitted().is_closed

    @property
    def mistakes_(self) -> Integers:
        """Int array, mistakes made before each update, one entry per pass."""
        return np.asarray(_there(self._fitted().mistakes, "mistakes_"))

    @property
    def n_updates_(self) -> int:
        """How often a vector was moved, over all classes."""
        return int(self.model_.weights.updates.sum())

    @property
    def validation_scores_(self) -> Floats:
        """Accuracy on the held-out part, one entry per pass; only with `early_stopping`."""
        return np.asarray(_there(self._fitted().validation_scores, "validation_scores_"))

    @property
    def best_pass_(self) -> int:
        """The pass that was restored, from 1; only with `early_stopping`."""
        return int(_there(self._fitted().best_pass, "best_pass_"))

    @property
    def objective_(self) -> Floats:
        """||w||^2 / 2 and losses, over all classes, one entry per pass; estimates but for the last."""
        return np.asarray(_there(self._fitted().optima, "objective_")[:, 0])

    @property
    def dual_objective_(self) -> Floats:
        """A lower bound on the least objective, one entry per pass; estimates but for the last."""
        return np.asarray(_there(self._fitted().optima, "dual_objective_")[:, 1])

    @property
    def gap_(self) -> Floats:
        """The relative duality gap, (objective - dual objective) / objective, one entry per pass."""
        optima = _there(self._fitted().optima, "gap_")
        return np.array([Optimality(*pair).gap for pair in optima])

    @property
    def kernel_(self) -> Any:
        """The kernel that was learned with."""
        return self._found("kernel_").kernel

    @property
    def representation_(self) -> Any:
        """The form that was chosen, and its costs."""
        return self._found("representation_").representation

    @property
    def delta_(self) -> float:
        """The delta that was given or found."""
        return float(_there(self._found("delta_").delta, "delta_"))

    @property
    def map_(self) -> Any:
        """The map that approximates the kernel, fitted: `map_(X)` are the features, `map_.names()` theirs."""
        return _there(self._found("map_").map, "map_")

    @property
    def coef_(self) -> Floats:
        """(classes, features) array, or (1, features) for two: the vectors that predict, in primal form.

        With the linear kernel they are for rows as they are, also behind a scaler (`scale=True`); weights of
        other features are for scaled rows.
        """
        return self._vectors()[: self._with_weights().width].T

    @property
    def intercept_(self) -> Floats:
        """(classes,) array, or (1,) for two: the weights of the constant feature, in primal form."""
        return np.asarray(self._vectors()[-1])

    @property
    def support_(self) -> Integers:
        """In dual form, which examples predict: their numbers in X, or in the stream; -1 for merged ones."""
        return support_of(self._dual())

    @property
    def support_vectors_(self) -> Any:
        """In dual form, the rows of the examples that predict, in the order of `support_`, as a matrix.

        Behind a scaler (`scale=True`) they are brought back to the units of X, up to rounding.
        """
        rows, scaler = self._dual().support_vectors(), self._fitted().scaler
        return rows if scaler is None else scaler.unscaled_matrix(rows)

    @property
    def dual_coef_(self) -> Floats:
        """In dual form, their coefficients, one row per class, or one for two classes."""
        return self._dual().coefficients().T

    @property
    def working_memory_(self) -> float:
        """In dual form, the megabytes that it may use beyond its examples, as given or found."""
        return self._dual().working_memory / 2**20

    def _found(self, name: str) -> Space:
        """Return the space that was found; methods without a kernel have none."""
        space = self._fitted().space
        if space is None or space.representation is None:
            raise AttributeError(f"{type(self).__name__} has no kernel, and so no {name}.")
        return space

    def _with_weights(self) -> Primal:
        model = self.model_
        if model.hypothesis.keeps_moves:
            raise AttributeError(
                f"A {model.hypothesis.name} of many vectors has no single one: use hypothesis='average'."
            )
        if not isinstance(model, Primal):
            raise AttributeError(
                "A learner in dual form has no weights: see support_ and dual_coef_, or feature_weight(...)."
            )
        return model

    def _vectors(self) -> Floats:
        """Return the vectors that predict; those of columns for rows as they are."""
        model, learner = self._with_weights(), self._fitted()
        if learner.scaler is None or model.map is not None or learner.kernel != Linear():
            return model.vectors()
        return learner.scaler.unscaled(model.vectors(), model.bias or 1.0)

    def _dual(self) -> DualForm:
        model = self.model_
        if not isinstance(model, DualForm):
            raise AttributeError("A learner in primal form has weights: see coef_ and intercept_.")
        return model


def support_of(model: DualForm) -> Integers:
    """Return which examples predict, by the numbers in which they came."""
    return np.asarray(model.remembered.origins[model.support()[0]])


def _there(value: Any, name: str) -> Any:
    """Return an attribute that not every learner has; raise as if it were not there where it is None."""
    if value is None:
        raise AttributeError(f"This learner has no {name}.")
    return value
