"""Options of the form NAME=VALUE."""

from collections.abc import Iterable


def pairs(option: str, words: Iterable[str], example: str) -> list[tuple[str, str]]:
    """Return names and values; raise with an example where a word has no '='.

    Examples
    --------
    >>> pairs("--role", ["body=text", "id=tag"], "body=text")
    [('body', 'text'), ('id', 'tag')]
    """
    found = []
    for word in words:
        name, sign, value = word.rpartition("=")
        if not sign or not name.strip() or not value.strip():
            raise ValueError(f"{option}: {word!r} is not of the form NAME=VALUE, as in {option} {example}.")
        found.append((name.strip(), value.strip()))
    return found
