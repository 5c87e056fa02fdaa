"""Common substrings beside their dynamic programme, and k-mers beside scikit-learn's vectorizer."""

from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.compare import Work, faster
from benchmarks.measure import take_turns, with_slow_ones
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron.kernels import Spectrum, Substrings
from tests.oracle.strings import substrings_by_programme

LENGTH = 10_000  # of the two strings that are compared whole
STRINGS, SHORT, K = 3_000, 400, 6
ALPHABETS = {"DNA": "ACGT", "26 letters": "abcdefghijklmnopqrstuvwxyz"}


def string_kernels(settings: Settings) -> list[Row]:
    """Compare one pair of long strings, and all pairs of many short ones."""
    rows = [_pair(name, LENGTH // (10 if settings.quick else 1), settings.repeats) for name in ALPHABETS]
    count = STRINGS // (10 if settings.quick else 1)
    return rows + [_spectrum(name, count, settings.repeats) for name in ALPHABETS]


def _pair(name: str, length: int, repeats: int) -> Row:
    ours, theirs = f"Substrings, two of {length:,}, {name}", "its dynamic programme, compiled"
    x, z = _drawn(name, 2, length)
    kernel = Substrings()
    codes = [np.frombuffer(text.encode(), np.uint8) for text in (x, z)]
    value, expected = kernel([x], [z])[0, 0], substrings_by_programme(*codes)
    if value != expected:
        raise AssertionError(f"{value} is not {expected}")
    contestant = {ours: lambda _: kernel([x], [z])}
    slow = {theirs: lambda _: substrings_by_programme(*codes)}
    timings = take_turns(contestant | slow, lambda: None, repeats)
    return faster(timings, ours, theirs, Work(length**2, "cells"), Target("at least", 100.0))


def _spectrum(name: str, count: int, repeats: int) -> Row:
    ours, theirs = f"Spectrum({K}), {count:,} strings of {SHORT}, {name}", "CountVectorizer and X X'"
    strings, kernel = _drawn(name, count, SHORT), Spectrum(K)

    def peer(strings: list[str]) -> Any:
        counted = CountVectorizer(analyzer="char", ngram_range=(K, K), lowercase=False).fit_transform(strings)
        return counted @ counted.T

    if not np.array_equal(kernel(strings[:100]), peer(strings[:100]).toarray()):
        raise AssertionError("the values differ")
    timings = with_slow_ones({ours: kernel}, {theirs: peer}, lambda: strings, repeats)
    return faster(timings, ours, theirs, Work(count**2, "pairs"), Target("at least", 20.0))


def _drawn(name: str, count: int, length: int) -> list[str]:
    letters = np.random.default_rng(0).choice([*ALPHABETS[name]], (count, length))
    return ["".join(row) for row in letters]
