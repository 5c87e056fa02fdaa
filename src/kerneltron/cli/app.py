"""The commands, each imported only when it is asked for."""

from importlib import import_module
from inspect import getdoc
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from kerneltron._version import __version__
from kerneltron.cli.groups import spread
from kerneltron.cli.running import stoppable

# A command stands in the module of its name, as the function of its name, with EXAMPLES beside it.
COMMANDS = ("train", "predict", "evaluate", "inspect", "explain", "convert", "merge", "reproduce", "report")
STYLE: dict[str, Any] = {
    "rich_markup_mode": "rich",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class Commands(TyperGroup):
    """The commands by name."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return all names, in the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, imported now; None if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        home = import_module(f"kerneltron.cli.{cmd_name}")
        alone = typer.Typer(add_completion=False, **STYLE)
        function = stoppable(spread(getattr(home, cmd_name)))
        examples = "Examples:\n\n" + "\n\n".join(home.EXAMPLES)
        alone.command(cmd_name, help=_reflowed(getdoc(function)), epilog=examples)(function)
        return get_command(alone)


def _reflowed(text: str | None) -> str:
    """Return paragraphs as one line each: the help breaks them where the terminal ends."""
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


def _version(wanted: bool) -> None:
    if wanted:
        print(f"kerneltron {__version__}")
        raise typer.Exit


app = typer.Typer(cls=Commands, no_args_is_help=True, **STYLE)


@app.callback(epilog="`kerneltron COMMAND --help` shows the options of a command, with examples.")
def kerneltron(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where in the program an error came from.")
    ] = False,
) -> None:
    """Learn from files larger than memory, one example at a time."""


def command() -> Any:
    """Return all of it as one command."""
    return get_command(app)
