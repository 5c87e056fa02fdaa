"""What each shard counts in the mix of a round."""

from collections.abc import Sequence

import numpy as np

from kerneltron._types import Floats
from kerneltron.cluster.reports import Report

MIXES = ("uniform", "examples", "mistakes")
SQUARES = ("averaged", "added")


def shares(mix: str, reports: Sequence[Report]) -> Floats:
    """Return one share per shard; they sum to 1.

    "uniform" counts all the same, "examples" by the weight of their examples, and "mistakes" by how many
    each made in this round, all the same where there was none.
    """
    counts = np.ones(len(reports))
    if mix == "examples":
        counts = np.array([report.progress.weight for report in reports])
    elif mix == "mistakes":
        counts = np.array([float(report.mistakes) for report in reports])
    if not counts.any():
        counts = np.ones(len(reports))
    return np.asarray(counts / counts.sum())


def check(mix: str, squares: str) -> None:
    """Raise unless these are ways to mix."""
    if mix not in MIXES:
        raise ValueError(f"mix={mix!r} is not known. Choose one of {', '.join(MIXES)}.")
    if squares not in SQUARES:
        raise ValueError(f"squares={squares!r} is not known. Choose one of {', '.join(SQUARES)}.")
