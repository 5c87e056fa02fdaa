"""Running an experiment by its name."""

from importlib import import_module
from time import perf_counter
from typing import NamedTuple

from kerneltron.experiments.catalogue import EXPERIMENTS, Entry
from kerneltron.experiments.experiment import Asked, Outcome, offered
from kerneltron.experiments.origins import MISSING, advice, state


class MissingData(ValueError):  # noqa: N818 - it is said as it is: what is missing is no fault of the program
    """Data that an experiment needs are not there."""


class Reproduced(NamedTuple):
    """An experiment that was run: what was asked for, what came out, and how long it took."""

    entry: Entry
    asked: Asked
    outcome: Outcome
    seconds: float


def entry_of(name: str) -> Entry:
    """Return the experiment of a name; raise an error that offers the nearest ones if there is none.

    Examples
    --------
    >>> entry_of("digit")
    Traceback (most recent call last):
    ValueError: there is no experiment 'digit': did you mean 'digits' or 'drift'? --list shows all.
    """
    if name not in EXPERIMENTS:
        raise ValueError(f"there is no experiment {name!r}{offered(name, EXPERIMENTS)} --list shows all.")
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
        if not entry.data:
            raise
        raise MissingData(_missing(entry, error)) from error
    return Reproduced(entry, asked, outcome, perf_counter() - started)


def _missing(entry: Entry, error: OSError) -> str:
    """Say what was looked for, and where the data sets whose folders are missing come from, else all."""
    absent = [data for data in entry.data if state(data) == MISSING] or entry.data
    reason = str(error).partition(":")[0]
    return f"{entry.name}: {reason}. " + " ".join(advice(data) for data in absent)
