"""From parameters to flags: the library's messages name what Python callers set, people here type options."""

import ast
import re
import shlex
from functools import cache
from typing import Any

# Parameters that have another name in Python than on the command line.
ALIASES = {
    "every": "--checkpoint-every",
    "folder": "--cache",
    "keep_names": "--names",
    "replacement": "--replace",
    "roles": "--role",
}
# Values that one word on the command line stands for.
SETTINGS = {"resumable=False": "--prediction-only", "skip_faults=True": "--on-error=skip"}

# A parameter in backticks, maybe with a value. It stands alone, as words of a sentence do: behind a blank or
# a bracket, and with nothing but punctuation up to the next blank. So it is neither what a message begins
# with, which is the name of a file, nor a part of another name, nor a label, which messages show in quotes.
PARAMETER = re.compile(r"(?<=[\s(])`(?P<name>[A-Za-z_]\w*)(?:=(?P<value>[^`]+))?`(?=[.,;:)]*(?:\s|$))")

# A parameter with its value that a message begins with, as in "margin=-1.0 must be at least 0".
LEADING = re.compile(r"^(?P<name>[A-Za-z_]\w*)=(?P<value>\S+)(?= )")


def with_flags(message: str) -> str:
    """Return a message of the library with the flags of the command line in place of parameters.

    What stands in backticks and is not an option of any command stays as it is.

    Examples
    --------
    >>> with_flags("mail.vw: too long; `record_limit` sets another, `skip_faults=True` leaves it out.")
    'mail.vw: too long; --record-limit sets another, --on-error=skip leaves it out.'
    >>> with_flags("use `hypothesis='average'`, or call `fit`.")
    'use --hypothesis average, or call `fit`.'
    >>> with_flags("margin=-1.0 must be at least 0.")
    '--margin -1.0 must be at least 0.'
    """
    return PARAMETER.sub(_flag, LEADING.sub(_flag, message))


def _flag(found: re.Match[str]) -> str:
    """Return the flag of a parameter, the parameter as it was where there is none."""
    written, name, value = found[0], found["name"], found["value"]
    if written.strip("`") in SETTINGS:
        return SETTINGS[written.strip("`")]
    flag = ALIASES.get(name) or options().get(name)
    if flag is None or value is None:
        return flag or written
    try:
        return f"{flag} {shlex.quote(_as_typed(ast.literal_eval(value)))}"
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return written


def _as_typed(value: Any) -> str:
    """Return a value as it is given on the command line: `a,b` for several, `name=value` for a pair."""
    if isinstance(value, dict):
        return ",".join(f"{name}={part}" for name, part in value.items())
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@cache
def options() -> dict[str, str]:
    """Return the flag of every option of every command by the name that it has in Python."""
    from kerneltron.cli.app import COMMANDS, Commands

    commands = Commands()
    flags: dict[str, str] = {}
    for command in COMMANDS:
        for parameter in commands.get_command(None, command).params:
            if parameter.param_type_name == "option":
                # Where two commands share a name, the one that comes first has it: `label` is that of train.
                flags.setdefault(parameter.name, max(parameter.opts, key=len))
    return flags
