"""What a fitted classifier can say of itself: what it knows, why it decides, what is proved of its run."""

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from kerneltron._types import Floats
from kerneltron.estimators._explaining import explain
from kerneltron.estimators.fitted import Fitted
from kerneltron.explaining.explanations import ExampleExplanation, Explanation
from kerneltron.maps.approximation import ApproximateMap
from kerneltron.models.dual_form import DualForm

if TYPE_CHECKING:
    from kerneltron.theory.certificates import Certificate, Certificates


def is_additive(estimator: Any) -> bool:
    """Return whether the learner of an estimator adds multiples of examples, and so can have a kernel."""
    return bool(estimator.method_type.is_additive())


class Understood(Fitted):
    """Explanations and certificates of a fitted classifier."""

    def explain(self, X: Any = None, *, top: int = 20, label: Any = None) -> Explanation | ExampleExplanation:
        """List the strongest features; or say why one example has its score.

        A learner in dual form has no weights of features: it names the remembered examples instead, by their
        numbers in `support_`. The features of a kernel's explicit map are written as products.

        Parameters
        ----------
        X
            One example: a row, a text, a tree, a graph or a dict, or a matrix or list of one. None explains
            the learner as a whole.
        top
            How many rows to show, at most.
        label
            The class to explain. Without it all classes are listed, or for an example the predicted one.

        Returns
        -------
        Explanation or ExampleExplanation
            What can be printed; `rows` holds tuples with names. The contributions to the score of an example
            sum to it.

        Examples
        --------
        >>> from kerneltron import Perceptron
        >>> learner = Perceptron(hypothesis="last", shuffle=False).fit([[0, 3], [1, 0]], ["no", "yes"])
        >>> print(learner.explain())
        name  weight  label
        x1        -3  yes
        x0        +1  yes
        Constant feature: yes: +0
        Above 0 speaks for yes, below 0 for no.
        Features have no names: x0 is the first column of X.
        >>> learner.explain([2, 1], label="yes").rows[0]
        Contribution(name='x1', value=1.0, weight=-3.0, contribution=-3.0)
        """
        check_is_fitted(self)
        return explain(self, X, top, label)

    def certificate(self, X: Any, y: Any, *, test: Any = None) -> "Certificate | Certificates":
        """Return the mistakes of the run that was made, beside the most that could have been made.

        The run is made again to count the mistakes of each vector, and support vector machines look for the
        vector with the least bound: it takes the time of up to ten of these.

        Parameters
        ----------
        X, y
            The examples that it was fitted on, in the same order.
        test
            A pair (X, y) of other examples: their error is told beside the mistakes of the first pass.

        Returns
        -------
        Certificate or Certificates
            With `mistakes`, `bound`, `margin`, `radius` and `vector`, and `lemmas` of the perceptron. More
            than two classes have one each, told from the rest. `print` says what it means.

        Examples
        --------
        >>> from kerneltron import Perceptron
        >>> X, y = [[1, 0], [0, 1], [-1, 0], [0, -1]], [1, 1, -1, -1]
        >>> learner = Perceptron(fit_intercept=False, passes=5, shuffle=False).fit(X, y)
        >>> print(learner.certificate(X, y))
        In 5 passes (20 visits) the learner made 2 mistakes.
        No such run over these examples could have made more than 2 mistakes:
          mistakes <= (R / gamma)^2
          Freund and Schapire, Large margin classification using the perceptron algorithm (1999), theorem 2.
        A vector of length 1 separates the examples with margin 0.7071, and none with more than 0.7071.
        The longest example has length 1.
        """
        check_is_fitted(self)
        from kerneltron.estimators._certifying import certificate

        return certificate(self, X, y, test)

    @available_if(is_additive)  # type: ignore[untyped-decorator]
    def feature_weight(self, feature: Any) -> Floats:
        """Return the weight of one feature of the kernel's explicit map, one number per class.

        In dual form it is read from the remembered examples, sum_s alpha_s phi_feature(x_s), without ever
        building the map: for a conjunction, the signed count of the mistakes that satisfy it.

        Parameters
        ----------
        feature
            As the map lists them (`kernel.feature_map(d).features()`): a monomial is a tuple of columns
            such as (0, 0, 3), a conjunction a tuple of literals such as ((0, True), (3, False)).
        """
        model, inputs = self.model_, self._fitted().inputs or 0
        if isinstance(model.map, ApproximateMap):
            names = model.map.names()
            if feature not in names:
                raise ValueError(f"{feature!r} is not a feature of {model.map.asked}: see map_.names().")
            return np.asarray(self._with_weights().vectors()[names.index(feature)])
        phi = self.kernel_.feature_map(inputs)
        if phi is None:
            raise ValueError(f"The features of {self.kernel_} cannot be listed, so none has a weight.")
        if isinstance(model, DualForm):
            return model.weight_of(lambda X: phi.column(X, feature))
        phi.column(np.zeros((1, inputs)), feature)  # raises if there is no such feature
        return np.asarray(self._with_weights().vectors()[list(phi.features()).index(feature)])
