"""Maps whose inner products approximate a kernel: what is asked for, and what was found.

An `Approximation` is a description, such as `RandomFourier(2000)`: immutable, without data, with a text. Its
`fit` makes an `ApproximateMap`, which holds what was drawn or chosen: frequencies, landmarks, hashes.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, replace
from numbers import Integral
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.kernels.auto import has_open_width
from kerneltron.kernels.kernel import Kernel, text
from kerneltron.kernels.pack import Pack

ENTRIES = 2**21  # mapped numbers that are held at a time
SAMPLE = 1000  # examples that the error is measured on


class Approximation(ABC):
    """Which map is asked for: a frozen dataclass, `random_state` among its parameters, and no data.

    A new one is a file in `maps/` with this and an `ApproximateMap`, and a line in `maps/catalogue.py`.
    """

    random_state: int | None

    @abstractmethod
    def _fit(self, kernel: Kernel, X: Any, seed: int) -> "ApproximateMap":
        """Return the map for a kernel and examples such as X, which nothing but the seed leaves open."""

    @classmethod
    @abstractmethod
    def _found_type(cls) -> "type[ApproximateMap]":
        """Return the class of the maps that `_fit` makes."""

    def fit(self, kernel: Kernel, X: Any, seed: int = 0) -> "ApproximateMap":
        """Return the map for a kernel and for examples such as X.

        Parameters
        ----------
        kernel
            What the inner products of mapped rows are to approximate.
        X
            Examples, or the first of many: their width, and for some maps themselves, decide about the map.
        seed
            Used where `random_state` is None.
        """
        if has_open_width(kernel):
            raise ValueError(
                f"the width of {kernel} is found by labels, which a map does not see: give a number, such as "
                "kernels.propose_sigma(X, y), or the map to a learner, as its representation."
            )
        chosen = seed if self.random_state is None else self.random_state
        if not isinstance(chosen, Integral) or isinstance(chosen, bool) or not 0 <= chosen < 2**32:
            raise ValueError(f"random_state={chosen!r} must be a whole number from 0 to 2**32 - 1, or None.")
        return self._fit(kernel, X, int(chosen))

    def restored(self, saved: "Saved") -> "ApproximateMap":
        """Return a map that was made from this description and saved."""
        return self._found_type().restore(saved)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return {field.name: getattr(self, field.name) for field in self._fields()}

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other parameters."""
        known = [field.name for field in self._fields()]
        for name in changes:
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}."
                )
        return replace(self, **changes)  # type: ignore[type-var]

    def __sklearn_clone__(self) -> Self:
        return self

    def __repr__(self) -> str:
        required = [text(getattr(self, field.name)) for field in self._fields() if field.default is MISSING]
        others = [field for field in self._fields() if field.default is not MISSING]
        changed = [(field.name, getattr(self, field.name), field.default) for field in others]
        given = [f"{name}={text(value)}" for name, value, usual in changed if not _is_same(value, usual)]
        return f"{type(self).__name__}({', '.join([*required, *given])})"

    def _fields(self) -> tuple[Field[Any], ...]:
        return fields(self)  # type: ignore[arg-type]


def _is_same(value: Any, usual: Any) -> bool:
    """Return whether a parameter has its default; 0 is not False."""
    return value is usual or (type(value) is type(usual) and bool(value == usual))


class Saved(NamedTuple):
    """What a file holds of a map: all that it was made from, and what `ApproximateMap.state` returned.

    `contents` are `files.contents.Contents`, which check types and shapes of what they hand over.
    """

    asked: Any
    kernel: Kernel
    inputs: int | None
    seed: int
    contents: Any
    landmarks: Pack | None


class StandsForMap(Protocol):
    """What can be given in place of an approximation: a transformer of `kerneltron.features`."""

    def approximation(self) -> Approximation:
        """Return the description of its map."""


