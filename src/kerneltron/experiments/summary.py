"""Comparisons as rows of text, for the terminal, the page and the documentation alike."""

from collections.abc import Iterable, Mapping
from typing import Any

from kerneltron.experiments.experiment import SUSPICIOUS, THEORY

HEAD = ("what", "published or expected", "ours", "difference", "verdict")
OWN_HEAD = ("what", "ours")  # of numbers that nothing stands beside
SOURCE = "source"  # one more column, where there is room
CHECK = (
    "much better than published. Before it is believed, check that no test example was learned from, that no "
    "feature tells the label, that settings were chosen without the test examples, and that split and "
    "measure are those of the publication."
)
JUDGED = (
    "A number is as published if it is within a tenth of the published one, or within what its experiment "
    "states. It is suspiciously better if it errs on less than two thirds of what theirs does, by more than "
    "our own spread. What is quoted from memory is shown and not judged, and what theory expects is nobody's "
    "measurement. After ± is a standard deviation, or an error where notes say so."
)


def beside(comparisons: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the comparisons that have something to compare with."""
    return [each for each in comparisons if each["published"] is not None]


def alone(comparisons: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return those of our numbers that nothing stands beside."""
    return [each for each in comparisons if each["published"] is None]


def row_of(comparison: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cells of a saved comparison, in the order of `HEAD`.

    Examples
    --------
    >>> error = {"what": "test error", "published": 6.12, "ours": 5.3, "spread": 0.4, "difference": -0.82}
    >>> row_of(error | {"unit": "%", "verdict": "better"})
    ('test error', '6.12 %', '5.30 ± 0.40 %', '-0.82', 'better')
    """
    unit = comparison["unit"]
    published, ours, spread = (number(comparison[key], unit) for key in ("published", "ours", "spread"))
    difference = number(comparison["difference"], unit, sign="+")
    ours = f"{ours} ± {spread}" if spread else ours
    both = (f"{value} {unit}".rstrip() if value else "-" for value in (published, ours))
    return comparison["what"], *both, difference, comparison["verdict"]


def number(value: float | None, unit: str, sign: str = "") -> str:
    """Return a number as it is read most easily, an empty text for None; `sign` "+" shows it always.

    Examples
    --------
    >>> number(1228.0, ""), number(3.0, "%"), number(0.00123456, "", "+"), number(None, "%")
    ('1,228', '3.00', '+0.001235', '')
    """
    if value is None:
        return ""
    form = ".2f" if unit == "%" else ",.0f" if value == int(value) or abs(value) >= 1e4 else ".4g"
    return format(value, f"{sign}{form}")


def reasons(comparisons: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return why some numbers are not those that were published, and what to check where some are too good.

    Examples
    --------
    >>> error = {"what": "a tree", "verdict": "worse", "reason": "another split."}
    >>> reasons([error, error | {"what": "a vote"}])
    ['a tree; a vote: another split.']
    """
    comparisons = list(comparisons)
    told: dict[str, list[str]] = {}
    for each in comparisons:
        if each["reason"]:
            told.setdefault(each["reason"], []).append(each["what"])
    for each in comparisons:
        if each["verdict"] == SUSPICIOUS:
            told.setdefault(CHECK, []).append(each["what"])
    return [f"{'; '.join(names)}: {reason}" for reason, names in told.items()]


def source_of(comparison: Mapping[str, Any]) -> str:
    """Return whose the number beside ours is; of what theory expects, this is said first.

    Examples
    --------
    >>> source_of({"source": "the bound", "kind": "theory"}), source_of({"source": "", "kind": "published"})
    ('theory: the bound', '')
    """
    named = ["theory"] if comparison["kind"] == THEORY else []
    return ": ".join([*named, *filter(None, [comparison["source"]])])


def sources(comparisons: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return whose numbers stand beside ours, with their names where there are several.

    Examples
    --------
    >>> error = {"what": "a tree", "published": 9.3, "source": "a lecture", "kind": "published"}
    >>> sources([error, error | {"what": "a vote"}])
    ['Published: a lecture.']
    >>> sources([error, error | {"what": "mistakes", "source": "the bound", "kind": "theory"}])
    ['Published: a lecture (a tree).', 'Expected by theory: the bound (mistakes).']
    """
    told: dict[str, list[str]] = {}
    for each in beside(comparisons):
        if each["source"]:
            kind = "Expected by theory" if each["kind"] == THEORY else "Published"
            told.setdefault(f"{kind}: {each['source']}", []).append(each["what"])
    if len(told) == 1:
        return [f"{source}." for source in told]
    return [f"{source} ({'; '.join(names)})." for source, names in told.items()]
