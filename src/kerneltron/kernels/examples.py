"""Collections of structures as people hand them over."""

from typing import Any

import numpy as np


def one_column(X: Any) -> Any:
    """Return the one column of an array of texts or objects, as a table hands it over; else X as it is.

    Taken for a sequence, each row would be one symbol long, and no two rows would have anything in common.

    Examples
    --------
    >>> one_column(np.array([["GATTACA"], ["TACGAT"]])).tolist()
    ['GATTACA', 'TACGAT']
    """
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.shape[1] == 1 and X.dtype.kind in "OUST":
        return X[:, 0]
    return X
