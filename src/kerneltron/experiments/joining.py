"""One outcome out of those of the parts of an experiment."""

from collections.abc import Callable, Iterable, Mapping

from kerneltron.experiments.experiment import Outcome
from kerneltron.experiments.origins import is_missing, looked_for


def joined(parts: Iterable[str], reproduce: Callable[[str], Outcome]) -> Outcome:
    """Do the parts one after the other; return their outcomes as one, with figures by the part's name.

    A part whose data are missing is left out, and said to be, so that the others still count.

    Raises
    ------
    OSError
        What the first loader said, if the data of all parts are missing; what else went wrong with files.

    Examples
    --------
    >>> from pathlib import Path
    >>> def lines(name):
    ...     return Outcome(figures=len(Path(name).read_text()))
    >>> joined([__file__, "nowhere.txt"], lines).left_out
    {'nowhere.txt': 'nowhere.txt: No such file or directory'}
    """
    found: dict[str, Outcome] = {}
    missing: dict[str, OSError] = {}
    for name in parts:
        try:
            found[name] = reproduce(name)
        except OSError as error:
            if not is_missing(error):
                raise
            missing[name] = error
    if missing and not found:
        raise next(iter(missing.values()))
    return together(found)._replace(left_out={name: looked_for(error) for name, error in missing.items()})


def together(outcomes: Mapping[str, Outcome]) -> Outcome:
    """Return several outcomes as one, with figures by name; what several of them note is said once."""
    found = outcomes.values()
    return Outcome(
        [comparison for each in found for comparison in each.comparisons],
        [table for each in found for table in each.tables],
        {name: draw for each in found for name, draw in each.pictures.items()},
        list(dict.fromkeys(note for each in found for note in each.notes)),
        {name: each.figures for name, each in outcomes.items()},
        {name: caption for each in found for name, caption in each.captions.items()},
        {name: reason for each in found for name, reason in each.left_out.items()},
    )
