"""The list of all functions that Python calls, with the kinds of arguments that it calls them with.

`listed.txt` has a line for each function, and below it one for each kinds of arguments; a `+` says that they
are common: a checkout compiles these once, a wheel contains all. NamedTuples of arrays have names of their
own, which stand first. What is met and not listed is compiled when it is first used, and a test fails.
"""

from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from kerneltron.engine.machine.entry import ENTRIES
from kerneltron.engine.machine.kinds import TOKEN, common, fits

PATH = Path(__file__).parent / "listed.txt"
HEAD = "# Written by tools/machine_code.py; see engine/machine/listed.py.\n"


def entry_named(name: str) -> Any:
    """Return the entry of this name."""
    import_module(f"kerneltron.engine.{name.rpartition('.')[0]}")
    return ENTRIES[name]


def entries() -> Iterator[tuple[str, str, bool]]:
    """Yield a function, the kinds of its arguments, and whether they are common."""
    names: dict[str, str] = {}
    function = ""
    for line in PATH.read_text().splitlines() if PATH.exists() else ():
        if " = " in line:
            name, _, kinds = line.partition(" = ")
            names[name] = _expanded(kinds, names)
        elif line.startswith("  "):
            mark, kinds = line[2], line[4:]
            yield function, _expanded(kinds, names), mark == "+"
        elif line and not line.startswith("#"):
            function = line


def _expanded(kinds: str, names: dict[str, str]) -> str:
    """Put kinds in the place of their names."""
    return TOKEN.sub(lambda token: names.get(token[0], token[0]), kinds)


def is_listed(name: str, kinds: str) -> bool:
    """Return whether a function is listed for arguments of such kinds."""
    return any(name == function and fits(some, kinds) for function, some, _ in entries())


def write(met: dict[tuple[str, str], bool]) -> None:
    """Write the list; kinds that differ only in what cannot be written to become one."""
    by_function: dict[str, dict[str, bool]] = defaultdict(dict)
    for (name, kinds), is_common in met.items():
        joint, mark = kinds, is_common
        for other in [*by_function[name]]:
            both = common(joint, other)
            if both is not None:
                mark |= by_function[name].pop(other)
                joint = both
        by_function[name][joint] = mark
    names = _names(kinds for some in by_function.values() for kinds in some)
    lines = [HEAD]
    for kinds, name in names.items():
        inner = {other: known for other, known in names.items() if len(other) < len(kinds)}
        lines.append(f"{name} = {_short(kinds, inner)}")
    lines.append("")
    for function, some in sorted(by_function.items()):
        lines.append(function)
        lines += [f"  {'+' if some[kinds] else ' '} {_short(kinds, names)}" for kinds in sorted(some)]
    PATH.write_text("\n".join(lines) + "\n")


def _names(texts: Any) -> dict[str, str]:
    """Return a name for each NamedTuple in some kinds, inner ones first."""
    groups: dict[str, None] = {}
    for text in texts:
        tokens, open_at = [*TOKEN.finditer(text)], []
        for number, token in enumerate(tokens):
            if token[0] == "(":
                before = tokens[number - 1] if number else None
                is_named = before is not None and before.end() == token.start() and before[0] not in "(,"
                open_at.append(before.start() if before is not None and is_named else -1)
            elif token[0] == ")":
                begin = open_at.pop()
                if begin >= 0:
                    groups[text[begin : token.end()]] = None
    counts: dict[str, int] = defaultdict(int)
    names: dict[str, str] = {}
    for group in sorted(groups, key=lambda group: (group.partition("(")[0], len(group), group)):
        base = group.partition("(")[0].rpartition(".")[2]
        counts[base] += 1
        names[group] = f"{base}.{counts[base]}"
    return {group: names[group] for group in sorted(names, key=len)}


def _short(kinds: str, names: dict[str, str]) -> str:
    """Put names in the place of kinds, of outer ones first."""
    for group in reversed(names):
        kinds = kinds.replace(group, names[group])
    return kinds
