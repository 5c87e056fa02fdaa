"""Strings as the compiled functions see them."""

from typing import NamedTuple

from kerneltron._types import Integers


class EncodedStrings(NamedTuple):
    """Strings one after the other: string i is codes[starts[i]:starts[i + 1]].

    Both sides of a block have codes of one alphabet. A symbol that the other side does not have may be -1.
    """

    codes: Integers
    starts: Integers
