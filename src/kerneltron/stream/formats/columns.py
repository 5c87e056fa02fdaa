"""Columns and the roles that they play: said, known from a model, or told by names and first values."""

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from kerneltron.stream.errors import InputError

LABEL, TEXT, NUMBER, CATEGORY, USER, TAG, WEIGHT, IGNORE = (
    "label", "text", "number", "category", "user", "tag", "weight", "ignore",
)  # fmt: skip
ROLES = (LABEL, TEXT, NUMBER, CATEGORY, USER, TAG, WEIGHT, IGNORE)
ONCE = (LABEL, TAG, WEIGHT)  # roles that one column at most can play
FEATURES = (TEXT, NUMBER, CATEGORY, USER)

# Names that tell a role, in any case; where several would play a role of ONCE, the first of these does.
TELLING = {
    LABEL: ("label", "class", "target", "y"),
    USER: ("user", "user_id", "userid"),
    TAG: ("tag", "id"),
    WEIGHT: ("weight", "importance"),
    TEXT: ("text",),
}
# What programs write for a number that is missing.
MISSING_MARKS = {"na", "n/a", "#n/a", "nan", "null", "none", "nil", "?", "-", "--", ".", "inf", "-inf"}
MOSTLY = 0.9  # of the values of a column that some others make a category
VARIED = 10  # different numbers that the codes of a category do not have, as a rule
NUMERAL = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
LONGEST_CATEGORY = 40  # characters
MOST_SHOWN = 20  # columns that an error lists


