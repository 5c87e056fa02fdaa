"""Foreign text for people: labels, tags, names and files that must not act on the terminal or forge lines."""

import re

# Control characters (C0, delete, C1), what sets the direction of writing, ends of lines and paragraphs,
# characters that cannot be seen, and halves of surrogate pairs. Joiners stay: scripts and emoji need them.
UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def visible(text: object) -> str:
    r"""Return a text on one line, with everything that would act instead of being seen written as an escape.

    Examples
    --------
    >>> from kerneltron._visible import visible
    >>> print(visible("spam\nham\x1b[31m"))
    spam\nham\x1b[31m
    """
    return UNSAFE.sub(_escaped, str(text))


def _escaped(found: re.Match[str]) -> str:
    letter = found.group()
    code = ord(letter)
    if letter in SHORT:
        return SHORT[letter]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
