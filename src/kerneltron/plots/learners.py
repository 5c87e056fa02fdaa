"""Learners as pictures ask them: fitted, of known labels and, where a line is drawn, linear."""

from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats


def check_fitted(estimator: Any, labels: Anything) -> None:
    """Raise NotFittedError if a classifier has learned nothing, ValueError if it does not know some labels.

    Parameters
    ----------
    estimator
        A classifier, of ours or not.
    labels
        Those of the examples that are to be drawn.
    """
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
    known = np.asarray(estimator.classes_).tolist()
    unknown = [label for label in np.unique(labels).tolist() if label not in known]
    if unknown:
        raise ValueError(
            f"y holds labels that the learner does not know: {_listed(unknown)}. It was fitted on "
            f"{_listed(known)}: hand over labels of the same names and type."
        )


def check_single(certificate: Any) -> None:
    """Raise a ValueError unless a certificate is that of a single run, told of two classes."""
    from kerneltron.theory.certificates import Certificates

    if isinstance(certificate, Certificates):
        raise ValueError(
            f"There are {len(certificate)} classes, each with mistakes and a bound of its own: "
            "choose one by its place, as in `from_certificate(learner.certificate(X, y)[0])`."
        )


def plane_of(estimator: Any, columns: int) -> tuple[Floats, float]:
    """Return w and b of the plane <w, x> + b = 0 of a fitted linear classifier of two classes.

    Parameters
    ----------
    estimator
        With `coef_` and `intercept_`.
    columns
        How many weights there have to be.
    """
    try:
        weights, offset = np.asarray(estimator.coef_, float), np.ravel(estimator.intercept_)
    except AttributeError as error:
        raise ValueError(
            f"{estimator!r} has no single vector of weights, and so no straight line or plane to draw. Draw "
            "its boundary with BoundaryDisplay, whatever its kernel; a linear learner has weights with "
            "representation='primal' and hypothesis='average' or 'last'."
        ) from error
    if np.atleast_2d(weights).shape != (1, columns):
        raise ValueError(
            f"{estimator!r} has weights of the shape {weights.shape}, but the plane of two classes and "
            f"{columns} features has {columns}. Draw kernels and more classes with BoundaryDisplay."
        )
    return weights.ravel(), float(offset[0])


def _listed(labels: list[Any], most: int = 5) -> str:
    return ", ".join(map(repr, labels[:most])) + (", ..." if len(labels) > most else "")
