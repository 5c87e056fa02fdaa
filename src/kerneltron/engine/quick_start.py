"""What lets numba start sooner in a process of our own."""

import sys


def leave_out_linear_algebra() -> None:
    """Let numba load without SciPy's linear algebra: our compiled functions call none of it.

    numba asks for it when it loads its first function, and it takes 0.2 of the 1.1 s in which a command
    starts. Only the command line does this: in a user's own process, numba shall have all that it can use.
    """
    if "scipy.linalg" in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # an import of it fails at once
    try:
        import numba.np.arraymath  # noqa: F401 - here numba looks whether it is there
    finally:
        del sys.modules["scipy.linalg"]
