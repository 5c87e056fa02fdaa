"""What lets numba start sooner in a process of our own."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

LINEAR_ALGEBRA = "scipy.linalg"


def load_numba() -> None:
    """Load numba without SciPy's linear algebra, which our compiled functions do not call.

    numba asks for it when it loads its first function. That takes 0.14 s of imports: `kerneltron train` on
    a small file takes 1.01 s without it and 1.18 s with it (best of 12). Only the command line does this: in
    a user's own process, numba must have all that it can use. What imports the linear algebra later gets it.
    """
    if LINEAR_ALGEBRA in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    with _missing(LINEAR_ALGEBRA):
        import numba.np.arraymath  # noqa: F401 - here numba looks whether it is there


@contextmanager
def _missing(module: str) -> Iterator[None]:
    """Let imports of a module that is not loaded fail inside the `with`, as if it were not installed.

    This is Python's own way to say so (None in `sys.modules`), and it holds for all threads: to be used
    before there are others.
    """
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]
