"""A run made again, to see what happened in it: the mistakes of each column, and where they were.

A learner keeps what it has learned, and not how. Its method, its seed and its examples say the rest: the same
visits in the same order. That they are the same is checked, by the mistakes of each pass and by the scores.
"""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Integers, Trace, Visits
from kerneltron._validate import rows_of
from kerneltron.learning.learner import Learner
from kerneltron.learning.pass_report import PassReport
from kerneltron.learning.space import STREAM, Data, takes_matrices
from kerneltron.learning.trace import Traced
from kerneltron.learning.weighting import class_weights
from kerneltron.training.arrays import Arrays
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.trainer import Trainer

COMPARED = 256  # rows whose scores are compared
ALIKE = 1e-4  # as far as scores may differ by rounding, relative to the largest


class Moves(NamedTuple):
    """The updates of one column in their order."""

    visits: Integers  # which visit it was, from 1, over all passes
    rows: Integers
    is_mistake: Anything
    scores: Floats  # before the update
    shrink: Floats
    step: Floats  # with the sign of the label


class Run(NamedTuple):
    """What happened: the passes, and in each column the mistakes and the updates."""

    passes: float
    visits: int
    mistakes: Integers  # of each pass and column: the theorems count these, and not wrong classes
    first: int  # examples of the first pass
    wrong: int  # wrong classes in the first pass
    moves: list[Moves]
    learner: Learner  # as the run leaves it


def replay(learner: Learner, X: Any, y: Anything) -> Run:
    """Make the run of a learner again.

    Parameters
    ----------
    learner
        That was fitted, or went over a stream once.
    X, y
        The examples that it learned from, in their order, as its model takes them.
    """
    _check(learner)
    again = _begin(learner, X, y)
    parts = _made_again(again, X, y, _plan(learner))
    made = np.array([part.wrong for part in parts])
    if not _is_same(learner, again, X, made):
        raise ValueError(
            f"these are not the examples that this {learner.name} was fitted on: from them it would make "
            f"{_told(made)} mistakes in its passes, and learn another vector; it has made "
            f"{_told(learner.mistakes)}. A certificate speaks of the mistakes of the run that was made: hand "
            "over the same X and y, in the same order. (Runs with sample weights other than 0 and 1, with "
            "classes that came late, or of several calls cannot be made again; rows of weight 0 leave out.)"
        )
    return Run(
        _passes(learner),
        sum(part.visits for part in parts),
        np.array([part.mistakes for part in parts]),
        parts[0].visits,
        int(made[0]),
        [Moves(*map(np.concatenate, zip(*column, strict=True))) for column in _columns(parts)],
        again,
    )


class _Pass(NamedTuple):
    visits: int
    mistakes: Integers
    wrong: int
    moves: list[Moves]


def _columns(parts: list[_Pass]) -> list[list[Moves]]:
    """Return the moves of each column, one entry per pass, with visits counted over all passes."""
    before = np.cumsum([0, *(part.visits for part in parts)])
    return [
        [_later(part.moves[c], first) for part, first in zip(parts, before, strict=False)]
        for c in range(len(parts[0].moves))
    ]


def _later(moves: Moves, by: int) -> Moves:
    return moves._replace(visits=moves.visits + by)


def _check(learner: Learner) -> None:
    method = learner.method
    if learner.model.form == "scaled":
        learner.model.check_tracing()
    if learner.scaler is not None:
        raise ValueError("the model of a learner behind a scaler moves by scaled rows: fit with scale=False.")
    if method.tolerance:
        raise ValueError(
            f"{learner.name} looks for an optimum, and visits what helps most: mistakes on the way prove "
            "nothing. Certificates are for learners from mistakes, such as Perceptron."
        )
    if method.early_stopping:
        raise ValueError(
            "a certificate speaks of a run over all examples, and early_stopping=True holds some of them "
            "back: fit with early_stopping=False and this many `passes`."
        )
    if learner.mistakes is None or (learner.is_streaming and learner.mistakes.size > 1):
        raise ValueError(
            "what was learned here comes from several calls (fit, then partial_fit), or was combined from "
            "parts: a certificate speaks of one run. Fit a new learner on all the examples."
        )


