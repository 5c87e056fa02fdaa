"""What an experiment answers: numbers beside those that were published, tables and pictures.

Each module of this folder that `catalogue.py` names has a function `reproduce(asked: Asked) -> Outcome`. One
that can be done in parts names them in PARTS, and asks `asked.chosen(PARTS)` for those that are wanted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table

Work = TypeVar("Work")
# What stands beside a number of ours.
PUBLISHED = "published"  # somebody measured it
THEORY = "theory"  # a theorem, or the construction of the data, says what to expect
MEMORY = "memory"  # published, but quoted from memory: shown, and nothing is concluded from it
INCOMPARABLE = "incomparable"  # published, with other data or another protocol: shown, and not judged
KINDS = (PUBLISHED, THEORY, MEMORY, INCOMPARABLE)

SAME, BETTER, WORSE, SUSPICIOUS, NEW = "as published", "better", "worse", "suspiciously better", ""
AS_THEORY, UNLIKE_THEORY = "as theory says", "unlike theory"
DIFFERENT, NOT_COMPARABLE = "different", "not comparable"
CLOSE = 0.1  # of a published number: as far as ours may be from it and still be called the same
TOO_FEW = 2 / 3  # of the published errors: with fewer, a result is not to be believed without a reason


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words in a row.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    return f" {last} ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


def offered(word: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about a word that is not known, with those that are most alike."""
    nearest = get_close_matches(word, list(known), n=3)
    return f": did you mean {listed([repr(name) for name in nearest], 'or')}?" if nearest else "."


class Asked(NamedTuple):
    """How much is to be done."""

    quick: bool = False  # seconds, to see whether it runs: its numbers are not to be believed
    full: bool = False  # all seeds and settings, however long that takes
    parts: tuple[str, ...] = ()  # of an experiment that has some; empty for all that are usual
    seed: int = 0

    # Wraps what is worked through, and says how far it is: `for seed in asked.show(range(20), "Splits")`.
    progress: Callable[[Iterable[Any], str], Iterable[Any]] = lambda work, what: work

    def show(self, work: Iterable[Work], what: str) -> Iterable[Work]:
        """Yield the work, with a bar that says how much of it is done."""
        return self.progress(work, what)

    def chosen(self, known: Sequence[str], usual: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return the parts to be done, in order; if none are named, those that are `usual`, by default all.

        Examples
        --------
        >>> Asked(parts=("ten",)).chosen(("nine", "ten", "select"), usual=("nine",))
        ('ten',)
        >>> Asked(parts=("tne",)).chosen(("nine", "ten", "select"))
        Traceback (most recent call last):
        ValueError: there is no part 'tne': did you mean 'ten'? There are nine, ten and select.
        """
        for part in self.parts:
            if part not in known:
                raise ValueError(
                    f"there is no part {part!r}{offered(part, known)} There are {listed(known)}."
                )
        wanted = self.parts or usual or known
        return tuple(part for part in known if part in wanted)


class Comparison(NamedTuple):
    """One of our numbers beside one that was published, or that theory expects.

    `published` is what stands beside ours, None where there is nothing; `source` says whose number it is, and
    `kind` what: one of `KINDS`. `close` is how far apart they may be, by default a tenth of the published
    one; give more where ours varies by chance. `reason` says why they are not alike, where that is known:
    another split, other settings.
    """

    what: str
    ours: float
    published: float | None = None
    unit: str = "%"
    spread: float | None = None  # standard deviation of ours, over seeds or splits
    higher_is_better: bool | None = False  # None for numbers that are neither, such as counts
    close: float | None = None
    reason: str = ""
    source: str = ""  # author, year, table; or which theorem
    kind: str = PUBLISHED

    @property
    def difference(self) -> float | None:
        """Ours minus theirs, where that means something."""
        if self.published is None or self.kind in (MEMORY, INCOMPARABLE):
            return None
        return self.ours - self.published

    @property
    def verdict(self) -> str:
        """Whether ours is as published, better, worse, or so much better that something may be wrong.

        Examples
        --------
        >>> [Comparison("error", ours, 1.0).verdict for ours in (1.05, 0.8, 1.3, 0.2)]
        ['as published', 'better', 'worse', 'suspiciously better']
        >>> Comparison("mistakes", 100, 100, unit="", higher_is_better=None, kind=THEORY).verdict
        'as theory says'
        """
        if self.published is None or isnan(self.ours) or self.kind == MEMORY:
            return NEW
        if self.kind == INCOMPARABLE:
            return NOT_COMPARABLE
        close = abs(self.published) * CLOSE if self.close is None else self.close
        is_close = abs(self.ours - self.published) <= close
        if self.kind == THEORY:
            return AS_THEORY if is_close else UNLIKE_THEORY
        return SUSPICIOUS if self.is_suspicious else SAME if is_close else self._direction()

    def _direction(self) -> str:
        """Say on which side of the published number ours is."""
        if self.higher_is_better is None or self.published is None:
            return DIFFERENT
        return BETTER if (self.ours > self.published) == self.higher_is_better else WORSE

    @property
    def is_suspicious(self) -> bool:
        """Whether ours errs on less than two thirds of what theirs does, and by more than our own spread.

        However far apart two numbers may be to be called the same, half of the errors are not the same:
        of an accuracy, it is what is missing to 100 % that counts.

        Examples
        --------
        >>> Comparison("accuracy", 97.0, 94.0, higher_is_better=True, close=5.0).is_suspicious
        True
        >>> Comparison("error", 0.5, 1.0, spread=0.6).is_suspicious
        False
        """
        errors = self._errors()
        if errors is None:
            return False
        ours, theirs = errors
        return ours < TOO_FEW * theirs and theirs - ours > (self.spread or 0.0)

    def _errors(self) -> tuple[float, float] | None:
        """Return our error and theirs, None where the numbers tell of none."""
        if self.published is None or self.higher_is_better is None:
            return None
        if not self.higher_is_better:
            return self.ours, self.published
        return (100 - self.ours, 100 - self.published) if self.unit == "%" else None


class Outcome(NamedTuple):
    """What came out of an experiment.

    `tables` are rich's, with text in their cells. `pictures` are drawn when they are saved, by these names.
    `figures` are all numbers, as JSON can hold them. `notes` are sentences that a reader needs beside the
    numbers: how settings were chosen, what does not compare. `captions` say in a sentence what some of the
    pictures show. `left_out` has the parts whose data are missing, with what was looked for.
    """

    comparisons: Sequence[Comparison] = ()
    tables: "Sequence[Table]" = ()
    pictures: "Mapping[str, Callable[[], Figure]]" = MappingProxyType({})
    notes: Sequence[str] = ()
    figures: Any = None
    captions: Mapping[str, str] = MappingProxyType({})
    left_out: Mapping[str, str] = MappingProxyType({})