@dataclass(frozen=True, kw_only=True)
class Columns:
    """What is known of columns before a file is opened.

    Parameters
    ----------
    roles
        Role by column: one of `ROLES`. Other columns get theirs by their names and first values.
    label
        The column of labels; the same as the role "label" for it.
    names
        Names of all columns, in order, of files without a header.
    labelled
        Whether there must be labels.
    complete
        Whether `roles`, in order, are all the columns that a model knows: its features must be there, and
        others are ignored.

    Examples
    --------
    >>> columns = Columns(roles={"sender": "user"})
    >>> columns.assign(["y", "sender", "body"], guesses=["number", "category", "text"], source="mail.csv")
    ['label', 'user', 'text']
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    label: str | None = None
    names: tuple[str, ...] = ()
    labelled: bool = True
    complete: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        roles = dict(self.roles)
        for name, role in roles.items():
            if role not in ROLES:
                raise ValueError(
                    f"{role!r} is not a role for the column {name!r}: give one of {', '.join(ROLES)}."
                )
        if self.label is not None and roles.setdefault(self.label, LABEL) != LABEL:
            raise ValueError(f"The column {self.label!r} cannot be the label and {roles[self.label]!r} too.")
        for role in ONCE:
            players = [repr(name) for name in roles if roles[name] == role]
            if len(players) > 1:
                raise ValueError(f"Only one column can be the {role}, not {' and '.join(players)}.")
        object.__setattr__(self, "roles", roles)
        if self.names:
            check_names(self.names, "the given columns")

    def assign(self, names: Sequence[str], guesses: Sequence[str], source: str) -> list[str]:
        """Return the role of each column of a source; `guesses` are the roles that their values suggest."""
        self._check_known(names, source)
        if self.complete:
            roles = [self.roles.get(name, IGNORE) for name in names]
        else:
            told = self._told(names)
            roles = [
                self.roles.get(name, told.get(name, guess))
                for name, guess in zip(names, guesses, strict=True)
            ]
        if self.labelled and LABEL not in roles:
            raise InputError(no_label(names, source))
        return roles

    def warn_of_strays(
        self, roles: Mapping[str, str], values: Mapping[str, Iterable[str]], source: str
    ) -> None:
        """Warn of columns of numbers that some other value has made categories or texts."""
        told = self._told(list(roles))
        for name, written in values.items():
            is_guessed = not self.complete and name not in self.roles and name not in told
            if is_guessed and roles[name] in (CATEGORY, TEXT) and (stray := stray_value(written)) is not None:
                warnings.warn(
                    f"{source}: the column {name!r} is read as a {roles[name]}, each number of it as a word, "
                    f"for it holds {stray!r:.60}, which is not a number. If it is to be numbers, leave such "
                    f"values empty; otherwise give it a role with `roles={{{name!r}: {roles[name]!r}}}`.",
                    stacklevel=2,
                )

    def _told(self, names: Sequence[str]) -> dict[str, str]:
        """Return the roles that names tell."""
        told: dict[str, str] = {}
        for role, telling in TELLING.items():
            found = [name for tells in telling for name in names if name.strip().lower() == tells]
            if role in ONCE:
                found = [] if role in self.roles.values() else found[:1]
            told |= dict.fromkeys(found, role)
        return told

    def _check_known(self, names: Sequence[str], source: str) -> None:
        """Raise if a column that was named, or that a model needs, is not there."""
        there = set(names)
        for name, role in self.roles.items():
            if (
                name in there
                or (self.complete and role not in FEATURES)
                or (role == LABEL and not self.labelled)
            ):
                continue
            close = get_close_matches(name, names, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            needed = (
                f"The model knows a column {name!r} ({role})"
                if self.complete
                else f"{name!r} is to be a {role}"
            )
            raise InputError(f"{source}: {needed}, but there is none. {_columns_are(names)}{hint}")


def check_names(names: Sequence[str], source: str) -> None:
    """Raise if a column has no name, or that of another one."""
    numbers: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        if not name:
            raise InputError(
                f"{source}: column {number} has no name. Give it one, or name all columns with `columns` if "
                "there is no header."
            )
        if numbers.setdefault(name, number) != number:
            raise InputError(
                f"{source}: columns {numbers[name]} and {number} are both called {name!r}. Rename "
                "one, or name all columns with `columns` if there is no header."
            )


def guess(values: Iterable[str]) -> str:
    """Return the role that values, as they are written, suggest for their column.

    Examples
    --------
    >>> guess(["1", "", "-2.5"]), guess(["red", "blue"]), guess(["see you there"])
    ('number', 'category', 'text')
    """
    present = [value for value in map(str.strip, values) if value]
    if present and all(map(NUMERAL.fullmatch, present)):
        return NUMBER
    return TEXT if any(map(_is_text, present)) else CATEGORY


def stray_value(values: Iterable[str]) -> str | None:
    """Return the first value that is not a number of a column which holds numbers; None for other columns.

    Examples
    --------
    >>> stray_value(["1.5", "N/A", "2.5"]), stray_value(["1", "2", "b"]), stray_value(["1", "2"])
    ('N/A', None, None)
    """
    present = [value for value in map(str.strip, values) if value]
    others = [value for value in present if not NUMERAL.fullmatch(value)]
    numbers = len(present) - len(others)
    if not others or numbers <= len(others):
        return None
    if all(value.lower() in MISSING_MARKS for value in others):
        return others[0]
    is_varied = len(set(present) - set(others)) >= VARIED
    return others[0] if is_varied and numbers >= MOSTLY * len(present) else None


def guess_words(values: Iterable[str]) -> str:
    """Return the role that values which cannot be numbers suggest: text or category."""
    return TEXT if any(map(_is_text, map(str.strip, values))) else CATEGORY


def _is_text(value: str) -> bool:
    return len(value) > LONGEST_CATEGORY or len(value.split()) > 1


def _columns_are(names: Sequence[str]) -> str:
    if not names:
        return "There are no columns."
    more = f" and {len(names) - MOST_SHOWN:,} more" if len(names) > MOST_SHOWN else ""
    return f"The columns are {', '.join(map(repr, names[:MOST_SHOWN]))}{more}."


def no_label(names: Sequence[str], source: str) -> str:
    """Say that no column is the label, and what to do."""
    return (
        f"{source}: none of the columns is the label. {_columns_are(names)} Name it with `label='NAME'`; or, "
        "if the first line is not a header, name all columns, as in `columns=('label', 'text')`."
    )
