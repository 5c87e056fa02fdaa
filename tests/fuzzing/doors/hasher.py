"""Rows, frames, lists and texts for the hasher: pieces have the slots of the whole, or an error."""

import re
import warnings

import numpy as np
import pandas as pd
import polars as pl

from kerneltron import Hasher

QUICK = 100
NAMES = ["user", "text", "city", "n", "é", "", "a^b", "day", "\ud800", 3, None, "x" * 50, "\n", '"', "\\"]
VALUES = [
    "Rome",
    "New York",
    "",
    " ",
    "a\tb\nc",
    "é😀",
    "\x00",
    'quo"te',
    "back\\",
    "x" * 60,
    "\ud800",
    "1.5",
]
VALUES += [
    0,
    1,
    -2.5,
    1e300,
    1e-30,
    float("nan"),
    float("inf"),
    10**400,
    True,
    None,
    np.float32(2.5),
    np.int8(3),
]
VALUES += [["a", "b c"], [], [1, "a", None], {"k": 1}, {"k": {"j": "v"}}, {}, (1, 2), {1, 2}, b"raw", object]
VALUES += [np.array(["a", "b"]), pd.Timestamp("2024-05-01"), [["a"]], {"k": [1]}]
PLAIN = ["Rome", "New York", "see you there", "", 1, 2.5, None, True, ["a", "b"]]
OPTIONS = {
    "signed": [True, False],
    "binary": [True, False],
    "damped": [True, False],
    "normalize": [True, False],
    "ngrams": [1, 2, 3],
    "skips": [0, 1],
    "copies": [1, 2],
    "lowercase": [True, False],
    "cross": [(), ("user*text",), ("text*text",), ("usr*text",), ("city*n", "user*text")],
    "columns": [
        None,
        {},
        {"city": "text"},
        {"city": "ignore", "text": "text"},
        {"day": "ignore", "n": "category"},
    ],
    "strings": ["text", "vw", "svmlight"],
}


def case(rng, folder):
    options = {name: pick(rng, choices) for name, choices in OPTIONS.items() if rng.random() < 0.25}
    hasher = Hasher(bits=int(rng.integers(1, 12)), **options)
    kind, rows = pick(rng, [dicts, texts, lists, anything])(rng)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            given = pick(rng, FRAMES)(rows) if kind == "dicts" else rows
    except Exception:  # a frame takes not all that a dict takes
        given = rows
    how = pick(rng, ["fit", "partial_fit", "transform"])
    try:
        whole = (
            hasher.transform(given) if how == "transform" else getattr(hasher, how)(given).transform(given)
        )
    except (ValueError, TypeError) as error:
        if not re.search(r"\bX\b|cross=|damped=|there is no field", str(error)):
            raise  # it does not say where
        return
    assert whole.shape == (len(rows), 1 << hasher.bits)
    assert np.isfinite(whole.data).all()
    assert whole.has_canonical_format
    cut = int(rng.integers(0, len(rows) + 1))
    for first, last in ((0, cut), (cut, len(rows))):
        piece = given[first:last]
        if len(piece):  # a frame of polars without columns forgets its rows
            part = transformed(hasher, piece, how)
            assert part is None or (part != whole[first:last]).nnz == 0
    if how != "transform":
        again = type(hasher)(**hasher.get_params()).fit(given)
        assert again.columns_ == hasher.columns_
        assert (again.transform(given) != whole).nnz == 0


def transformed(hasher, rows, how):
    """Return the slots of a piece; None where a piece alone lacks the columns that a cross names."""
    try:
        return hasher.transform(rows)
    except ValueError as error:
        if how != "transform" or "cross=" not in str(error):
            raise
        return None


def dicts(rng):
    values = PLAIN if rng.random() < 0.6 else VALUES
    names = NAMES[:6] if rng.random() < 0.7 else NAMES
    columns = [pick(rng, names) for _ in range(int(rng.integers(1, 5)))]
    rows = [{name: pick(rng, values) for name in columns if rng.random() < 0.9} for _ in range(size(rng))]
    return "dicts", rows


def texts(rng):
    lines = [
        "|text a b |user c",
        "1 2:3",
        "|",
        "",
        "win a prize",
        "|a:2 b:nan",
        "a\nb",
        "3:1",
        "\ud800",
        "# x",
        "é | ",
    ]
    return "texts", [pick(rng, lines) for _ in range(size(rng))]


def lists(rng):
    entries = ["a", "user^ann", "text^b", "", "^", ("a", 2.5), ("b", 0), ("c", np.float32(1)), "é"]
    entries += [("d", float("nan")), ("e", 1e300), 3, None, ("f",), ["g", 1]] if rng.random() < 0.3 else []
    return "lists", [[pick(rng, entries) for _ in range(int(rng.integers(0, 4)))] for _ in range(size(rng))]


def anything(rng):
    things = ["text", {"a": 1}, ["a"], None, 3, ("a", 1), b"raw", np.array(["a", "b"]), {"a"}, float("nan")]
    return "anything", [pick(rng, things) for _ in range(int(rng.integers(0, 4)))]


def size(rng):
    return int(rng.integers(1, 7))


FRAMES = [list, list, pd.DataFrame, lambda rows: pl.DataFrame(rows, strict=True)]


def pick(rng, choices):
    return choices[int(rng.integers(len(choices)))]
