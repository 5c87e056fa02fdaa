"""The table of a door: addresses of objects that differ from process to process.

Machine code finds them there by their places: what follows, then the classes of NamedTuples among arguments.
"""

from typing import Any

import numpy as np

HELD = (None, NotImplemented, np.ndarray, RuntimeError, bool, np.bool_, np.uint64, float, np.floating)
NONE, NOT_IMPLEMENTED, NDARRAY, FAILURE, BOOL, NUMPY_BOOL, UINT64, FLOAT, FLOATING, CLASSES = range(10)


def table_of(held: tuple[Any, ...]) -> bytes:
    """Return the addresses of objects, which the caller keeps alive."""
    return np.array([id(each) for each in held], np.uint64).tobytes()
