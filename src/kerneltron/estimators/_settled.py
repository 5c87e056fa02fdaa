"""Methods that are, by their parameters, those of the call before, and need no other check."""

from numbers import Number
from operator import is_
from typing import Any

from kerneltron.kernels.kernel import Kernel
from kerneltron.learning.method import Method
from kerneltron.learning.parameters import names_of

IMMUTABLE = (str, Number, Kernel, type(None))
UNREAD = ("random_state", "callback")  # a stream has its seed from its first call, and calls nothing back


def is_settled(method: Method) -> bool:
    """Return whether nothing can change in a method from outside, such as an entry of a dict."""
    names = (name for name in names_of(type(method)) if name not in UNREAD)
    return all(isinstance(getattr(method, name), IMMUTABLE) for name in names)


def describes(method: Method, estimator: Any) -> bool:
    """Return whether the parameters of an estimator are still, object for object, those of a method."""
    theirs, mine = vars(method), vars(estimator)
    return all(map(is_, map(theirs.get, names := names_of(type(method))), map(mine.get, names)))
