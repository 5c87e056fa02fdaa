"""What the mean of all vectors so far says of a row, while the vector of now learns from it."""

from kerneltron._types import Floats, Rows, Trace, Weights
from kerneltron.engine.compiled import inlined
from kerneltron.engine.rows import score


# Not inlined, it would take as long as all the rest of a visit by Pegasos.
@inlined
def note_average(trace: Trace, k: int, rows: Rows, i: int, weights: Weights, z: Floats) -> None:
    """Write the scores of the mean before visit k, to row i, into the trace; z are those of w as it is now.

    The sum of all vectors that w_c has been is A v_c - u_c. An update of the row reads its part of u anyway.
    """
    found = trace.average[k]
    score(rows, i, weights.u, found)
    for c in range(found.size):
        mass, ticks = weights.mass[c] / weights.scale[c], max(1, weights.clock[c])
        found[c] = (mass * z[c] - found[c]) / ticks


@inlined
def is_wanted(trace: Trace, k: int) -> bool:
    """Tell whether the scores of the mean are asked for at visit k: they are NaN where not."""
    return bool(trace.average.shape[0] > 0 and trace.average[k, 0] == 0.0)
