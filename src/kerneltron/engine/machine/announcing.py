"""Say that something takes long because it is compiled, and why."""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer

PATIENCE = 1.0  # seconds of compiling before a word is said
LOG = logging.getLogger("kerneltron")


@dataclass
class Spent:
    """Seconds that this process has compiled for."""

    seconds: float = 0.0


spent = Spent()


@contextmanager
def announced(name: str, why: str) -> Iterator[None]:
    """Say once what is being compiled, when this process has compiled for longer than a second."""
    timer = Timer(PATIENCE - spent.seconds, _say, (name, why))
    timer.daemon = True
    if spent.seconds <= PATIENCE:
        timer.start()
    before = time.monotonic()
    try:
        yield
    finally:
        spent.seconds += time.monotonic() - before
        timer.cancel()


def _say(name: str, why: str) -> None:
    text = f"Compiling {name} and what else is needed: {why}. This takes some seconds."
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"kerneltron: {text}\n")
    else:
        LOG.warning(text)
