"""What can be asked of a learner that remembers examples."""

from abc import ABC, abstractmethod

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.models.dual import Dual


class Remembering(ABC):
    """The attributes of the dual form."""

    @abstractmethod
    def _dual(self) -> Dual:
        """Return the fitted model; raise an AttributeError where it is not one in dual form."""

    @property
    def support_(self) -> Integers:
        """Which examples predict: their numbers in X, or in the stream."""
        model = self._dual()
        return np.asarray(model.origins[model.support()[0]])

    @property
    def dual_coef_(self) -> Floats:
        """Their coefficients, a row a class (one for two classes) or a task."""
        return self._dual().coefficients().T
