"""Scores of rows that are not learned from."""

from kerneltron._types import Floats, Rows
from kerneltron.engine.compiled import compiled
from kerneltron.engine.rows import score


@compiled
def score_rows(rows: Rows, v: Floats, z: Floats, scores: Floats) -> None:
    """Fill scores[i, c] with <v_c, x_i>, the constant feature included; z has one entry per column."""
    for i in range(scores.shape[0]):
        score(rows, i, v, z)
        for c in range(z.size):
            scores[i, c] = z[c]
