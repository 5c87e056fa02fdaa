"""One outcome out of those of the parts of an experiment."""

from collections.abc import Callable, Iterable

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
    notes = dict.fromkeys(note for each in found.values() for note in each.notes)  # each once
    return Outcome(
        [comparison for each in found.values() for comparison in each.comparisons],
        [table for each in found.values() for table in each.tables],
        {name: draw for each in found.values() for name, draw in each.pictures.items()},
        [*notes, *(f"{name} was left out: {error}" for name, error in missing.items())],
        {name: each.figures for name, each in found.items()},
    )
