"""Running an experiment by its name."""

from importlib import import_module
from time import perf_counter
from typing import NamedTuple

from kerneltron.experiments.catalogue import EXPERIMENTS, Entry
from kerneltron.experiments.experiment import Asked, Outcome, listed, offered
from kerneltron.experiments.origins import MISSING, advice, is_missing, looked_for, state


class MissingData(ValueError):  # noqa: N818 - it is said as it is: what is missing is no fault of the program
    """Data that an experiment needs are not there."""


class Reproduced(NamedTuple):
    """An experiment that was run: what was asked for, what came out, and how long it took.

    `lacking` says which parts were left out for want of data that it needs, and where these come from.
    """

    entry: Entry
    asked: Asked
    outcome: Outcome
    seconds: float
    lacking: str = ""


def entry_of(name: str) -> Entry:
    """Return the experiment of a name; raise an error that offers the nearest ones.

    Examples
    --------
    >>> entry_of("digit")
    Traceback (most recent call last):
    ValueError: there is no experiment 'digit': did you mean 'digits' or 'drift'? --list shows all.
    """
    if name not in EXPERIMENTS:
        nearest = offered(name.casefold(), EXPERIMENTS)
        raise ValueError(f"there is no experiment {name!r}{nearest} --list shows all.")
    return EXPERIMENTS[name]


def run(name: str, asked: Asked) -> Reproduced:
    """Run an experiment, imported now.

    Raises
    ------
    ValueError
        There is no such experiment, or it does not have the parts that are asked for.
    MissingData
        Its data are not there; the message says where anyone gets them.
    """
    entry = entry_of(name)
    module = import_module(f"kerneltron.experiments.{entry.module}")
    if asked.parts and not hasattr(module, "PARTS"):
        raise ValueError(f"{name} has no parts: leave --only {asked.parts[0]} out.")
    started = perf_counter()
    try:
        outcome: Outcome = module.reproduce(asked)
    except OSError as error:
        if not is_missing(error) or not (entry.data or entry.optional):
            raise
        raise MissingData(f"{name}: {looked_for(error)}. {_origins(entry, error)}".rstrip()) from error
    seconds = perf_counter() - started
    if not outcome.left_out:
        return Reproduced(entry, asked, outcome, seconds)
    lacking = _lacking(entry, outcome)
    outcome = outcome._replace(notes=[*outcome.notes, lacking])
    return Reproduced(entry, asked, outcome, seconds, lacking if entry.data else "")


def _lacking(entry: Entry, outcome: Outcome) -> str:
    """Say which parts were left out, why, and where their data come from."""
    reasons: dict[str, list[str]] = {}
    for part, reason in outcome.left_out.items():
        reasons.setdefault(reason, []).append(part)
    told = [f"Left out: {listed(parts)}. {reason}." for reason, parts in reasons.items()]
    return " ".join([*told, _origins(entry)]).rstrip()


def _origins(entry: Entry, error: OSError | None = None) -> str:
    """Say where the data sets whose folders are missing come from, else all; a failed download said it."""
    if error is not None and error.errno is None and not isinstance(error, FileNotFoundError):
        return ""
    known = (*entry.data, *entry.optional)
    absent = [data for data in known if state(data) == MISSING] or known
    return " ".join(advice(data) for data in absent)
