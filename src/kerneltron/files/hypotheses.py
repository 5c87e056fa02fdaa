"""Hypotheses: what the drawn vector and the vote keep beside the weights."""

import numpy as np

from kerneltron._types import Log
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.hypotheses import Last, Random
from kerneltron.models.vote import Vote

WHOLE = ("slots", "columns", "ticks")


def state(kind: str, hypothesis: Last, resumable: bool) -> Contents:
    """Return what a hypothesis needs to go on; of a vote, also to predict."""
    if isinstance(hypothesis, Vote):
        against = {"against": hypothesis.against} if hypothesis.against.any() else {}
        return Contents({"kind": kind}, {**hypothesis.log()._asdict(), **against})
    if isinstance(hypothesis, Random) and resumable:
        drawn = {} if hypothesis.drawn is None else {"drawn": hypothesis.drawn}
        if hypothesis.drawn_offsets is not None and hypothesis.drawn_offsets.any():
            drawn["drawn_offsets"] = hypothesis.drawn_offsets
        return Contents({"kind": kind, "seed": hypothesis.seed, "seen": hypothesis.seen}, drawn)
    return Contents({"kind": kind}, {})


def restore(contents: Contents, hypothesis: Last, remembered: int, columns: int) -> None:
    """Give a hypothesis back what it had; raise unless it fits so many remembered rows and columns."""
    if isinstance(hypothesis, Vote):
        hypothesis.entries = [_log(contents, remembered, columns)]
        if "against" in contents.tensors:
            hypothesis.against = contents.array("against", np.int64, (columns,))
    if isinstance(hypothesis, Random) and "seed" in contents.header:
        hypothesis.seed, hypothesis.seen = contents.whole("seed"), contents.whole("seen")
        if "drawn" in contents.tensors:
            hypothesis.drawn = contents.array("drawn", (np.float32, np.float64), (None, columns))
        if "drawn_offsets" in contents.tensors:
            hypothesis.drawn_offsets = contents.array("drawn_offsets", np.float64, (1, columns))


def check_drawn(hypothesis: Last, features: int, exact: bool) -> None:
    """Raise unless the vectors drawn have a row for each feature, or where not `exact` for the first ones."""
    if isinstance(hypothesis, Random) and hypothesis.drawn is not None:
        rows = len(hypothesis.drawn)
        if rows > features or (exact and rows != features):
            raise ModelFileError(f"the vectors drawn have {rows} rows for {features} features")


def complete_drawn(hypothesis: Last, columns: int) -> None:
    """Say what was drawn of the constant feature, where that is no part of the vectors: 0 by default."""
    if isinstance(hypothesis, Random) and hypothesis.drawn is not None and hypothesis.drawn_offsets is None:
        hypothesis.drawn_offsets = np.zeros((1, columns))


def _log(contents: Contents, remembered: int, columns: int) -> Log:
    slots = contents.places("slots", (None,), remembered)
    shape = slots.shape
    return Log(
        slots=slots,
        columns=contents.places("columns", shape, columns),
        shrink=contents.array("shrink", np.float64, shape),
        step=contents.array("step", np.float64, shape),
        ticks=contents.array("ticks", np.int64, shape),
    )
