"""Results for people: facts in two columns, tables, and plain JSON for programs.

All that commands print goes through these functions, which make foreign text visible.
"""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from kerneltron._visible import visible
from kerneltron.cli.flags import with_flags
from kerneltron.cli.jsons import as_json
from kerneltron.cli.standard_streams import complain

if TYPE_CHECKING:
    from kerneltron.jobs.choosing import Chosen
    from kerneltron.stream.reader import Skipped


def print_json(value: Any) -> None:
    """Print one JSON value on one line; see `as_json`."""
    print(as_json(value))


def print_facts(facts: Mapping[str, Any]) -> None:
    """Print names and values below each other; those that are None or empty are left out."""
    there = {name: value for name, value in facts.items() if value is not None and value != ""}
    width = max(map(len, there), default=0)
    for name, value in there.items():
        print(f"{name:<{width}}  {visible(value)}")


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose first column is words and whose others are numbers."""
    cells = [[visible(cell) for cell in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        first, *others = zip(row, widths, strict=True)
        aligned = [f"{first[0]:<{first[1]}}", *(f"{text:>{width}}" for text, width in others)]
        print("  ".join(aligned).rstrip())


def say(message: str) -> None:
    """Tell people something on standard error, on one line."""
    complain(f"kerneltron: {visible(message)}")


def print_skipped(skipped: "Skipped") -> None:
    """Say on standard error how many bad lines were left out, and which was the first."""
    if skipped.count:
        were = "line was" if skipped.count == 1 else "lines were"
        say(f"{skipped.count:,} bad {were} skipped: {with_flags(str(skipped.first[0]))}")


def print_unmet(method: Any, classes: Sequence[str]) -> None:
    """Say on standard error which classes were given a weight, but no example has: they may be misspelled."""
    unmet = sorted(set(getattr(method, "class_weight", None) or ()) - set(classes))
    if unmet:
        say(f"--class-weight: no example has the label {listed(unmet)}.")


def print_unknown(unknown: Mapping[str, float], classes: Sequence[str]) -> None:
    """Say on standard error which labels a model does not know: they may be spelled in another way."""
    if unknown:
        count = amount(sum(unknown.values()))
        have = "example has a label" if count == "1" else "examples have labels"
        say(
            f"{count} {have} that the model does not know, which counts as an error: "
            f"{listed([repr(label) for label in unknown])}. Its classes are "
            f"{listed([repr(label) for label in classes])}; labels are compared as they are written."
        )


def print_late(late: Mapping[str, str]) -> None:
    """Say on standard error which class came late, if one did, and how many more: they may be misspelled."""
    if late:
        from kerneltron.learning.classes import late_message

        label, place = next(iter(late.items()))
        more = f" So did {len(late) - 1} more." if len(late) > 1 else ""
        say(f"{late_message(label, place, '--classes')}{more}")


def shown_choice(chosen: "Chosen") -> str | None:
    """Return the options that were chosen, and why; None if none were.

    Examples
    --------
    >>> from kerneltron.jobs.choosing import Chosen
    >>> shown_choice(Chosen({"damped": True, "learning_rate": 1.0, "passes": 5}, "text"))
    '--damped --learning-rate 1 --passes 5 (text)'
    """
    flags = [
        f"--{name.replace('_', '-')}" + ("" if value is True else f" {value:g}")
        for name, value in chosen.settings.items()
    ]
    return f"{' '.join(flags)} ({chosen.because})" if flags else None


def percent(share: float | None) -> str:
    """Return a share in percent, '-' if there is none.

    Examples
    --------
    >>> percent(0.98312), percent(None)
    ('98.31 %', '-')
    """
    return "-" if share is None else f"{100 * share:.2f} %"


def amount(number: float) -> str:
    """Return a count, without a fraction where there is none.

    Examples
    --------
    >>> amount(1234.0), amount(2.5)
    ('1,234', '2.5')
    """
    return f"{number:,.0f}" if number == int(number) else f"{number:,g}"


def size(count: int) -> str:
    """Return a number of bytes.

    Examples
    --------
    >>> size(812), size(2_166_885)
    ('812 bytes', '2.2 MB')
    """
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1e3:.1f} kB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"


def finite(number: float) -> float | None:
    """Return a number as JSON has it: None where there is none."""
    return None if isnan(number) else number


def listed(names: Sequence[str], most: int = 10) -> str:
    """Return names in a row, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f", and {more} more" if more > 0 else "")
