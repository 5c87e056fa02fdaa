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
SAME, BETTER, WORSE, SUSPICIOUS, NEW = "as published", "better", "worse", "suspiciously better", ""
CLOSE = 0.1  # of a published number: as far as ours may be from it and still be called the same
MUCH = 3  # times as far as that, on the better side: too good to be believed without a reason


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
    """One of our numbers beside the published one.

    `published` is None where nobody published it. `close` is how far apart they may be, by default a tenth of
    the published one; give more where ours varies by chance. `reason` says why they are not alike, where that
    is known: another split, other settings.
    """

    what: str
    ours: float
    published: float | None = None
    unit: str = "%"
    spread: float | None = None  # standard deviation of ours, over seeds or splits
    higher_is_better: bool | None = False  # None for numbers that are neither, such as counts
    close: float | None = None
    reason: str = ""

    @property
    def difference(self) -> float | None:
        """Ours minus theirs."""
        return None if self.published is None else self.ours - self.published

    @property
    def verdict(self) -> str:
        """Whether ours is as published, better, worse, or so much better that something may be wrong.

        Examples
        --------
        >>> [Comparison("error", ours, 1.0).verdict for ours in (1.05, 0.8, 1.3, 0.2)]
        ['as published', 'better', 'worse', 'suspiciously better']
        """
        if self.published is None or isnan(self.ours):
            return NEW
        close = abs(self.published) * CLOSE if self.close is None else self.close
        gain = self.published - self.ours
        if abs(gain) <= close:
            return SAME
        if self.higher_is_better is None:
            return "different"
        gain = -gain if self.higher_is_better else gain
        if gain < 0:
            return WORSE
        return SUSPICIOUS if gain > MUCH * close else BETTER


class Outcome(NamedTuple):
    """What came out of an experiment.

    `tables` are rich's, with text in their cells. `pictures` are drawn when they are saved, by these names.
    `figures` are all numbers, as JSON can hold them. `notes` are sentences that a reader needs beside the
    numbers: how settings were chosen, what does not compare.
    """

    comparisons: Sequence[Comparison] = ()
    tables: "Sequence[Table]" = ()
    pictures: "Mapping[str, Callable[[], Figure]]" = MappingProxyType({})
    notes: Sequence[str] = ()
    figures: Any = None
