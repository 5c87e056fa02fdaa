"""What a learner can say about itself, and about one example."""

from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from kerneltron._types import Anything
from kerneltron._validate import is_sparse
from kerneltron.explaining.explanations import ExampleExplanation, Explanation
from kerneltron.explaining.models import (
    comparisons,
    contributions,
    explain_support,
    explain_weights,
    largest_first,
    named_features,
    side_of,
    sides,
    with_weights,
)
from kerneltron.explaining.streams import explain_model, most_frequent
from kerneltron.learning.parameters import check_number
from kerneltron.learning.stream_model import StreamModel
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal

NAMELESS = "Features have no names: x0 is the first column of X."


class Explaining:
    """A classifier that explains itself."""

    classes_: Anything
    model_: Model
    _read: Callable[..., Any]

    def explain(self, X: Any = None, *, top: int = 20, label: Any = None) -> Explanation | ExampleExplanation:
        """List the strongest features; or say why one example has its score.

        A learner in dual form has no weights of features: it names the remembered examples instead, by their
        numbers in `support_`. The features of a kernel's explicit map are written as products.

        Parameters
        ----------
        X
            One example: a row, or a matrix of one row. None explains the learner as a whole.
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
        check_number("top", top, least=1)
        classes = self.classes_.tolist()
        if X is not None:
            return self._explain_example(X, int(top), label)
        if "stream_" in vars(self):  # it was trained by the command line
            return explain_model(StreamModel(self, **vars(self)["stream_"]), int(top), label)  # type: ignore[arg-type]
        model = with_weights(self.model_)
        if isinstance(model, Primal):
            named = "feature_names_in_" in vars(self)
            has_name = (lambda place: True) if named else None
            found = explain_weights(model, classes, self._naming(), int(top), label, has_name)
            return found if named else replace(found, remarks=(*found.remarks, NAMELESS))
        return explain_support(model, classes, int(top), label)  # type: ignore[arg-type]

    def _explain_example(self, X: Any, top: int, label: Any) -> ExampleExplanation:
        x = self._read(_one_row(X))[0]
        count = x.shape[0] if hasattr(x, "shape") else len(x)
        if count != 1:
            raise ValueError(f"X has {count} examples: explain takes one at a time, for example X[:1].")
        model, classes = with_weights(self.model_), self.classes_.tolist()
        scores = model.scores(x)[0]
        by_class = {side.label: float(side.sign * scores[side.column]) for side in sides(classes)}
        predicted = self.predict(_one_row(X)).tolist()[0]  # type: ignore[attr-defined]
        side = side_of(classes, predicted if label is None else label)
        rows: list[Any]
        if isinstance(model, Primal):
            rows = list(contributions(model, x, side, self._naming()))
        else:
            rows = list(comparisons(model, x, side, self._input_naming(), top))  # type: ignore[arg-type]
        shown, rest, hidden = largest_first(rows, top)
        chances: Any = getattr(self, "predict_proba", lambda X: [[]])(_one_row(X))[0]
        probabilities = {name: float(p) for name, p in zip(classes, chances, strict=False)}
        return ExampleExplanation(
            shown, rest, hidden, side.label, by_class[side.label], predicted, by_class, probabilities
        )

    def _naming(self) -> Callable[[int], str]:
        phi = getattr(self.model_, "map", None)
        return self._input_naming() if phi is None else named_features(phi, self._input_naming())

    def _input_naming(self) -> Callable[[int], str]:
        if "stream_" in vars(self):
            return most_frequent(vars(self)["stream_"]["names"])
        names = vars(self).get("feature_names_in_")
        return lambda place: f"x{place}" if names is None else str(names[place])


def _one_row(X: Any) -> Any:
    """Return one example as a matrix of one row, if it was given as a row."""
    if hasattr(X, "to_frame"):  # a row of a data frame, or a column of structures
        return X.to_frame().T if getattr(X.dtype, "kind", "O") in "biuf" else X
    if is_sparse(X) or hasattr(X, "columns"):
        return X
    if isinstance(X, np.ndarray):
        return X[None] if X.ndim == 1 else X
    return [X] if len(X) and isinstance(X[0], Real) else X
