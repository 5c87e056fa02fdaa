"""Fuzzing of every door through which strange data come in.

A door is a module of `tests/fuzzing/doors/` with

- `QUICK`, the number of cases that `make test` runs;
- `case(rng, folder)`, which makes one case from a random generator, hands it to the library and looks at
  what comes: a result, or one of the errors that the door may answer with. Anything else raises. `folder`
  is an empty one for files.

Case number i of a door uses the generator `rng_for(door, i)`, so that every failure can be repeated alone:
`python -m tests.fuzzing DOOR --first i --cases 1`.
"""

import importlib
import pkgutil
import tempfile
import zlib
from pathlib import Path

import numpy as np

from tests.fuzzing import doors

NAMES = sorted(module.name for module in pkgutil.iter_modules(doors.__path__))


def door(name):
    """Return the module of a door."""
    return importlib.import_module(f"tests.fuzzing.doors.{name}")


def rng_for(name, number):
    """Return the generator of one case."""
    return np.random.default_rng([zlib.crc32(name.encode()), number])


def run_case(name, number):
    """Run one case; raise what it raises, with a note that repeats it."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            door(name).case(rng_for(name, number), Path(folder))
        except Exception as error:
            error.add_note(f"repeat: python -m tests.fuzzing {name} --first {number} --cases 1")
            raise
