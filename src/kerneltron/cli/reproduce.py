"""`kerneltron reproduce`: published tables and figures, one command for each."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from kerneltron.cli.completion import experiments
from kerneltron.cli.outcomes import bars, check_read, print_list, print_outcome
from kerneltron.cli.printing import print_json, say
from kerneltron.cli.standard_streams import Unread

if TYPE_CHECKING:
    from kerneltron.experiments.experiment import Asked

EXAMPLES = (
    "kerneltron reproduce --list",
    "kerneltron reproduce digits",
    "kerneltron reproduce mnist spam --full -o results",
    "kerneltron reproduce --all && kerneltron report",
)


def reproduce(
    names: Annotated[
        list[str] | None,
        Argument(metavar="[NAME]...", help="Which ones; --list shows all.", autocompletion=experiments),
    ] = None,
    lists: Annotated[bool, Option("--list", help="Show what there is, and which data are there.")] = False,
    everything: Annotated[bool, Option("--all", help="All that do not take many minutes.")] = False,
    quick: Annotated[bool, Option("--quick", help="Seconds each, only to see whether they run.")] = False,
    full: Annotated[bool, Option("--full", help="All seeds and settings, however long it takes.")] = False,
    only: Annotated[
        list[str] | None, Option("--only", metavar="PART", help="Some parts of one that has parts.")
    ] = None,
    seed: Annotated[int, Option("--seed", min=0, help="Where random numbers start from.")] = 0,
    output: Annotated[
        str, Option("-o", "--output", metavar="FOLDER", help="Where results and pictures are saved.")
    ] = "reproduced",
    json: Annotated[bool, Option("--json", help="Print results as JSON, one line for each.")] = False,
) -> None:
    """Run experiments and set their numbers beside the published ones.

    Each prints its tables, what was published, ours, the difference and the time, and is saved as NAME.json
    with its pictures; `kerneltron report` makes one page of all. Data sets are looked for in the folder that
    the variable KERNELTRON_DATA names. One that lacks its data or fails does not stop the others. A quick
    run, or one of some parts, does not replace the results of a whole one.
    """
    from kerneltron.experiments.catalogue import ENTRIES
    from kerneltron.experiments.experiment import Asked

    if lists:
        print_json([entry._asdict() for entry in ENTRIES]) if json else print_list(ENTRIES)
        return
    chosen = _chosen(names or [], everything, only or [])
    if quick and full:
        raise ValueError("give --quick or --full, not both.")
    asked = Asked(quick=quick, full=full, parts=tuple(only or ()), seed=seed)
    _check_folder(Path(output))
    _check_kept(Path(output), chosen, asked)
    _run_all(chosen, asked, output, skips=everything, json=json)


def _chosen(names: Sequence[str], everything: bool, parts: Sequence[str]) -> list[str]:
    """Return which experiments to run, each once."""
    from kerneltron.experiments.catalogue import ENTRIES
    from kerneltron.experiments.running import entry_of

    if bool(names) == everything:
        raise ValueError("give names of experiments, or --all; --list shows what there is.")
    usual = [entry.name for entry in ENTRIES if not entry.is_long]
    chosen = usual if everything else list(dict.fromkeys(entry_of(name).name for name in names))
    if parts and len(chosen) > 1:
        raise ValueError("--only names parts of one experiment: give one name.")
    return chosen


def _check_folder(folder: Path) -> None:
    """Make the folder now, rather than find after an hour that it cannot be written to."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is not a folder: give another -o.")
    from kerneltron.files.target import check_target

    folder.mkdir(parents=True, exist_ok=True)
    check_target(folder / "results.json")


def _check_kept(folder: Path, names: Sequence[str], asked: "Asked") -> None:
    """Refuse now, rather than after an hour, to replace results by lesser ones."""
    from kerneltron.experiments.saving import check_replaceable

    for name in names:
        check_replaceable(folder, name, asked)


def _run_all(names: Sequence[str], asked: "Asked", output: str, skips: bool, json: bool) -> None:
    """Run one after the other, and say at the end which could not be; what is done is saved at once."""
    from kerneltron.experiments.running import MissingData

    done: list[str] = []
    errors: dict[str, Exception] = {}
    for name in names:
        try:
            check_read()
            lacking = _run(name, asked, output, json)
            done.append(name)
            if lacking:
                errors[name] = MissingData(lacking)
        except Unread:
            raise
        except KeyboardInterrupt as error:
            there = f"Saved in {output}: {', '.join(done)}." if done else ""
            raise KeyboardInterrupt(there) from error
        except Exception as error:
            if len(names) == 1:
                raise
            errors[name] = error
    for name, reason in errors.items():
        what = "skipped" if skips and isinstance(reason, MissingData) else "error"
        say(f"{what}: {name}: {_told(name, reason)}")
    code = _code(list(errors.values()), done, skips)
    if code:
        raise Exit(code)


def _run(name: str, asked: "Asked", output: str, json: bool) -> str:
    """Run one experiment, save and print what came out; return what it lacked, if anything."""
    from kerneltron.experiments.running import run
    from kerneltron.experiments.saving import saved_to

    with bars() as progress:
        done = run(name, asked._replace(progress=progress))
        content = saved_to(Path(output), done)
    print_json(content) if json else print_outcome(done, content, output)
    sys.stdout.flush()  # whoever waits sees it now; and if nobody reads any more, the others need not run
    return done.lacking


def _told(name: str, error: Exception) -> str:
    """Return what went wrong: what users can mend in words, the rest with how to look further."""
    if isinstance(error, ValueError):
        return str(error).removeprefix(f"{name}: ")
    return f"{type(error).__name__}: {error}. `kerneltron reproduce {name} --debug` shows where it came from."


def _code(errors: Sequence[Exception], done: Sequence[str], skips: bool) -> int:
    """Return 1 if one failed, 2 if one could not be run; what --all skips is fine if something else ran."""
    from kerneltron.cli.running import FAILED, FINE, REFUSED
    from kerneltron.experiments.running import MissingData

    if any(not isinstance(error, ValueError) for error in errors):
        return FAILED
    refused = [error for error in errors if not (skips and done and isinstance(error, MissingData))]
    return REFUSED if refused else FINE
