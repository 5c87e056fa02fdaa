"""A method that learns from windows of a stream."""

from collections.abc import Iterable
from copy import copy
from typing import Any, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Anything, Floats, Integers, Sparse, Visits
from kerneltron.engine.scoring import score_rows
from kerneltron.learning.classes import columns_for, meet, sources
from kerneltron.learning.method import OnlineMethod
from kerneltron.learning.weighting import class_weights, whole_weights
from kerneltron.models.bounds import check_rows
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal
from kerneltron.stream.window import Window

BYTES = 20  # of a weight, with its average and AdaGrad's sum
MOST_BYTES = 6 << 30


class Streamed:
    """What a method learns is set on the method itself, with the names that the estimators give it.

    Parameters
    ----------
    method
        A method, new or trained before.
    width
        Number of slots.
    """

    def __init__(self, method: OnlineMethod, width: int) -> None:
        self.method, self.width = method, width
        there = vars(method)
        if "model_" not in there:
            there |= {"classes_": np.empty(0, "U1"), "mistakes_": np.zeros(0, np.int64)}
            there["_streaming"] = True
        self._seed = method._seed()

    @property
    def model(self) -> Model:
        """The model; there is one as soon as a class is known."""
        model: Model = vars(self.method)["model_"]
        return model

    @property
    def classes(self) -> list[str]:
        """The labels known so far, sorted."""
        names: list[str] = vars(self.method)["classes_"].tolist()
        return names

    @property
    def has_probabilities(self) -> bool:
        """Tell whether scores are logarithms of odds."""
        return self.method._has_probabilities

    @property
    def is_closed(self) -> bool:
        """Tell whether the classes were given, so that no others may come."""
        return bool(vars(self.method).get("closed_", False))

    def meet(self, names: Iterable[str], are_given: bool = False) -> list[str]:
        """Get to know labels, and return those that came late.

        Parameters
        ----------
        names
            Labels; those that are new begin as `models.late` says.
        are_given
            They are all that may come: from now on the classes are closed.
        """
        there, known = vars(self.method), vars(self.method)["classes_"]
        labels = np.array(sorted(names), "U")
        met = meet(known if known.size else None, labels, labels if are_given else None, self.is_closed)
        if met.classes.size > known.size:
            self._rearrange(known, met.classes)
        there["closed_"] = met.is_closed
        return list(met.late)

    def _rearrange(self, known: Anything, after: Anything) -> None:
        """Let the model have a column for each class."""
        there = vars(self.method)
        self._check_size(columns_for(after.size), str(after[0]))
        if "model_" not in there:
            before = {"mistakes_": there["mistakes_"], "n_features_in_": self.width}
            there["model_"] = self.method.begin(self.width, columns_for(after.size), np.float32, self._seed)
            there |= before
        else:
            there["model_"] = self.model.copy()
            self.model.regroup(sources(known, after))
        there["classes_"] = after

    def _check_size(self, columns: int, label: str) -> None:
        """Raise if so many classes would take more memory than any such training can mean."""
        if columns * self.width * BYTES > MOST_BYTES:
            raise ValueError(
                f"{columns:,} classes, such as {label!r}, times {self.width:,} slots would take "
                f"{columns * self.width * BYTES / 2**30:,.0f} GB: is that the column of labels? If so, give "
                "fewer --bits."
            )

    def begin_pass(self) -> None:
        """Begin another pass."""
        there = vars(self.method)
        if isinstance(there.get("model_"), Primal):  # the dual form forgets its examples after each window
            self.model.measure()
        there["mistakes_"] = np.append(there["mistakes_"], 0)

    def learn(self, window: Window, codes: Integers, visits: Iterable[Integers]) -> Iterable[Any]:
        """Visit rows of a window; yield which, and the scores that each had before it was learned from.

        `codes` are the places of the rows' labels among `classes`.
        """
        self._check(window)
        model, method = self.model, self.method
        by_class = class_weights(
            getattr(method, "class_weight", None), vars(method)["classes_"], method._whole_examples_only
        )
        importance = by_class[codes] * self._importance(window)
        none_is_missing = bool(importance.all())
        model.begin(self._rows(window))
        for chunk in visits:
            there = chunk if none_is_missing else chunk[importance[chunk] > 0]
            if there.size:
                mistakes, scores = model.learn(Visits(there, codes[there], importance[there]), True)
                vars(method)["mistakes_"][-1] += mistakes
                yield there, scores
        model.finish()

    def scores(self, window: Window) -> Floats:
        """Return a score per row and column, without learning."""
        model = self.model
        if type(model) is not Primal or model.kind == "vote":
            return np.asarray(model.scores(self._matrix(window)))
        v = np.ascontiguousarray(model.vectors()).reshape(-1)
        scores = np.empty((window.size, model.columns))
        check_rows(rows := self._sparse(window), v.size // model.columns - 1)
        score_rows(rows, v, np.empty(model.columns), scores)
        return scores

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        other = copy(self)
        other.method = copy(self.method)
        if "model_" in vars(self.method):
            vars(other.method)["model_"] = self.model.copy()
        return other

    def _importance(self, window: Window) -> Floats:
        given = window.importance.astype(np.float64)
        return whole_weights("weight", given) if self.method._whole_examples_only else given

    def _check(self, window: Window) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            sound = np.isfinite(window.values.sum())
        if not sound or self.method._non_negative_only:
            self.method._check_values(self._matrix(window))

    def _rows(self, window: Window) -> Any:
        if type(self.model) is Primal and not self.model.delta:
            return self._sparse(window)
        return self.model.read(self._matrix(window))

    def _sparse(self, window: Window) -> Sparse:
        return Sparse(
            frozen(window.values, np.float32),
            frozen(window.indices, np.int32),
            frozen(window.starts, np.int32),
            self.width,
            self.model.bias,
        )

    def _matrix(self, window: Window) -> Any:
        import scipy.sparse as sp

        matrix = sp.csr_matrix(
            (window.values, window.indices, window.starts), shape=(window.size, self.width), copy=True
        )
        matrix.sort_indices()
        return matrix
