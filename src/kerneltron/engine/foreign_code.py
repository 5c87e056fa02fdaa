"""Code from outside of this package that ends up in a compiled function: which it is, and a digest of it.

numba keeps machine code on disk by the file of the function that it belongs to. It does not look at what that
function calls: a formula in another file may have changed since. For our own files, a new version of the
package brings new ones. Code from outside changes whenever its author likes.
"""

import sys
from collections.abc import Callable, Iterable
from hashlib import sha256
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any, NamedTuple

import numpy as np

from kerneltron.engine.machine.parts import Part

TRUSTED = {"kerneltron", "numba", "numpy", *sys.stdlib_module_names}  # what is as it was installed
PLAIN = (bool, int, float, complex, str, bytes, NoneType, np.generic, range)


class Choice(NamedTuple):
    """A function that takes the place of a stub where this is said of the type of the first argument."""

    stub: Callable[..., Any]
    is_chosen: Callable[[Any], bool]
    function: Callable[..., Any]
    options: dict[str, Any]


class UnknownCodeError(Exception):
    """What compiled code depends on cannot be told."""


CHOICES: list[Choice] = []


def is_foreign(thing: Any) -> bool:
    """Return whether a function or a type comes from outside of this package and of what it stands on."""
    return str(getattr(thing, "__module__", "")).partition(".")[0] not in TRUSTED


def foreign_types(classes: Iterable[type]) -> list[type]:
    """Return those NamedTuples among the arguments for which code from outside is compiled."""
    foreign = [choice for choice in CHOICES if is_foreign(choice.function)]

    def is_meant(each: type) -> bool:
        return is_foreign(each) or any(choice.is_chosen(each) for choice in foreign)

    return sorted(filter(is_meant, set(classes)), key=_name)


def digest(function: Callable[..., Any], types: list[type]) -> str:
    """Return a digest of all code from outside that a function becomes with such arguments.

    It is the same in every process, and another one when a formula, a constant or a function that it calls
    has changed. Raises an `UnknownCodeError` where that cannot be told.
    """
    walk = _Walk()
    if is_foreign(function):
        walk.function(function)
    for each in types:
        walk.value(each)
        for choice in (choice for choice in CHOICES if choice.is_chosen(each)):
            walk.choice(choice)
    return walk.digest.hexdigest()


class _Walk:
    """A walk over everything that numba would compile, or take for a constant."""

    def __init__(self) -> None:
        self.digest = sha256()
        self._seen: set[int] = set()

    def add(self, *texts: Any) -> None:
        """Add something to the digest by its text."""
        self.digest.update(repr(texts).encode())

    def choice(self, choice: Choice) -> None:
        """Add a function that takes the place of a stub."""
        self.add(_name(choice.stub), sorted(choice.options.items()))
        if is_foreign(choice.function):
            self.function(choice.function)
        else:
            self.add(_name(choice.function))

    def function(self, function: Any) -> None:
        """Add a function from outside, which is compiled, and all that it refers to."""
        if id(function) in self._seen:
            return self.add("seen", _name(function))
        self._seen.add(id(function))
        self.value(function.__defaults__)
        self._code(function.__code__, function.__globals__)
        return self.value(tuple(cell.cell_contents for cell in function.__closure__ or ()))

    def _code(self, code: CodeType, names: dict[str, Any]) -> None:
        self.add(code.co_code, code.co_names, code.co_varnames, code.co_argcount)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant, names)
            else:
                self.value(constant)
        for name in code.co_names:
            if name in names:
                self.value(names[name], code.co_names)

    def value(self, value: Any, names: tuple[str, ...] = ()) -> None:
        """Add what a name stands for; `names` are those that may be looked up in it."""
        self.add(type(value).__name__)
        if isinstance(value, PLAIN):
            self.add(value)
        elif isinstance(value, tuple | frozenset):
            for each in value if isinstance(value, tuple) else sorted(value, key=repr):
                self.value(each)
        elif isinstance(value, np.ndarray):
            self.add(value.dtype, value.shape, value.tobytes())
        elif isinstance(value, ModuleType):
            self._module(value, names)
        elif hasattr(value, "py_func") and is_foreign(value.py_func):  # compiled by numba itself, or a part
            options = value.options if isinstance(value, Part) else value.targetoptions
            self.add(sorted(map(repr, options.items())))
            self.function(value.py_func)
        elif isinstance(value, type) and issubclass(value, tuple):
            self.add(_name(value), getattr(value, "_fields", ()))
        elif isinstance(value, np.ufunc | BuiltinFunctionType) or not is_foreign(value):
            self.add(_name(value))
        else:
            self._stub(value)

    def _module(self, module: ModuleType, names: tuple[str, ...]) -> None:
        self.add(module.__name__)
        if module.__name__.partition(".")[0] not in TRUSTED:
            for name in (name for name in names if hasattr(module, name)):
                self.value(getattr(module, name), names)

    def _stub(self, value: Any) -> None:
        """Add all that may take the place of a function which is not compiled itself."""
        choices = [choice for choice in CHOICES if choice.stub is value]
        if not isinstance(value, FunctionType) or not choices:
            raise UnknownCodeError(f"{value!r} may be anything")
        if id(value) not in self._seen:
            self._seen.add(id(value))
            for choice in choices:
                self.choice(choice)


def _name(thing: Any) -> str:
    return f"{getattr(thing, '__module__', '')}.{getattr(thing, '__qualname__', repr(thing))}"
