"""Transformers that find features in examples and count them: a column for each that `fit` has met."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kerneltron._types import Anything, Floats, Integers
from kerneltron.kernels.bags import Found, tallied
from kerneltron.kernels.examples import one_column
from kerneltron.kernels.vocabulary import Vocabulary


class Group(NamedTuple):
    """Features of one kind, as they were found in all examples.

    `name` says what the features at some places, among those that were found in one example, look like. The
    counts of each example are multiplied by its `scale`.
    """

    found: Found
    examples: Sequence[Any]
    name: Callable[[Any, Sequence[int]], list[str]]
    scale: Floats


class Columns:
    """The features of one kind that were met, each a column, in the order in which they were first met.

    Of the examples only those are kept that showed a feature first: its name is read from them when it is
    asked for, and then they are let go.
    """

    def __init__(self, group: Group) -> None:
        found = group.found
        self.vocabulary, codes = Vocabulary.of(found.ids)
        # Codes count up, so a feature is new where its code is larger than all before it.
        first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
        owners = np.searchsorted(found.starts, first, "right") - 1
        owner, begin = np.unique(owners, return_index=True)
        places = np.split(first - found.starts[owners], begin[1:])
        # Where there is no feature at all, `places` still has one part.
        self._shown: list[tuple[Any, Integers]] = [
            (copy(group.examples[i]), at) for i, at in zip(owner.tolist(), places, strict=False)
        ]
        self._name = group.name
        self._names: list[str] = []

    def __len__(self) -> int:
        return len(self.vocabulary)

    def rows(self, group: Group) -> Any:
        """Return a CSR matrix with the counts of what was found; features that have no column are dropped."""
        found = group.found
        entries = tallied(self.vocabulary.codes(found.ids), found, len(self))
        values = entries.flat.values * np.repeat(group.scale, entries.lengths)
        matrix = sp.csr_matrix((values, entries.flat.codes, entries.starts), shape=(len(entries), len(self)))
        matrix.sort_indices()
        return matrix

    def names(self) -> list[str]:
        """Return what each feature looks like."""
        if self._shown:
            self._names = [name for x, places in self._shown for name in self._name(x, places.tolist())]
            self._shown = []
        return self._names


class Counted(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that finds features, learns in `fit` which there are, and counts them in `transform`.

    Attributes
    ----------
    columns_ : the features that `fit` has met, a list of kinds that stand side by side
    """

    columns_: list[Columns]

    @abstractmethod
    def _check(self) -> None:
        """Check the parameters, when `fit` begins."""

    @abstractmethod
    def _groups(self, X: Any) -> list[Group]:
        """Return the features of all examples, always as many kinds of them."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn which features there are.

        Parameters
        ----------
        X
            A sequence of examples.
        y
            Not looked at.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn which features there are, and count them: `fit` and `transform` in one sweep."""
        return self._rows(self._fit(X))

    def transform(self, X: Any) -> Any:
        """Return a CSR matrix of counts with a row for each example; what `fit` has not met is dropped.

        Parameters
        ----------
        X
            A sequence of examples.
        """
        check_is_fitted(self)
        return self._rows(self._groups(sequence(X)))

    def get_feature_names_out(self, input_features: Any = None) -> Anything:
        """Return what the feature of each column looks like; no two have the same name."""
        check_is_fitted(self)
        return distinct(name for columns in self.columns_ for name in columns.names())

    def _fit(self, X: Any) -> list[Group]:
        self._check()
        groups = self._groups(sequence(X))
        if groups[0].found.starts.size == 1:
            raise ValueError("X is empty: there must be at least one example.")
        self.columns_ = [Columns(group) for group in groups]
        return groups

    def _rows(self, groups: list[Group]) -> Any:
        parts = [columns.rows(group) for columns, group in zip(self.columns_, groups, strict=True)]
        return parts[0] if len(parts) == 1 else sp.hstack(parts, "csr")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags


def sequence(X: Any) -> Any:
    """Return X if it holds examples; of an iterator, a list of what it yields."""
    if isinstance(X, str | bytes | Mapping) or not isinstance(X, Iterable):
        raise TypeError(f"X is a single {type(X).__name__}: give a sequence of examples, such as [X].")
    return one_column(X) if hasattr(X, "__len__") else list(X)


def examples_of(X: Any) -> list[Any]:
    """Return the examples in a list."""
    if hasattr(X, "columns"):
        raise TypeError(
            "X is a data frame, whose rows are not examples of this kind: give one of its columns."
        )
    return list(sequence(X))


def distinct(names: Iterable[str]) -> Anything:
    """Return the names, with a number behind those that came before.

    Examples
    --------
    >>> distinct(["ice", "ice_cream", "ice_cream"]).tolist()
    ['ice', 'ice_cream', 'ice_cream#2']
    """
    again: Counter[str] = Counter()
    taken: dict[str, None] = {}  # in order
    for name in names:
        own = name
        while own in taken:
            again[name] += 1
            own = f"{name}#{again[name] + 1}"
        taken[own] = None
    return np.array(list(taken), dtype=object)
