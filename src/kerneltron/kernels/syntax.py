"""From the text of a kernel to Python's syntax tree, and errors that point at a column."""

import ast
import re
import warnings
from typing import Any, NamedTuple

METHODS = ("exp", "normalized", "polynomial")
SCOPE = "A kernel's text has kernels, numbers, text, lists, @arrays, + * / **, and the methods " + ", ".join(
    METHODS
)
LONGEST_TEXT = 100_000  # characters of a kernel
DEEPEST = 200  # brackets and operators inside each other
STRINGS_AND_SIGNS = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[@#\0]""")


class KernelSyntaxError(ValueError):
    """A text that is not a kernel; `column` (from 0) is the place, `reason` says what is wrong there."""

    def __init__(self, text: str, column: int, reason: str) -> None:
        self.text, self.column, self.reason = text, column, reason
        low, high = max(0, column - 60), column + 40
        start, end = "..." if low else "", "..." if high < len(text) else ""
        caret = " " * (column - low + len(start)) + "^"
        super().__init__(f"column {column + 1}: {reason}\n    {start}{text[low:high]}{end}\n    {caret}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.column, self.reason)


class Source(NamedTuple):
    """A text as it was given, on one line, and as Python's parser understands it."""

    line: str
    text: str
    shift: int  # how many columns further left `text` stands
    starts: set[int]  # the columns of each @ of an array, a letter in `text`


def readable(text: str) -> Source:
    """Return the text with a letter in place of each @, so that all columns stay where they are."""
    line = re.sub(r"\s", " ", text)
    if not line.strip():
        raise KernelSyntaxError(line, 0, "the text is empty: write a kernel, such as Linear().")
    if len(line) > LONGEST_TEXT:
        raise KernelSyntaxError(
            line, LONGEST_TEXT, f"a text has at most {LONGEST_TEXT} characters: give arrays as @name."
        )
    starts = set()
    for found in STRINGS_AND_SIGNS.finditer(line):
        column, sign = found.start(), found.group()
        if sign in "#\0":
            raise KernelSyntaxError(line, column, f"{sign!r} cannot stand here. {SCOPE}.")
        if sign == "@":
            before, after = line[:column].rstrip()[-1:], line[column + 1 : column + 2]
            multiplies = before.isalnum() or (before and before in "_)]}.'\"@")
            if multiplies or not (after.isalnum() or after == "_"):
                raise KernelSyntaxError(line, column, "@ stands before an array's name: QuadraticForm(@A).")
            starts.add(column)
    letters = "".join("_" if column in starts else sign for column, sign in enumerate(line))
    return Source(line, letters.strip(), len(line) - len(line.lstrip()), starts)


def tree_of(source: Source) -> ast.expr:
    """Return the syntax tree of one expression."""
    line = source.line
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in strings
            tree = ast.parse(source.text, mode="eval")
    except UnicodeEncodeError as error:
        raise KernelSyntaxError(line, error.start + source.shift, "this is not a character.") from error
    except SyntaxError as error:
        if "too many nested" in error.msg:
            raise too_deep(line) from None
        if not error.offset:  # Python's way to say: at the end
            raise KernelSyntaxError(
                line, len(line.rstrip()), f"the text stops short: {error.msg}."
            ) from error
        column = min(error.offset - 1 + source.shift, len(line))
        raise KernelSyntaxError(line, column, f"{error.msg}. {SCOPE}.") from error
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [below for node in level for below in ast.iter_child_nodes(node)]
    if level:
        raise too_deep(line)
    return tree.body


def too_deep(line: str) -> KernelSyntaxError:
    """Return the error of a text that is nested too deep."""
    reason = f"brackets or operators are nested more than {DEEPEST} deep: build this kernel in Python."
    return KernelSyntaxError(line, 0, reason)
