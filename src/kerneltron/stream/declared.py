"""What a user says about the format of input; the rest is found out."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Declared:
    """Empty where nothing was said.

    Parameters
    ----------
    format
        A name of `formats.FORMATS`.
    label
        The column of labels.
    columns
        Names of all columns, of files without a header.
    roles
        Role by column.
    delimiter
        What stands between columns.
    """

    format: str | None = None
    label: str | None = None
    columns: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
