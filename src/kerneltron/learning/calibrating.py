"""How a learner gets its calibration: what is looked at while it visits rows, and when passes end."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron.learning.calibration import Calibration, sampled

if TYPE_CHECKING:
    from kerneltron.learning.examples import Examples
    from kerneltron.learning.passes import Plan
    from kerneltron.models.model import Model

SAID = 4  # visits where what predicts is asked, too, between one power of 2 and the next
ROWS = 400  # that it is asked about when passes end
ENOUGH = 100  # rows of a window, in the place of those of the window before
FOLDS = 3  # that a learner without progressive scores is held out on,
HELD_OUT = 600  # of at most this many examples
ROUGH = 0.01  # relative duality gap that is enough there


def visit(
    model: "Model",
    calibration: Calibration,
    visits: Visits,
    are_new: bool,
    keep_scores: bool,
    keep_predictions: bool = False,
) -> tuple[Any, Trace, Calibration]:
    """Learn from visits of a stream; return mistakes, scores before each update, and what is known then.

    Where nothing shows of it, visits are cut, and what predicts is asked before a row is learned from. Other
    models are asked when all visits are made.

    Parameters
    ----------
    model, calibration
        What learns, and what was known before.
    visits, keep_scores, keep_predictions
        As for `Model.learn`.
    are_new
        Whether the rows were never learned from.
    """
    wanted = {"keep_predictions": keep_predictions}
    count, seen = visits.order.size, calibration.seen
    places = sampled(seen, count)
    if not places.size:
        missed, trace = model.learn(visits, keep_scores, **wanted)
        return missed, trace, calibration._replace(seen=seen + count)
    asked = sampled(seen, count, SAID)
    if asked.size and model.cut:
        missed, trace, said = _cut(model, visits, asked, model.cut, wanted)
    else:
        missed, trace = model.learn(visits, keep_scores=True, **wanted)
        said = model.said(visits.order[asked]) if asked.size else trace.scores[:0]
    found = calibration.with_fresh(seen + 1 + places, trace.scores[places], visits.codes[places], are_new)
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
            said[mine] = model.said(visits.order[asked[mine]])
        part = Visits._make(array[first:end] for array in visits)
        some, trace = model.learn(part, keep_scores=True, **wanted)
        missed, traces = missed + some, [*traces, trace]
    return missed, Trace._make(map(np.concatenate, zip(*traces, strict=True))), said


def settled(model: "Model", calibration: Calibration, visits: Visits) -> Calibration:
    """Return what is known when what predicts was asked about rows of this call."""
    features = model.weights.v.size // model.columns
    return calibration.settled(model.said(visits.order), visits.codes, features)


def spread_out(rows: Integers) -> Integers:
    """Return some of the rows, from the first to the last."""
    return np.asarray(rows[np.linspace(0, rows.size - 1, min(rows.size, ROWS)).astype(np.int64)])


class Watch:
    """Looks at the passes of `passes.train`: fresh scores in the first one, and what predicts in the end.

    Parameters
    ----------
    calibration
        What was known before.
    examples, chosen
        What is learned from: all rows, or those chosen.
    are_new
        Whether the rows were never learned from.
    """

    def __init__(
        self, calibration: Calibration, examples: "Examples", chosen: Integers | None, are_new: bool
    ) -> None:
        self.calibration, self.examples, self.are_new = calibration, examples, are_new
        rows = np.arange(examples.size) if chosen is None else chosen
        self._asked = examples.visits(spread_out(rows))

    def learned(self, visits: Visits, trace: Trace) -> None:
        """Look at visits of the first pass."""
        known, count = self.calibration, visits.order.size
        places = sampled(known.seen, count)
        ticks = known.seen + 1 + places
        found = known.with_fresh(ticks, trace.scores[places], visits.codes[places], self.are_new)
        self.calibration = found._replace(seen=known.seen + count)

    def ended(self, model: "Model") -> None:
        """Ask what predicts, while the rows are still there."""
        if self._asked.order.size:
            self.calibration = settled(model, self.calibration, self._asked)


class HeldOut:
    """Asks a model, when its passes end, about examples that it has not learned from."""

    are_new = False

    def __init__(self, held_out: Visits) -> None:
        self.held_out = held_out
        self.scores: Floats = np.empty((0, 1))

    def learned(self, visits: Visits, trace: Trace) -> None:
        """Nothing: there are no scores to look at."""

    def ended(self, model: "Model") -> None:
        """Ask it."""
        self.scores = model.said(self.held_out.order)


def folded(new_model: Any, rows: Any, examples: "Examples", plan: "Plan") -> tuple[Floats, Integers] | None:
    """Return scores of held-out examples, and their classes; None where there are too few.

    Some of the examples are parted, and each part is scored by a model that has learned from the others: for
    learners that look for an optimum, whose visits have no order, so that no score is fresh. Takes the time
    of three trainings on 400 examples at most.

    Parameters
    ----------
    new_model
        Returns a model that knows nothing.
    rows, examples, plan
        As for `passes.train`.
    """
    from kerneltron.learning.passes import train

    chosen = np.arange(examples.size) if plan.chosen is None else plan.chosen
    chosen = np.random.default_rng(plan.seed or 0).permutation(chosen)[:HELD_OUT]
    if chosen.size < 2 * FOLDS:
        return None
    scores, codes = [], []
    for fold in range(FOLDS):
        held_out = examples.visits(chosen[fold::FOLDS])
        rest = np.delete(chosen, np.s_[fold::FOLDS])
        if not held_out.order.size or np.unique(examples.visits(rest).codes).size < 2:
            continue
        watch = HeldOut(held_out)
        part = plan._replace(chosen=rest, tolerance=max(plan.tolerance, ROUGH))
        train(new_model(), rows, examples, part, watch=watch)
        scores.append(watch.scores)
        codes.append(held_out.codes)
    return (np.concatenate(scores), np.concatenate(codes)) if scores else None
