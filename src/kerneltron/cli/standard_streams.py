"""The standard streams of a process: closed ones are kept apart from files, and failed writes are named."""

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Any

STANDARD_OUTPUT = "standard output"


class Unread(Exception):  # noqa: N818 - it is not an error
    """Nobody reads standard output any more, as in `| head`.

    It is not an OSError, for which typer and rich would end the process with code 1.
    """


class NamedOutput(io.FileIO):
    """Standard output, as errors name it: the system says only what is wrong, not with which file."""

    def write(self, data: Any, /) -> int:
        """Write bytes; return how many."""
        try:
            return super().write(data)
        except BrokenPipeError as error:
            raise Unread from error
        except OSError as error:
            why = "it is closed" if error.errno == errno.EBADF else error.strerror
            raise OSError(error.errno, f"cannot be written ({why})", STANDARD_OUTPUT) from error


def prepare() -> None:
    """Make standard streams fit to be used, also those that the process was started without, as by `>&-`.

    Python has None in their place, and the next file that is opened would get the number of a closed one:
    what is meant for standard output could end up in a model. So the null device takes these numbers. For
    input and output it is opened in the wrong direction: to read or write fails as if the stream were still
    closed. Messages to a closed standard error are lost, as nobody could read them.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        if not _is_open(number):  # then it is the lowest free one, which `open` takes
            os.set_inheritable(os.open(os.devnull, mode), True)
    sys.stdin = sys.stdin or open(0)  # noqa: SIM115 - for as long as the process lasts
    sys.stderr = sys.stderr or open(2, "w")  # noqa: SIM115 - likewise
    before: Any = sys.stdout
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(NamedOutput(1, "w", closefd=False)),
        encoding=before.encoding if before else None,
        errors="backslashreplace",  # a label that the encoding lacks, such as one in Greek where it is ASCII
        line_buffering=bool(before) and (before.line_buffering or before.write_through),
    )


def complain(text: str) -> None:
    """Print a line on standard error. If that fails, nobody can be told, and the exit code must suffice."""
    with suppress(OSError):
        print(text, file=sys.stderr)


def discard_output() -> None:
    """Let what was not written yet vanish: Python would try again when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
