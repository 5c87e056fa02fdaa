"""What the vector of now and the mean of all vectors say of a row, before it is learned from."""

from kerneltron._types import Floats, Rows, Trace, Weights
from kerneltron.engine.columns import note_scores
from kerneltron.engine.compiled import inlined, internal
from kerneltron.engine.rows import score


@inlined
def note(trace: Trace, k: int, rows: Rows, i: int, weights: Weights, z: Floats) -> None:
    """Write what is wanted of visit k, to row i, into the trace; z are the scores of w as it is now."""
    note_scores(trace, k, z)
    if is_wanted(trace, k):
        score_by_mean(rows, i, weights, z, trace.average[k])
    if trace.asked.shape[0] > 0:
        note_predictions(trace, k, rows, weights)


@inlined
def reads_weights(trace: Trace, k: int) -> bool:
    """Return whether `note` looks at more of the weights than v."""
    return is_wanted(trace, k) or trace.asked.shape[0] > 0


@internal
def note_predictions(trace: Trace, k: int, rows: Rows, weights: Weights) -> None:
    """Write what w and the mean say of the row that stands for the visited one into the trace."""
    predictions, i = trace.predictions[k], trace.asked[k]
    score(rows, i, weights.v, predictions)
    for c in range(predictions.size):
        predictions[c] *= weights.scale[c]
    if trace.predictions_by_mean.shape[0] > 0:
        score_by_mean(rows, i, weights, predictions, trace.predictions_by_mean[k])


# Not inlined, it would take as long as all the rest of a visit by Pegasos.
@inlined
def score_by_mean(rows: Rows, i: int, weights: Weights, z: Floats, found: Floats) -> None:
    """Let `found` be the scores of the mean for row i; z are those of w as it is now.

    The sum of all vectors that w_c has been is A v_c - u_c. An update of the row reads its part of u anyway.
    """
    score(rows, i, weights.u, found)
    for c in range(found.size):
        mass, ticks = weights.mass[c] / weights.scale[c], max(1, weights.clock[c])
        found[c] = (mass * z[c] - found[c]) / ticks


@inlined
def is_wanted(trace: Trace, k: int) -> bool:
    """Return whether the scores of the mean are asked for at visit k: they are NaN where not."""
    return bool(trace.average.shape[0] > 0 and trace.average[k, 0] == 0.0)
