"""Feature maps of expressions, from those of their parts; None where a part has none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, prod, sqrt
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.maps.counting import log_sum
from kerneltron.maps.feature_map import FeatureMap, is_index

MOST_FACTORS = 500  # of a power: the name of a feature has one part for each


def constant(c: float) -> FeatureMap:
    """Return the map of k(x, z) = c, for rows of any number of columns."""
    return _Constant(c)


def scaled(base: FeatureMap | None, factor: float) -> FeatureMap | None:
    """Return the map of factor k(x, z); its features keep their names."""
    return None if base is None else _Scaled(base, factor)


def normalized(base: FeatureMap | None) -> FeatureMap | None:
    """Return the map of k(x, z) / sqrt(k(x, x) k(z, z)); its features keep their names."""
    return None if base is None else _Normalized(base)


def side_by_side(parts: Sequence[FeatureMap | None]) -> FeatureMap | None:
    """Return the map of a sum; (i, f) is the feature f of part i."""
    known = tuple(part for part in parts if part is not None)
    return _SideBySide(known) if len(known) == len(parts) else None


def power(base: FeatureMap | None, exponent: int) -> FeatureMap | None:
    """Return the map of a power, as `times` does; None where its features have too many names to list."""
    return times([base] * exponent) if exponent <= MOST_FACTORS else None


def times(parts: Sequence[FeatureMap | None]) -> FeatureMap | None:
    """Return the map of a product; (f, g, ...) is the product of the features f, g, ... of the parts."""
    known = tuple(part for part in parts if part is not None)
    return _Times(known) if len(known) == len(parts) else None


@dataclass(frozen=True)
class _Constant(FeatureMap):
    c: float
    inputs = None

    @property
    def width(self) -> int:
        return 1

    def features(self) -> Iterator[tuple[()]]:
        yield ()

    def check(self, feature: Any) -> None:
        if feature != ():
            raise ValueError(f"{feature!r} is not a feature of a constant: it has only ().")

    def _fill(self, X: Any, out: Floats) -> None:
        out[:] = sqrt(self.c)

    def _column(self, X: Any, feature: tuple[()]) -> Floats:
        return np.full(X.shape[0], sqrt(self.c), X.dtype)

    def _squares(self, X: Any) -> Floats:
        return np.full(X.shape[0], self.c)


@dataclass(frozen=True)
class _OverOne(FeatureMap):
    """The features of another map, each row times a number."""

    base: FeatureMap

    @property
    def inputs(self) -> int | None:  # type: ignore[override]
        return self.base.inputs

    @property
    def width(self) -> int:
        return self.base.width

    @property
    def log_width(self) -> float:
        return self.base.log_width

    def features(self) -> Iterator[Any]:
        return self.base.features()

    def check(self, feature: Any) -> None:
        self.base.check(feature)


@dataclass(frozen=True)
class _Scaled(_OverOne):
    factor: float

    def _fill(self, X: Any, out: Floats) -> None:
        self.base._fill(X, out)
        out *= sqrt(self.factor)

    def _column(self, X: Any, feature: Any) -> Floats:
        return self.base._column(X, feature) * sqrt(self.factor)

    def _squares(self, X: Any) -> Floats:
        return self.base._squares(X) * self.factor


@dataclass(frozen=True)
class _Normalized(_OverOne):
    def _fill(self, X: Any, out: Floats) -> None:
        self.base._fill(X, out)
        out *= self._factors(X)[:, None]

    def _column(self, X: Any, feature: Any) -> Floats:
        column = self.base._column(X, feature)
        column *= self._factors(X)
        return column

    def _squares(self, X: Any) -> Floats:
        ones: Floats = np.ones(X.shape[0])
        ones[self.base._squares(X) == 0] = 0
        return ones

    def _factors(self, X: Any) -> Floats:
        """Return 1 / ||phi(x)||, and 0 where phi(x) is 0."""
        with np.errstate(over="ignore"):
            squares = self.base._squares(X)
        if not np.isfinite(squares).all():
            raise ValueError(
                "the features of some row have a square sum beyond 1e308, so what each is in a row of length "
                "1 cannot be told: use the kernel itself, or fewer columns."
            )
        factors: Floats = np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
        return factors


@dataclass(frozen=True)
class _OverSeveral(FeatureMap):
    """A map made of several, for rows of the number of columns that all of them take."""

    parts: tuple[FeatureMap, ...]

    # What is known of a part is asked for once: a power of a power holds the same part thousands of times.
    @cached_property
    def inputs(self) -> int | None:  # type: ignore[override]
        return next((part.inputs for part in self.parts if part.inputs is not None), None)


@dataclass(frozen=True)
class _SideBySide(_OverSeveral):
    @cached_property
    def width(self) -> int:
        return sum(part.width for part in self.parts)

    @cached_property
    def log_width(self) -> float:
        return log_sum(part.log_width for part in self.parts)

    def features(self) -> Iterator[tuple[int, Any]]:
        return ((i, feature) for i, part in enumerate(self.parts) for feature in part.features())

    def check(self, feature: Any) -> None:
        if not (isinstance(feature, tuple) and len(feature) == 2 and is_index(feature[0], len(self.parts))):
            raise ValueError(
                f"{feature!r} is not a feature of a sum: give (i, feature), i the number of the part, below "
                f"{len(self.parts)}, and the name that the feature has there."
            )
        self.parts[feature[0]].check(feature[1])

    def _fill(self, X: Any, out: Floats) -> None:
        end = 0
        for part in self.parts:
            part._fill(X, out[:, end : end + part.width])
            end += part.width

    def _column(self, X: Any, feature: tuple[int, Any]) -> Floats:
        return self.parts[feature[0]]._column(X, feature[1])

    def _squares(self, X: Any) -> Floats:
        return sum((part._squares(X) for part in self.parts), np.zeros(X.shape[0]))


@dataclass(frozen=True)
class _Times(_OverSeveral):
    @cached_property
    def width(self) -> int:
        return prod(part.width for part in self.parts)

    @cached_property
    def log_width(self) -> float:
        # fsum: a map without features has -inf, which no other logarithm undoes.
        return fsum(part.log_width for part in self.parts)

    def features(self) -> Iterator[tuple[Any, ...]]:
        return _tuples(self.parts)

    def check(self, feature: Any) -> None:
        if not (isinstance(feature, tuple) and len(feature) == len(self.parts)):
            raise ValueError(
                f"{feature!r} is not a feature of a product: give a tuple of {len(self.parts)} names, one of "
                "each part."
            )
        for part, name in zip(self.parts, feature, strict=True):
            part.check(name)

    def _fill(self, X: Any, out: Floats) -> None:
        rows = np.ones((len(out), 1), out.dtype)
        for i, part in enumerate(self.parts):
            if i == 0 or part is not self.parts[i - 1]:  # the factors of a power are one map
                factor = np.empty((len(out), part.width), out.dtype)
                part._fill(X, factor)
            shape = len(out), rows.shape[1], part.width
            target = out if i == len(self.parts) - 1 else np.empty((len(out), shape[1] * shape[2]), out.dtype)
            np.multiply(rows[:, :, None], factor[:, None, :], out=target.reshape(shape))
            rows = target

    def _column(self, X: Any, feature: tuple[Any, ...]) -> Floats:
        pairs = zip(self.parts, feature, strict=True)
        return prod((part._column(X, name) for part, name in pairs), start=np.ones(X.shape[0], X.dtype))

    def _squares(self, X: Any) -> Floats:
        return prod((part._squares(X) for part in self.parts), start=np.ones(X.shape[0]))


def _tuples(parts: Sequence[FeatureMap]) -> Iterator[tuple[Any, ...]]:
    """Yield what itertools.product does, but without listing the parts first."""
    if not parts:
        yield ()
        return
    for first in parts[0].features():
        for rest in _tuples(parts[1:]):
            yield (first, *rest)
