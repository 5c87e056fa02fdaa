"""A run of the command line: errors become one line for people and an exit code for programs."""

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from kerneltron._visible import visible
from kerneltron.cli.flags import with_flags
from kerneltron.cli.standard_streams import STANDARD_OUTPUT, Unread, complain, discard_output

FINE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


class Interrupted(Exception):  # noqa: N818 - it is not an error
    """Ctrl-C, with what there is to say of it: typer would end the process in silence."""


def stoppable(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that Ctrl-C ends with what it says."""

    @wraps(command)
    def told(**given: Any) -> None:
        try:
            command(**given)
        except KeyboardInterrupt as error:
            raise Interrupted(str(error)) from error

    return told


def run(words: Sequence[str]) -> int:
    """Run a command; return 0, or 2 for input or options that cannot be, 1 for failures, 130 for Ctrl-C.

    `--debug` anywhere, or KERNELTRON_DEBUG in the environment, shows where an error came from.
    """
    shown = "--debug" in words or bool(os.environ.get("KERNELTRON_DEBUG"))
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warned
            return _run([word for word in words if word != "--debug"])
    except Unread:
        discard_output()
        return FINE
    except (KeyboardInterrupt, Interrupted) as error:
        complain(visible(f"kerneltron: interrupted. {with_flags(str(error))}".rstrip()))
        return INTERRUPTED
    except Exception as error:
        if shown:
            complain("\n".join(map(visible, traceback.format_exc().split("\n"))))
        if isinstance(error, OSError) and error.filename == STANDARD_OUTPUT:
            discard_output()
        return _refused(error)


def _run(words: Sequence[str]) -> int:
    from kerneltron.cli.app import command

    # The arguments are given by name: which class of exceptions they end in depends on typer's version.
    code = command().main(args=list(words), prog_name="kerneltron", standalone_mode=False)
    sys.stdout.flush()
    return code if isinstance(code, int) else FINE


def _refused(error: Exception) -> int:
    if hasattr(error, "format_message"):  # one of typer's: an option that is not there, or has no value
        return _told(_usage(error), code=int(getattr(error, "exit_code", REFUSED)))
    if isinstance(error, OSError):
        is_input = FileNotFoundError | IsADirectoryError | PermissionError | NotADirectoryError
        told = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return _told(told, code=REFUSED if isinstance(error, is_input) else FAILED)
    if isinstance(error, ValueError | TypeError | NotImplementedError):
        return _told(*_lines(error), code=REFUSED)
    return _told(f"{type(error).__name__}: {error}. --debug shows where it came from.", code=FAILED)


def _usage(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "kerneltron"
    message: str = error.format_message()  # type: ignore[attr-defined]
    # Without any arguments the help was shown instead, and nothing is left to say.
    return f"{message.strip().rstrip('.')}. See `{command} --help`." if message else ""


def _warned(message: Warning | str, *place: Any, **more: Any) -> None:
    """Tell what `warnings.warn` was given, without the place in the program."""
    complain(visible(f"kerneltron: warning: {with_flags(str(message))}"))


def _lines(error: Exception) -> list[str]:
    """Return the lines of a message: one, but an error in a kernel's text points at the place below it."""
    from kerneltron.kernels.syntax import KernelSyntaxError

    return str(error).split("\n") if isinstance(error, KernelSyntaxError) else [with_flags(str(error))]


def _told(*lines: str, code: int) -> int:
    if any(lines):
        complain("kerneltron: error: " + "\n".join(map(visible, lines)))
    return code
