"""The text of a pattern as tokens, and errors that point at a column."""

import re
from typing import Any, NamedTuple

from kerneltron.features._patterns.labels import GAP, Label, read_label

QUOTED = re.compile(r'"(?:[^"]|"")*"')


class PatternSyntaxError(ValueError):
    """A text that is not a pattern; `column` (from 0) is the place, `reason` says what is wrong there."""

    def __init__(self, text: str, column: int, reason: str, called: str = "") -> None:
        self.text, self.column, self.reason, self.called = text, column, reason, called
        line = re.sub(r"\s", " ", text)
        low, high = max(0, column - 60), column + 40
        start, end = "... " if low else "", " ..." if high < len(line) else ""
        caret = " " * (column - low + len(start)) + "^"
        where = f"{called}, column" if called else "column"
        super().__init__(f"{where} {column + 1}: {reason}\n    {start}{line[low:high]}{end}\n    {caret}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.column, self.reason, self.called)


class Token(NamedTuple):
    """A sign of the language, or a label, and the column where it begins."""

    text: str
    column: int
    is_sign: bool


class Source:
    """The text of a pattern, cut into signs, each a single letter, and labels between them."""

    def __init__(self, text: str, signs: str) -> None:
        self.text = text
        token = re.compile(rf'([{re.escape(signs)}])|((?:{QUOTED.pattern}|[^\s"{re.escape(signs)}])+)|\S')
        self.tokens: list[Token] = []
        for match in token.finditer(text):
            sign, label = match.groups()
            if sign is None and label is None:
                raise self.error(match.start(), 'a quote is not closed; the letter " itself is written """".')
            self.tokens.append(Token(match.group(), match.start(), label is None))
        if not self.tokens:
            raise self.error(0, "the pattern is empty.")

    def error(self, column: int, reason: str) -> PatternSyntaxError:
        """Return the error that points at a column."""
        return PatternSyntaxError(self.text, column, reason)

    def label(self, token: Token) -> Label:
        """Return what a token says of a label."""
        label, fault = read_label(token.text)
        if fault >= 0:
            raise self.error(token.column + fault, "an alternative is missing beside '|'.")
        return label

    def is_gap(self, token: Token) -> bool:
        """Return whether a token is the sign for any number of neighbours."""
        return token.text == GAP