class ApproximateMap(ABC):
    """phi with <phi(x), phi(z)> about k(x, z), in `width` dense numbers.

    Parameters
    ----------
    asked
        The description that it was made from.
    kernel
        The kernel that it approximates.
    inputs
        Number of columns of the rows that it takes; None where examples are not rows of numbers.
    seed
        What was drawn depends on it.
    """

    landmarks: Pack | None = None  # examples that it compares others with
    is_of_products: ClassVar[bool] = True  # its last digits depend on how many rows are mapped at a time

    def __init__(self, asked: Approximation, kernel: Kernel, inputs: int | None, seed: int) -> None:
        self.asked, self.kernel, self.inputs, self.seed = asked, kernel, inputs, seed

    @property
    @abstractmethod
    def width(self) -> int:
        """The number of features."""

    @abstractmethod
    def names(self) -> list[str]:
        """Return the names of the features, in the order of the columns."""

    def features(self) -> Iterator[Any]:
        """Yield the names of the features, as exact maps do."""
        return iter(self.names())

    def __eq__(self, other: object) -> bool:
        """Return whether another map takes every example to the same features."""
        if type(self) is not type(other):
            return False
        assert isinstance(other, ApproximateMap)
        mine, its = self.state()[1], other.state()[1]
        return (self.asked, self.kernel, self.inputs, self.seed) == (
            other.asked,
            other.kernel,
            other.inputs,
            other.seed,
        ) and all(np.array_equal(mine[name], its[name]) for name in mine)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self.asked} for {self.kernel}, {self.width} features, seed {self.seed}>"

    @abstractmethod
    def read(self, X: Any) -> Any:
        """Return examples checked and ready to be mapped: a matrix, or a pack; `[...]` returns some of them.

        What it returned before is returned as it is.
        """

    @abstractmethod
    def _mapped(self, examples: Any) -> Floats:
        """Return the features of examples that `read` returned: float32 where these are, else float64."""

    def mapped(self, examples: Any) -> Floats:
        """Return phi(x) for some examples that `read` returned: all features at once."""
        return self._mapped(examples)

    @abstractmethod
    def state(self) -> tuple[dict[str, Any], dict[str, Anything]]:
        """Return what is to be saved beside kernel, seed and landmarks: entries of a header, and tensors.

        What integers produce is not saved but made anew; what linear algebra produced is saved.
        """

    @classmethod
    @abstractmethod
    def restore(cls, saved: Saved) -> Self:
        """Return the map that was saved; raise a ValueError unless it fits together."""

    def __call__(self, X: Any) -> Floats:
        """Return phi(x) for each example: a dense matrix."""
        examples = self.read(X)
        out: Floats | None = None
        for part in self.parts(_count(examples)):
            mapped = self._mapped(examples[part])
            if out is None:
                out = np.empty((_count(examples), self.width), mapped.dtype)
            out[part] = mapped
        return self._mapped(examples) if out is None else out

    def folded(self, vectors: Floats) -> tuple["ApproximateMap", Floats]:
        """Return f and v with f(x) v = phi(x) `vectors`: for predictions alone, f may cost less than phi."""
        return self, vectors

    def parts(self, rows: int) -> Iterator[slice]:
        """Yield slices of so many rows that their features are held at a time."""
        size = max(1, min(512, ENTRIES // max(self.width, 1)))
        return (slice(first, first + size) for first in range(0, rows, size))

    def approximation_error(self, X: Any, sample: int = SAMPLE, random_state: int = 0) -> float:
        """Return ||phi(X) phi(X)' - K||_F / ||K||_F, K the Gram matrix of X or of a sample of it."""
        from kerneltron._validate import rows_of

        count = X.shape[0] if hasattr(X, "shape") else len(X)
        if count > sample:
            X = rows_of(X, np.sort(np.random.default_rng(random_state).choice(count, sample, replace=False)))
        exact = self.kernel(X)
        rows = self(X)
        length = float(np.linalg.norm(exact))
        return float(np.linalg.norm(rows @ rows.T - exact)) / length if length else 0.0


def _count(examples: Any) -> int:
    return int(examples.shape[0]) if hasattr(examples, "shape") else len(examples)
