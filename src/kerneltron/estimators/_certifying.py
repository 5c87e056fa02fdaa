"""Certificates of classifiers: input is read as for `fit`, and the run is made again."""

from typing import Any

from kerneltron.estimators._input import check_given, read
from kerneltron.theory.certificates import Certificate, Certificates, certify


def certificate(estimator: Any, X: Any, y: Any, test: Any) -> Certificate | Certificates:
    """Return the certificate of the run that a fitted classifier made."""
    X, y = read(estimator, estimator.learner_, X, check_given(estimator, y))
    error = None
    if test is not None:
        if not isinstance(test, tuple | list) or len(test) != 2:
            raise ValueError(f"test={type(test).__name__} is not a pair: give test=(X_test, y_test).")
        error = 1.0 - float(estimator.score(*test))
    return certify(estimator.learner_, X, y, error)