def _passes(learner: Learner) -> float:
    """Return how many passes were made: a callback may have ended them early."""
    assert learner.mistakes is not None
    return 1.0 if learner.is_streaming else min(float(learner.method.passes), float(learner.mistakes.size))


def _plan(learner: Learner) -> PassPlan:
    """Return how the passes were made."""
    return PassPlan(
        _passes(learner), _seed(learner) if learner.method.shuffle and not learner.is_streaming else None
    )


def _seed(learner: Learner) -> int:
    if learner.seed is not None:
        return learner.seed
    if learner.method.random_state is None:
        raise ValueError(
            "the order of the examples is not known any more: it is not saved. Fit with a number as "
            "random_state, or with shuffle=False, to have certificates after loading."
        )
    return learner.method.seed()


def _begin(learner: Learner, X: Any, y: Anything) -> Learner:
    """Return a learner that begins as this one did."""
    again = Learner(learner.method, learner.inputs)
    again.meet(y, learner.classes if learner.is_closed else None)
    if again.known != learner.known:
        raise ValueError(f"y has the classes {again.known}, and the learner knows {learner.known}.")
    streams = learner.is_streaming
    again.begin(data_of(again, X, y, streams), learner.seed if learner.seed is not None else 0, learner.space)
    again.model.hypothesis.compares_every = 1 if streams else 0
    return again


def data_of(learner: Learner, X: Any, y: Anything, streams: bool = False) -> Data:
    """Return what a learner is told of the examples that it begins with."""
    count = max(len(y), STREAM) if streams else len(y)
    codes = None if streams else learner.target.codes(y)
    if takes_matrices(learner.kernel):
        return Data(count, X.shape[1], X.dtype, X, codes=codes)
    return Data(count, 0, X=X, codes=codes)


def _made_again(again: Learner, X: Any, y: Anything, plan: PassPlan) -> list[_Pass]:
    """Make all passes, and keep what moved in each."""
    traces: list[Traced] = []
    parts: list[_Pass] = []

    def record(visits: Visits, trace: Trace) -> None:
        traces.append(Traced.of(visits, trace))

    def after_pass(report: PassReport) -> None:
        traced = Traced(*map(np.concatenate, zip(*traces, strict=True)))
        moves = [_moves(traced, c) for c in range(again.model.columns)]
        parts.append(_Pass(traced.order.size, traced.mistakes, int(report.mistakes), moves))
        traces.clear()

    batches = Arrays(X, again.examples(y, by_class=weights_of(again, y)), concludes=False)
    trainer = Trainer(again, batches, plan, record, ("keep_scores", "keep_moves"))
    trainer.after_pass = after_pass
    trainer.run()
    return parts


def weights_of(learner: Learner, y: Anything) -> Floats:
    """Return what each class counts."""
    counts, classes = learner.method.counts, np.asarray(learner.classes)
    if not isinstance(counts, str):
        return class_weights(counts, classes, learner.method.whole_examples_only)
    return np.asarray(len(y) / (len(classes) * np.bincount(np.searchsorted(classes, y))))


def _moves(traced: Traced, c: int) -> Moves:
    is_mistake = traced.is_mistake[:, c]
    at = np.flatnonzero(is_mistake | (traced.step[:, c] != 0))
    return Moves(
        at + 1,
        traced.order[at],
        is_mistake[at],
        traced.scores[at, c],
        traced.shrink[at, c],
        traced.step[at, c],
    )


def _is_same(learner: Learner, again: Learner, X: Any, made: Integers) -> bool:
    """Return whether two learners made the same mistakes, and say the same."""
    if not np.array_equal(made, np.asarray(learner.mistakes)):
        return False
    count = X.shape[0] if hasattr(X, "shape") else len(X)
    some = rows_of(X, np.unique(np.linspace(0, count - 1, COMPARED).astype(int)))
    before, now = learner.model.scores(some), again.model.scores(some)
    return bool(
        np.allclose(before, now, rtol=ALIKE, atol=ALIKE * max(1e-300, float(np.abs(before).max(initial=0.0))))
    )


def _told(mistakes: Any) -> str:
    return " + ".join(f"{count:,}" for count in np.asarray(mistakes).tolist()[:5])
