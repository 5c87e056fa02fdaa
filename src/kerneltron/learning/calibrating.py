"""How a learner gets its calibration: what is looked at while it visits rows, and when passes end."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron.learning.calibration import Calibration, sampled

if TYPE_CHECKING:
    from kerneltron.models.model import Model

SAID = 4  # visits where what predicts is asked, too, between one power of 2 and the next
ROWS = 400  # that it is asked about when passes end
ENOUGH = 100  # rows of a window, in the place of those of the window before


class Look(NamedTuple):
    """How the scores of visits speak for the certainty of predictions.

    Parameters
    ----------
    are_new
        Whether the rows were never learned from: otherwise only the sizes of their scores count.
    compares
        Whether the deployed (averaged) vectors score some of the rows, too, just before these are learned
        from. Without it, that waits for the end of all passes.
    """

    are_new: bool = True
    compares: bool = True


FRESH = Look()


def visit(
    model: "Model", calibration: Calibration, visits: Visits, look: Look, **wanted: bool
) -> tuple[Any, Trace, Calibration]:
    """Learn from visits; return mistakes, what happened, and what is known of certainty then.

    Where results do not depend on it, visits are cut, and the deployed vectors score a row before it is
    learned from. Otherwise they score it when all visits are made.

    Parameters
    ----------
    model, calibration
        What learns, and what was known before.
    visits, wanted
        As for `Model.learn`.
    look
        What is to be compared.
    """
    count, seen, are_new = visits.order.size, calibration.seen, look.are_new
    places = sampled(seen, count)
    if not places.size:
        missed, trace = model.learn(visits, **wanted)
        return missed, trace, calibration._replace(seen=seen + count)
    wanted["keep_scores"] = True
    asked = sampled(seen, count, SAID) if look.compares else places[:0]
    if asked.size and model.cut:
        missed, trace, said = _cut(model, visits, asked, model.cut, wanted)
    else:
        missed, trace = model.learn(visits, **wanted)
        said = model.current_scores(visits.order[asked]) if asked.size else trace.scores[:0]
    found = calibration.with_fresh(seen + 1 + places, trace.scores[places], visits.codes[places], are_new)
    if asked.size:
        found = found.compared(seen + 1 + asked, said, trace.scores[asked])
    return missed, trace, found._replace(seen=seen + count)


def _cut(
    model: "Model", visits: Visits, asked: Integers, length: int, wanted: dict[str, bool]
) -> tuple[Any, Trace, Floats]:
    """Learn from visits in pieces, before which what predicts is asked about the next rows, if it is."""
    starts = np.unique(asked // length * length)
    edges = np.unique([0, *starts, visits.order.size])
    said, missed = np.empty((asked.size, model.columns)), 0
    traces: list[Trace] = []
    for first, end in pairwise(edges.tolist()):
        mine = np.flatnonzero((asked >= first) & (asked < end))
        if mine.size:
            said[mine] = model.current_scores(visits.order[asked[mine]])
        part = Visits._make(array[first:end] for array in visits)
        some, trace = model.learn(part, **wanted)
        missed, traces = missed + some, [*traces, trace]
    return missed, Trace._make(map(np.concatenate, zip(*traces, strict=True))), said


def settled(model: "Model", calibration: Calibration, visits: Visits) -> Calibration:
    """Return what is known when what predicts was asked about rows of this call."""
    weights = model.weights
    features = weights.v.size // weights.scale.size
    return calibration.settled(model.current_scores(visits.order), visits.codes, features)


def spread_out(rows: Integers) -> Integers:
    """Return some of the rows, from the first to the last."""
    return np.asarray(rows[np.linspace(0, rows.size - 1, min(rows.size, ROWS)).astype(np.int64)])
