"""VW text and svmlight, line by line."""

import re

import numpy as np

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def number(text):
    """Return the finite single-precision number that a text is."""
    if not NUMBER.fullmatch(text):
        raise ValueError(text)
    return finite(float(text))


def finite(value):
    with np.errstate(over="ignore"):
        single = np.float32(value)
    if not np.isfinite(single):
        raise ValueError(value)
    return float(single)


def words_of(text):
    return [word for word in re.split(r"[ \t]+", text) if word]


def read_vowpal(line):
    """Return (label, weight, tag, namespaces) of a line, or None if it is not of the format."""
    head, bar, rest = line.partition("|")
    try:
        return (*vowpal_head(head), [vowpal_space(part) for part in rest.split("|")]) if bar else None
    except ValueError:
        return None


def vowpal_head(head):
    words, tag = words_of(head), ""
    for place, word in enumerate(words):
        touches = place == len(words) - 1 and not head.endswith((" ", "\t"))
        if word.startswith("'") or touches:
            tag = word.removeprefix("'")
    numbers = [w for w in words if not w.startswith("'")]
    if words and not words[-1].startswith("'") and not head.endswith((" ", "\t")):
        numbers.pop()
    label, *weights = numbers or [""]
    if len(weights) > 1 or any(number(weight) < 0 for weight in weights):
        raise ValueError(head)
    return label, number(weights[0]) if weights else 1.0, tag


def vowpal_space(part):
    words, space, scale = words_of(part), "", 1.0
    if words and not part.startswith((" ", "\t")):
        space, colon, factor = words.pop(0).partition(":")
        scale = number(factor) if colon else 1.0
    read = []
    for word in words:
        name, colon, text = word.partition(":")
        if not name or (colon and not NUMBER.fullmatch(text)):
            raise ValueError(word)
        read.append((name, finite(scale * float(text)) if colon else scale))
    keys = [(f"{space}^{name}" if space else name, value) for name, value in read if value != 0.0]
    return space, keys, True


def read_svmlight(line):
    """Return (label, weight, tag, namespaces) of a line, or None if it is not of the format."""
    words = words_of(line.partition("#")[0])
    if not words or ":" in words[0]:
        return None
    try:
        read = [svmlight_feature(word) for word in words[1:]]
    except ValueError:
        return None
    return words[0], 1.0, "", [("", [(n, x) for n, x in read if x != 0.0 and not n.startswith("qid")], False)]


def svmlight_feature(word):
    name, _, text = word.partition(":")
    if not re.fullmatch(r"(qid)?\d*", name, re.ASCII) or not name:
        raise ValueError(word)
    return name, number(text)
