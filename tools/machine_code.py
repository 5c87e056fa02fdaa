"""Compile the functions that Python calls before anybody uses them.

    python -m tools.machine_code             the common ones, for this checkout
    python -m tools.machine_code --all       all that are listed, for a wheel
    python -m tools.machine_code --record F  add what runs have met (files in folder F) to the list

The list is `engine/machine/listed.txt`; the code goes to `engine/machine/shipped_code/`, for the level of
processors that `engine/machine/shipped.py` names, and is found there by a checkout and by an installed wheel
alike. Code of this very engine that is there already is not compiled again.
"""

import json
import os
import sys
import time
import zlib
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

from kerneltron.engine.machine import listed, shipped
from kerneltron.engine.machine.content import ABI, engine_digest, is_as_it_was
from kerneltron.engine.machine.entry import have_doors
from kerneltron.engine.machine.kinds import read

PROCESSES = 2
TOGETHER = 6  # kinds of arguments that one process compiles after each other: they share parts

Task = tuple[str, str]  # a function, and the kinds of its arguments


def main() -> int:
    """Compile what is asked for."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--all", action="store_true", help="all that are listed, not only the common ones")
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="add what was met to the list")
    parser.add_argument("--common", action="store_true", help="with --record: what was met is common")
    given = parser.parse_args()
    if given.record:
        return record(given.record, given.common)
    level = shipped.level()
    if level is None or not have_doors():
        print(
            "There is no machine code for this kind of processor: functions are compiled when they are used."
        )
        return 0
    folder, processor = shipped.FOLDER / level, level.removeprefix("linux-")
    made_by = made_with(processor)
    wanted = [(name, kinds) for name, kinds, is_common in listed.entries() if is_common or given.all]
    codes = dict(compiled(wanted, before(folder, made_by), processor))
    if not is_as_it_was():
        print("The engine has changed while it was compiled: nothing is written. Try again.", file=sys.stderr)
        return 1
    write(folder, {task: code for task, code in codes.items() if code}, made_by)
    refused = sorted({name for (name, _), code in codes.items() if not code})
    if refused:
        print(
            f"{', '.join(refused)} calls functions of numba's own library, which a user's process has not.",
            file=sys.stderr,
        )
    return 1 if refused else 0


def made_with(processor: str) -> list[str]:
    """Return what code depends on beside the engine: the processor, and what compiles."""
    return [processor, *(f"{name} {version(name)}" for name in ("numba", "llvmlite"))]


def before(folder: Path, made_by: list[str]) -> dict[Task, bytes]:
    """Return the code that is there already, if it is that of this engine, made in the same way."""
    try:
        index = json.loads((folder / shipped.INDEX).read_bytes())
        if (index["abi"], index["engine"], index.get("made with")) != (ABI, engine_digest(), made_by):
            return {}
        code = (folder / shipped.CODE).read_bytes()
    except (OSError, ValueError, KeyError):
        return {}
    return {
        (name, kinds): code[offset : offset + size]
        for name, rows in index["functions"].items()
        for kinds, _, offset, size, check in rows
        if zlib.crc32(code[offset : offset + size]) == check
    }


def compiled(
    wanted: Iterable[Task], there: dict[Task, bytes], processor: str
) -> Iterator[tuple[Task, bytes]]:
    """Yield the code of each function, compressed; say how far it is."""
    yield from there.items()
    missing = [task for task in wanted if task not in there]
    if not missing:
        return
    # For the processes that compile: instructions are those that the name stands for. Without the second one,
    # numba would add whatever this processor can do.
    os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = processor, ""
    start, done = time.monotonic(), 0
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        work = partial(object_codes, processor=processor, engine=engine_digest())
        for future in as_completed([pool.submit(work, group) for group in groups(missing)]):
            for task, code in future.result():
                done += 1
                say(f"compiling: {done} of {len(missing)}, {time.monotonic() - start:.0f} s")
                yield task, code
    say(f"compiled {len(missing)} functions in {time.monotonic() - start:.0f} s\n")


def say(text: str) -> None:
    """Write one line, in a terminal over the last one."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}")
    elif text.endswith("\n"):
        sys.stderr.write(text)
    sys.stderr.flush()


def groups(tasks: list[Task]) -> list[list[Task]]:
    """Return the tasks in groups of one module each, those of the loops, which take longest, first."""
    by_module = defaultdict(list)
    for task in tasks:
        by_module[task[0].rpartition(".")[0]].append(task)
    pieces = [
        some[first : first + TOGETHER]
        for some in by_module.values()
        for first in range(0, len(some), TOGETHER)
    ]
    return sorted(pieces, key=lambda some: -sum(len(kinds) for _, kinds in some))


def object_codes(tasks: list[Task], processor: str, engine: str) -> list[tuple[Task, bytes]]:
    """Compile some functions for a processor (in a process of its own), from a source of this digest."""
    from kerneltron.engine.machine.finding import door_name
    from kerneltron.engine.machine.numba_inside import object_code, target

    if engine_digest() != engine:
        raise SystemExit("The engine has changed while it was compiled: try again.")
    if target() != (processor, ""):
        raise SystemExit(f"numba would compile for {target()}, and not for any {processor}.")
    codes = []
    for name, kinds in tasks:
        entry = listed.entry_named(name)
        code, is_free = object_code(entry.py_func, entry.options, read(kinds), door_name(name, kinds))
        codes.append(((name, kinds), zlib.compress(code, 9) if is_free else b""))
    return codes


def write(folder: Path, codes: dict[Task, bytes], made_by: list[str]) -> None:
    """Write all code and where it stands; the index last, so that half of it is never found."""
    from kerneltron.engine.machine.finding import door_name

    functions: dict[str, list[list[object]]] = defaultdict(list)
    data = bytearray()
    for (name, kinds), code in sorted(codes.items()):
        functions[name].append([kinds, door_name(name, kinds), len(data), len(code), zlib.crc32(code)])
        data += code
    folder.mkdir(parents=True, exist_ok=True)
    (folder / shipped.INDEX).unlink(missing_ok=True)
    (folder / shipped.CODE).write_bytes(data)
    index = {"abi": ABI, "engine": engine_digest(), "made with": made_by, "functions": functions}
    part = folder / f"{shipped.INDEX}.{os.getpid()}"
    part.write_text(json.dumps(index, indent=1))
    part.replace(folder / shipped.INDEX)


def record(folder: Path, is_common: bool) -> int:
    """Add to the list what is written in a folder, a function and its kinds in each line."""
    met = {
        (name, kinds): is_common
        for path in folder.iterdir()
        for name, _, kinds in (line.partition("\t") for line in path.read_text().splitlines())
        if is_ours(name, kinds)
    }
    before = {(name, kinds): common for name, kinds, common in listed.entries()}
    for task, common in met.items():
        before[task] = before.get(task, False) or common
    listed.write(before)
    return 0


def is_ours(name: str, kinds: str) -> bool:
    """Return whether a function and its kinds are those of this package, not of a test."""
    try:
        return bool(listed.entry_named(name) and read(kinds))
    except (ImportError, KeyError, AttributeError):
        return False


if __name__ == "__main__":
    sys.exit(main())
