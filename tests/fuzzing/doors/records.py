"""Records with fields of all kinds for kernel="auto": no field is dropped, or an error names it."""

import re
import warnings
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl

from kerneltron.kernels.field_values import is_missing
from kerneltron.kernels.fields import CONSTANT, EMPTY, fields_of
from kerneltron.kernels.search.finding import first_kernel

QUICK = 60
ROWS = 12
GAPS = [None, float("nan"), pd.NaT, pd.NA, np.float32("nan"), np.datetime64("NaT"), Decimal("nan")]
STRANGE = ["plus", 3, object(), {"k": 1}, float("inf"), [1, 2], b"raw", "", True, "(S a)", 10**400, (1,), 1j]


def whole(rng):
    """Return a column without gaps: numbers, dates, spans, texts, trees, tokens, or rows of numbers."""
    numbers = rng.normal(size=ROWS).round(2)
    day, moment = date(2024, 5, 1), datetime(2024, 5, 1, 12)
    return [
        numbers.tolist,
        lambda: [bool(number > 0) for number in numbers],
        lambda: [Decimal(str(number)) for number in numbers],
        lambda: [day + timedelta(days=int(9 * number)) for number in numbers],
        lambda: [moment + timedelta(hours=number) for number in numbers],
        lambda: [(moment + timedelta(hours=number)).replace(tzinfo=UTC) for number in numbers],
        lambda: [timedelta(hours=number) for number in numbers],
        lambda: rng.choice(["red", "light blue", "é", ""], ROWS).tolist(),
        lambda: rng.choice(["(S a)", "(S (A b))"], ROWS).tolist(),
        lambda: [["a", "b"][: 1 + n % 2] for n in range(ROWS)],
        lambda: [[number, 1.0] for number in numbers],
        lambda: [7] * ROWS,
    ][int(rng.integers(12))]()


def column(rng):
    """Return a column, perhaps with gaps, or with something else among it."""
    values = whole(rng)
    gap = GAPS[int(rng.integers(len(GAPS)))]
    if rng.random() < 0.5:
        share = float(rng.choice([0.1, 0.5, 1.0]))
        values = [gap if rng.random() < share else value for value in values]
    if rng.random() < 0.15:
        values[int(rng.integers(ROWS))] = STRANGE[int(rng.integers(len(STRANGE)))]
    return values


def held(rng, columns):
    """Return the columns as records, a frame or a structured array; as records where these refuse them."""
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if rng.random() < 0.1:
        del records[int(rng.integers(ROWS))][str(rng.choice(list(columns)))]
        return records
    # Polars panics at the NaN of a Decimal.
    for_polars = {name: [None if is_missing(v) else v for v in values] for name, values in columns.items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [
                lambda: records,
                lambda: pd.DataFrame(columns),
                lambda: pd.DataFrame(columns).convert_dtypes(),
                lambda: pl.DataFrame(for_polars),
                lambda: np.array([tuple(r.values()) for r in records], [(name, object) for name in columns]),
            ][int(rng.integers(5))]()
    except Exception:  # a frame takes not all that a dict takes
        return records


def case(rng, folder):
    columns = {name: column(rng) for name in "abc"[: int(rng.integers(1, 4))]}
    X = held(rng, columns)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = fields_of(X)
            if found.errors:
                raise found.errors[0]
            if not found.used:
                assert set(found.left_out.values()) == {EMPTY}
                return
            kernel = first_kernel("records", X, np.arange(ROWS) % 2, 0)
            K = kernel(X)
    except (ValueError, TypeError) as error:
        if not re.search(r"field '[abc]'", str(error)):
            raise  # it does not say where
        return
    assert {field.name for field in found.used} | found.left_out.keys() == columns.keys()
    assert set(found.left_out.values()) <= {CONSTANT, EMPTY}
    assert all(f"On('{field.name}'" in str(kernel) for field in found.used)
    assert np.isfinite(K).all()
    np.testing.assert_allclose(K, K.T, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.diag(K), kernel.diag(X), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(K[:3, 3:], kernel(X[:3], X[3:]), rtol=1e-5, atol=1e-7)
    assert np.linalg.eigvalsh(K.astype(float)).min() >= -1e-5 * max(1.0, np.abs(K).max())
