"""Time as the best of several turns, with the contestants taking turns; and programs in fresh processes."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

Input = TypeVar("Input")


class Timings(NamedTuple):
    """The seconds of every turn of every contestant."""

    seconds: dict[str, list[float]]

    def best(self, name: str) -> float:
        """Return the shortest turn: what disturbs a turn can only make it longer."""
        return min(self.seconds[name])

    def of(self, *names: str) -> dict[str, list[float]]:
        """Return the turns of some contestants, for the raw figures of a row."""
        return {name: self.seconds[name] for name in names}


def take_turns(
    contestants: Mapping[str, Callable[[Input], object]],
    prepare: Callable[[], Input],
    repeats: int,
    clock: Callable[[], float] = perf_counter,
) -> Timings:
    """Time each contestant `repeats` times on inputs made anew, all of them once before any one again.

    A disturbance of the machine then falls on all alike. Each round starts with another contestant, so
    that none always comes first. `process_time` as the clock counts the seconds of all cores.
    """
    names = list(contestants)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(repeats):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            prepared = prepare()
            gc.collect()
            start = clock()
            contestants[name](prepared)
            seconds[name].append(clock() - start)
    return Timings(seconds)


def with_slow_ones(
    contestants: Mapping[str, Callable[[Input], object]],
    slow: Mapping[str, Callable[[Input], object]],
    prepare: Callable[[], Input],
    repeats: int,
) -> Timings:
    """Time the contestants as `take_turns` does, and those that take very long once.

    What disturbs the one turn of a slow one is small beside it.
    """
    quick, once = take_turns(contestants, prepare, repeats), take_turns(slow, prepare, 1)
    return Timings(quick.seconds | once.seconds)


def run_python(*arguments: str, **environment: str) -> Any:
    """Run Python in a fresh process and return what it printed, read as JSON."""
    command = [sys.executable, *arguments]
    variables = {**os.environ, **environment}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout)
