"""Common substrings beside their dynamic programme, and k-mers beside scikit-learn's vectorizer."""

from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.compare import Work, faster
from benchmarks.measure import Timings, take_turns, with_slow_ones
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron.kernels import Spectrum, Substrings
from tests.oracle.strings import substrings_by_programme

LENGTH, PAIRS = 10_000, 5  # strings that are compared whole
STRINGS, SHORT, K = 3_000, 400, 6
ALPHABETS = {"DNA": "ACGT", "26 letters": "abcdefghijklmnopqrstuvwxyz"}


def string_kernels(settings: Settings) -> list[Row]:
    """Compare one pair of long strings, and all pairs of many short ones."""
    length, count = (size // (10 if settings.quick else 1) for size in (LENGTH, STRINGS))
    rows = [row for name in ALPHABETS for row in _pairs(name, length, settings.repeats)]
    return rows + [_spectrum(name, count, settings.repeats) for name in ALPHABETS]


def _pairs(name: str, length: int, repeats: int) -> list[Row]:
    """Compare pairs one by one, and all of some strings with all of others."""
    theirs, kernel = "its dynamic programme, compiled", Substrings()
    left, right = drawn(name, PAIRS, length), drawn(name, 2 * PAIRS, length)[PAIRS:]
    codes = [[np.frombuffer(text.encode(), np.uint8) for text in texts] for texts in (left, right)]

    def programme(_: Any) -> list[float]:
        return [substrings_by_programme(x, z) for x, z in zip(*codes, strict=True)]

    if not np.array_equal(kernel(left, right).diagonal(), programme(None)):
        raise AssertionError("the values differ")
    alone, block = f"Substrings, pairs of {length:,}, {name}", f"the same, {PAIRS} x {PAIRS} at once"
    contestants = {
        alone: lambda _: [kernel([x], [z]) for x, z in zip(left, right, strict=True)],
        block: lambda _: kernel(left, right),
        theirs: programme,
    }
    timings = take_turns(contestants, lambda: None, repeats)
    a_pair = {alone: PAIRS, block: PAIRS**2, theirs: PAIRS}
    timings = Timings({key: [turn / a_pair[key] for turn in turns] for key, turns in timings.seconds.items()})
    work = Work(length**2, "cells")
    return [faster(timings, ours, theirs, work, Target("at least", 100.0)) for ours in (alone, block)]


def _spectrum(name: str, count: int, repeats: int) -> Row:
    ours, theirs = f"Spectrum({K}), {count:,} strings of {SHORT}, {name}", "CountVectorizer and X X'"
    strings, kernel = drawn(name, count, SHORT), Spectrum(K)

    def peer(strings: list[str]) -> Any:
        counted = CountVectorizer(analyzer="char", ngram_range=(K, K), lowercase=False).fit_transform(strings)
        return counted @ counted.T

    if not np.array_equal(kernel(strings[:100]), peer(strings[:100]).toarray()):
        raise AssertionError("the values differ")
    timings = with_slow_ones({ours: kernel}, {theirs: peer}, lambda: strings, repeats)
    return faster(timings, ours, theirs, Work(count**2, "pairs"), Target("at least", 20.0))


def drawn(name: str, count: int, length: int) -> list[str]:
    letters = np.random.default_rng(0).choice([*ALPHABETS[name]], (count, length))
    return ["".join(row) for row in letters]
