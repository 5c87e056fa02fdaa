"""One outcome out of those of the parts of an experiment."""

from collections.abc import Callable, Iterable, Mapping

from kerneltron.experiments.experiment import Outcome


def joined(parts: Iterable[str], reproduce: Callable[[str], Outcome]) -> Outcome:
    """Do the parts one after the other; return their outcomes as one, with figures by the part's name.

    A part whose data are missing becomes a note, so that the others still count.

    Raises
    ------
    OSError
        What the first loader said, if the data of all parts are missing.

    Examples
    --------
    >>> from pathlib import Path
    >>> def lines(name):
    ...     return Outcome(figures=len(Path(name).read_text()))
    >>> joined([__file__, "nowhere.txt"], lines).notes
    ["nowhere.txt was left out: [Errno 2] No such file or directory: 'nowhere.txt'"]
    """
    found: dict[str, Outcome] = {}
    missing: dict[str, OSError] = {}
    for name in parts:
        try:
            found[name] = reproduce(name)
        except OSError as error:
            missing[name] = error
    if missing and not found:
        raise next(iter(missing.values()))
    outcome = together(found)
    left_out = [f"{name} was left out: {error}" for name, error in missing.items()]
    return outcome._replace(notes=[*outcome.notes, *left_out])


def together(outcomes: Mapping[str, Outcome]) -> Outcome:
    """Return several outcomes as one, with figures by name; what several of them note is said once."""
    found = outcomes.values()
    return Outcome(
        [comparison for each in found for comparison in each.comparisons],
        [table for each in found for table in each.tables],
        {name: draw for each in found for name, draw in each.pictures.items()},
        list(dict.fromkeys(note for each in found for note in each.notes)),
        {name: each.figures for name, each in outcomes.items()},
    )
