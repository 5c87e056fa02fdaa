"""Columns of mean 0 and variance 1, learned row by row."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kerneltron._matrices import sound
from kerneltron._plain import has_columns_of, is_plain_matrix
from kerneltron._types import Floats, Scaling
from kerneltron._validate import as_csr, check_finite, check_sample_weight, is_sparse
from kerneltron.scaling.column_scaler import ColumnScaler
from kerneltron.scaling.moments import Moments

ABSENT = ("zero", "missing")
DTYPES = [np.float64, np.float32]
LARGEST = 1e150  # its square, times many rows, is a number still


@dataclass(kw_only=True, eq=False, repr=False)
class Scaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Bring columns to one scale, whatever their units: (x - mean) / standard deviation.

    scikit-learn's `StandardScaler` for streams: what is known of a column grows row by row, to the same bits
    however rows are cut into calls, and `partial_fit_transform` scales each row by what was known up to and
    including it, as someone must who predicts one row after the other. Each row costs a few operations per
    entry, and memory is three numbers per column. A column that was constant so far is divided by 1. NaN and
    infinity are refused.

    Parameters
    ----------
    with_mean
        Whether to subtract the mean. "auto": where the first rows are dense. Of sparse rows zeros count for
        the mean and the variance, but centred they would be full: these are divided alone, and True refuses
        them.
    with_std
        Whether to divide by the standard deviation.
    absent
        What an entry is that a sparse row does not hold: "zero", or "missing". A column with missing entries
        is divided by the root of the mean square of those that are there, so that a word that counts 1 where
        it is stays as it is; a column that no row lacked so far is centred too, which fills nothing. This is
        what `kerneltron train --scale` does.

    robust
        Whether outliers count for less: an entry counts as at most as far from the mean as all entries before
        it together, by the sum of squares (25 entries on; earlier ones somewhat more). One huge value then at
        most doubles a variance. Rows themselves are not limited. False gives scikit-learn's figures.

    unit_rows
        Whether rows are brought to length 1 behind that, as suits texts with numbers beside them.

    Attributes
    ----------
    mean_, var_, scale_ : of each column, its mean and variance, and what it is divided by
    n_samples_seen_ : how many rows were counted, or their weight
    centres_ : whether rows are centred, as `with_mean` says or the first rows decided
    scaler_, moments_ : what scales rows, and what it knows of the columns, without scikit-learn
    n_features_in_, feature_names_in_ : as in scikit-learn

    References
    ----------
    B. P. Welford, "Note on a method for calculating corrected sums of squares and products", 1962.

    Examples
    --------
    >>> from kerneltron.features import Scaler
    >>> scaler = Scaler().partial_fit([[1000.0, 0.1]]).partial_fit([[3000.0, 0.3]])
    >>> scaler.transform([[3000.0, 0.2]]).round(6)
    array([[1., 0.]])
    >>> Scaler().partial_fit_transform([[5.0], [7.0], [6.0]]).round(2).ravel().tolist()
    [0.0, 1.0, 0.0]
    """

    with_mean: bool | str = "auto"
    with_std: bool = True
    absent: str = "zero"
    robust: bool = True
    unit_rows: bool = False

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Forget all rows, and count these.

        Parameters
        ----------
        X
            A matrix, dense or sparse.
        y
            Not looked at.
        sample_weight
            What each row counts; None: 1.
        """
        X, weight = self._read(X, sample_weight, reset=True)
        self._begin(X)
        self.scaler_.count(X, weight)
        return self

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Count further rows; parameters as for `fit`."""
        X, weight = self._begun(X, sample_weight)
        self.scaler_.count(X, weight)
        return self

    def partial_fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Count further rows, and return each as it is scaled by all rows up to and including it.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        """
        X, weight = self._begun(X, sample_weight)
        return self.scaler_.count_and_scale(X, weight)

    def transform(self, X: Any) -> Any:
        """Return the rows of X, scaled by what is known of their columns.

        Parameters
        ----------
        X
            A matrix, dense or sparse; single precision stays.
        """
        check_is_fitted(self)
        X, _ = self._read(X)
        self._check_centring(X, self.centres_)
        return self.scaler_.matrix(X)

    def inverse_transform(self, X: Any) -> Any:
        """Return the rows whose scaled rows are X; rows that were brought to length 1 have lost theirs."""
        check_is_fitted(self)
        if self.scaler_.unit_rows:
            raise ValueError(
                "rows were brought to length 1, and how long they were is not known: use `unit_rows=False`."
            )
        X, _ = self._read(X)
        self._check_centring(X, self.centres_)
        return self.scaler_.unscaled_matrix(X)

    @property
    def mean_(self) -> Floats:
        """The mean of each column."""
        return self._of_rows()[0]

    @property
    def var_(self) -> Floats:
        """The variance of each column."""
        return self._of_rows()[1]

    @property
    def scale_(self) -> Floats:
        """What each column is divided by."""
        return np.asarray(1.0 / self.scaler_.centres_and_factors()[1])

    @property
    def n_samples_seen_(self) -> int | float:
        """How many rows were counted, or their weight."""
        total = self.moments_.total
        return int(total) if total.is_integer() else total

    def _of_rows(self) -> tuple[Floats, Floats]:
        """Return mean and variance of each column: of all rows, or of those that hold it."""
        weights, means, squares = self.moments_.weights, self.moments_.means, self.moments_.squares
        counted = np.maximum(weights, np.finfo(np.float64).tiny)
        if self.absent == "missing":
            return means.copy(), squares / counted
        share = weights / (self.moments_.total or 1.0)
        return share * means, share * (squares / counted + means**2 * (1.0 - share))

    @property
    def moments_(self) -> Moments:
        """The weight, the mean and the squared deviations of the entries of each column."""
        return self.scaler_.moments

    def _begin(self, X: Any) -> None:
        """Forget all rows, and decide how rows such as X, the first ones, are scaled."""
        self.centres_ = self._decided(X)
        self.scaler_ = ColumnScaler(X.shape[1], self.scaling(), bool(self.unit_rows))

    def scaling(self) -> Scaling:
        """Return how columns are scaled, once it is decided whether they are centred."""
        is_zero = self.absent == "zero"
        return Scaling(is_zero, self.centres_, bool(self.with_std), is_zero, bool(self.robust))

    def _begun(self, X: Any, sample_weight: Any) -> tuple[Any, Floats]:
        """Return rows to count beside those that were."""
        if not hasattr(self, "scaler_"):
            X, weight = self._read(X, sample_weight, reset=True)
            self._begin(X)
            return X, weight
        X, weight = self._read(X, sample_weight)
        self._check_centring(X, self.centres_)
        return X, weight

    def _decided(self, X: Any) -> bool:
        """Return whether rows such as X, the first ones, are to be centred."""
        if self.absent not in ABSENT:
            raise ValueError(f"absent={self.absent!r} is not known. Choose 'zero' or 'missing'.")
        if isinstance(self.with_mean, str):
            if self.with_mean != "auto":
                raise ValueError(f"with_mean={self.with_mean!r} is not known. Choose True, False or 'auto'.")
            return self.absent == "missing" or not is_sparse(X)
        self._check_centring(X, bool(self.with_mean))
        return bool(self.with_mean)

    def _check_centring(self, X: Any, centres: bool) -> None:
        if centres and self.absent == "zero" and is_sparse(X):
            raise ValueError(
                "Sparse rows cannot be centred, as they would be full. Use with_mean=False from the first "
                "call on, absent='missing' if entries that are not there are unknown, or dense rows."
            )

    def _read(self, X: Any, sample_weight: Any = None, reset: bool = False) -> tuple[Any, Floats]:
        """Return rows that can be counted, and the weight of each."""
        if reset or not is_plain_matrix(X, DTYPES) or not has_columns_of(self, X):
            X = validate_data(
                self,
                as_csr(X) if is_sparse(X) else X,
                accept_sparse="csr",
                dtype=DTYPES,
                order="C",
                ensure_all_finite=False,  # `check_finite` says where
                reset=reset,
            )
        check_finite(X)
        if is_sparse(X):
            X = sound(X)
        values = X.data if is_sparse(X) else X
        if max(float(values.max(initial=0.0)), -float(values.min(initial=0.0))) > LARGEST:
            raise ValueError(f"X holds a number beyond {LARGEST:g}, whose square is not a number: bound it.")
        weight = check_sample_weight(sample_weight, X.shape[0])
        return X, np.ones(X.shape[0]) if weight is None else weight

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
