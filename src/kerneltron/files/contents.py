"""What a model file holds, a header and tensors, and how it is asked for: with a type and a shape."""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple, NoReturn

import numpy as np

from kerneltron._types import Anything

LARGEST_COUNT = 2**63 - 1  # the largest whole number that is a count


class ModelFileError(ValueError):
    """A file that is not a model of kerneltron, or a damaged one."""


class Contents(NamedTuple):
    """A header of plain JSON values, and arrays by name.

    The contents of a part stand under its name in the header, and its tensors have the names "part.tensor".

    Examples
    --------
    >>> import numpy as np
    >>> whole = Contents({"kind": "pair"}, {}).with_part("left", Contents({"n": 2}, {"v": np.zeros(2)}))
    >>> whole.header, list(whole.tensors)
    ({'kind': 'pair', 'left': {'n': 2}}, ['left.v'])
    >>> whole.part("left").array("v", np.float64, (3,))
    Traceback (most recent call last):
    kerneltron.files.contents.ModelFileError: the tensor 'v' has the shape (2,), not (3,)
    """

    header: dict[str, Any]
    tensors: dict[str, Anything]

    # -- parts ---------------------------------------------------------------------------------------

    def with_part(self, name: str, part: "Contents") -> "Contents":
        """Return these contents and those of a part."""
        tensors = {f"{name}.{key}": array for key, array in part.tensors.items()}
        return Contents({**self.header, name: part.header}, {**self.tensors, **tensors})

    def part(self, name: str) -> "Contents":
        """Return the contents of a part."""
        header = self._value(name)
        if not isinstance(header, dict):
            _refuse(name, header, "an object")
        prefix = f"{name}."
        inside = {k.removeprefix(prefix): array for k, array in self.tensors.items() if k.startswith(prefix)}
        return Contents(header, inside)

    # -- the header ----------------------------------------------------------------------------------

    def text(self, key: str, choices: Sequence[str] | None = None) -> str:
        """Return a text, one of `choices` if they are given."""
        value = self._value(key)
        if not isinstance(value, str):
            _refuse(key, value, "text")
        if choices is not None and value not in choices:
            _refuse(key, value, f"one of {', '.join(choices)}")
        return value

    def truth(self, key: str) -> bool:
        """Return True or False."""
        value = self._value(key)
        if not isinstance(value, bool):
            _refuse(key, value, "true or false")
        return value

    def whole(self, key: str, least: int = 0, most: int = LARGEST_COUNT) -> int:
        """Return a whole number between `least` and `most`."""
        value = self._value(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            _refuse(key, value, f"a whole number from {least} to {most}")
        return value

    def number(self, key: str, least: float = -inf) -> float:
        """Return a number, at least `least`; infinity stands as the text "inf"."""
        value = self._value(key)
        if value == "inf":
            return inf
        if not isinstance(value, float | int) or isinstance(value, bool) or not value >= least:
            _refuse(key, value, "a number" if least == -inf else f"a number of at least {least:g}")
        return float(value)

    def items(self, key: str) -> list[Any]:
        """Return a list."""
        value = self._value(key)
        if not isinstance(value, list):
            _refuse(key, value, "a list")
        return value

    def refuse(self, why: str) -> NoReturn:
        """Raise for what stands in the contents and does not fit: `why`."""
        raise ModelFileError(why)

    def _value(self, key: str) -> Any:
        if key not in self.header:
            raise ModelFileError(f"the header has no {key!r}")
        return self.header[key]

    # -- tensors -------------------------------------------------------------------------------------

    def array(self, name: str, dtypes: Any, shape: tuple[int | None, ...]) -> Any:
        """Return a tensor; raise unless it has one of these types, and this shape (None is any length)."""
        if name not in self.tensors:
            raise ModelFileError(f"there is no tensor {name!r}")
        array = self.tensors[name]
        known = [np.dtype(dtype) for dtype in (dtypes if isinstance(dtypes, tuple) else (dtypes,))]
        if array.dtype not in known:
            wanted = " or ".join(map(str, known))
            raise ModelFileError(f"the tensor {name!r} holds {array.dtype}, not {wanted}")
        pairs = zip(array.shape, shape, strict=False)
        if array.ndim != len(shape) or any(want not in (None, length) for length, want in pairs):
            raise ModelFileError(f"the tensor {name!r} has the shape {array.shape}, not {_shown(shape)}")
        return np.asarray(array)

    def places(self, name: str, shape: tuple[int | None, ...], below: int, dtypes: Any = np.int64) -> Any:
        """Return a tensor of whole numbers from 0 to `below` - 1: loops will look there unasked."""
        array = self.array(name, dtypes, shape)
        if array.size and (array.min() < 0 or array.max() >= below):
            raise ModelFileError(f"the tensor {name!r} holds a place that is not from 0 to {below - 1}")
        return array


def number(value: float) -> float | str:
    """Return a number as `Contents.number` reads it: JSON knows no infinity."""
    return "inf" if value == inf else float(value)


def _refuse(key: str, value: Any, wanted: str) -> NoReturn:
    shown = repr(value)
    raise ModelFileError(f"{key!r} in the header is {shown[:60]}{'...' * (len(shown) > 60)}, not {wanted}")


def _shown(shape: tuple[int | None, ...]) -> str:
    lengths = ", ".join("any" if length is None else str(length) for length in shape)
    return f"({lengths},)" if len(shape) == 1 else f"({lengths})"
