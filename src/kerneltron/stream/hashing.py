"""How words become features: the settings that a model and its data must share."""

from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import Any, Self

import numpy as np

from kerneltron.engine.text.hashing import hash_texts
from kerneltron.engine.text.items import Recipe

MOST_BITS = 30
WIDEST_GROUP = 8
LATER = ("only_crossed", "damped")  # settings that the first versions did not write


@dataclass(frozen=True, kw_only=True)
class Hashing:
    """The hash trick: feature `name` of value x adds sign(h) x to slot |h| mod 2^bits, h = murmur3(name).

    Parameters
    ----------
    bits
        There are 2^bits slots.
    signed
        Without signs, names that meet in a slot add up and inner products grow: only for learners that do
        not take negative features (Winnow).
    binary
        A name appears in an example or not; else values are summed, and words counted.
    damped
        What is summed in a slot, x, becomes sign(x) log(1 + |x|): the tenth time that a word comes tells less
        than the first.
    normalize
        Bring every example to length 1.
    ngrams
        Groups of up to this many neighbouring words are features too.
    skips
        How many words a group may leap over.
    copies
        Hash each feature this many times, into different slots, with its value divided by sqrt(copies).
    cross
        Pairs of namespaces such as "user*text": every pair of their features is a feature.
    lowercase
        Words of running text are compared without regard to case.
    only_crossed
        Namespaces of `cross` whose features are there in pairs alone: with "user", whoever wrote a text does
        not count by itself.
    """

    bits: int = 18
    signed: bool = True
    binary: bool = False
    normalize: bool = False
    ngrams: int = 1
    skips: int = 0
    copies: int = 1
    cross: tuple[str, ...] = ()
    lowercase: bool = True
    only_crossed: tuple[str, ...] = ()
    damped: bool = False

    def __post_init__(self) -> None:
        for name, least, most in (
            ("bits", 1, MOST_BITS),
            ("ngrams", 1, WIDEST_GROUP),
            ("skips", 0, WIDEST_GROUP),
            ("copies", 1, 1024),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise TypeError(f"{name}={value!r} is not a whole number.")
            if not least <= value <= most:
                raise ValueError(f"{name}={value!r} must be from {least} to {most}.")
        for name in ("signed", "binary", "damped", "normalize", "lowercase"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise TypeError(f"{name}={getattr(self, name)!r} is neither True nor False.")
        for name in ("cross", "only_crossed"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise TypeError(f"{name}={value!r} is text: give a list, such as [{value!r}].")
            object.__setattr__(self, name, tuple(value))
        if self.binary and self.damped:
            raise ValueError("binary=True leaves no counts that damped=True could dampen: give one of them.")
        crossed = self.spaces()
        for name in self.only_crossed:
            if name not in crossed:
                raise ValueError(
                    f"only_crossed={list(self.only_crossed)!r} names {name!r}, which is in no pair of "
                    f"cross={list(self.cross)!r}: it would be lost."
                )

    @property
    def slots(self) -> int:
        """Number of slots."""
        return 1 << self.bits

    def groups(self) -> list[tuple[int, ...]]:
        """Say how far the further words of each kind of group are from its first word.

        Examples
        --------
        >>> Hashing(ngrams=2, skips=1).groups()
        [(1,), (2,)]
        >>> Hashing(ngrams=3).groups()
        [(1,), (1, 2)]
        """
        return [
            further
            for size in range(2, self.ngrams + 1)
            for further in combinations(range(1, size + self.skips), size - 1)
        ]

    def spaces(self) -> list[str]:
        """Return the namespaces that crosses name."""
        return sorted({part for pair in self.cross for part in _parts(pair)})

    def recipe(self, digest: bool = False) -> Recipe:
        """Return the settings as compiled code takes them."""
        groups, spaces = self.groups(), self.spaces()
        distances = np.zeros((len(groups), max([1, *map(len, groups)])), np.int64)
        for row, group in zip(distances, groups, strict=True):
            row[: len(group)] = group
        crosses = np.array([[spaces.index(part) for part in _parts(pair)] for pair in self.cross], np.int64)
        return Recipe(
            self.slots - 1,
            self.signed,
            self.binary,
            self.normalize,
            self.copies,
            distances,
            hash_texts([space.encode() for space in spaces]),
            crosses.reshape(-1, 2),
            np.array([spaces.index(name) for name in self.only_crossed], np.int64),
            digest,
            self.lowercase,
            self.damped,
        )

    def differences(self, other: Self) -> list[str]:
        """Say in words where two settings differ."""
        return [
            f"{field.name}={getattr(self, field.name)!r} and {field.name}={getattr(other, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != getattr(other, field.name)
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain values; those of LATER only where they are used."""
        settings = {**asdict(self), "cross": list(self.cross), "only_crossed": list(self.only_crossed)}
        return {name: value for name, value in settings.items() if value or name not in LATER}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return the settings that `to_json` wrote."""
        known = {field.name for field in fields(cls)}
        strange = sorted(set(values) - known)
        if strange:
            raise ValueError(f"The hash setting {strange[0]!r} is not known to this version.")
        return cls(**values)


def _parts(pair: Any) -> tuple[str, str]:
    parts = tuple(part.strip() for part in pair.split("*")) if isinstance(pair, str) else ()
    if len(parts) != 2 or not all(parts):
        raise ValueError(f"cross={pair!r} is not a pair of namespaces: write it as in 'user*text'.")
    return parts
