"""Several passes over the same examples, and when to stop."""

from collections.abc import Callable, Iterator
from math import ceil, nan
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron.learning.examples import Examples
from kerneltron.learning.order import beginning, order
from kerneltron.learning.stopping import BestPass, PassReport
from kerneltron.models.model import Model


class Plan(NamedTuple):
    """How to go over the examples.

    `passes` is a cap, and may have a fraction: 0.1 is the first tenth of a pass. Without a seed the given
    order is kept. `chosen` are the rows to train on, if not all. Training stops when `patience` passes in a
    row do no better on held-out examples, or when the model is closer to its optimum than `tolerance`.
    """

    passes: float
    seed: int | None
    chosen: Integers | None = None
    patience: int = 0
    tolerance: float = 0.0
    first: int = 0  # passes that lie behind, as rounds of a training in parts do
    are_known: bool = False  # the rows were counted before the first pass, and are not counted again


class Outcome(NamedTuple):
    """The model that training ends with, and how it came there."""

    model: Model
    reports: list[PassReport]
    best_pass: int


def train(
    model: Model,
    rows: Any,
    examples: Examples,
    plan: Plan,
    *,
    validate: Callable[[Model], float] | None = None,
    after_pass: Callable[[PassReport], object] = lambda report: None,
    advance: Callable[[int, Any], None] = lambda visited, mistakes: None,
) -> Outcome:
    """Make the passes of `plan` and return the last model, or with `validate` the one it scored highest.

    `rows` are what `model.read` made of the examples' rows.
    `after_pass` returns True to stop; `advance` is told how many examples were visited and missed.
    """
    best = BestPass(plan.patience)
    with model.visiting(rows, undo=False):
        model.expect(plan.passes)
        if plan.tolerance:
            model.look_at(examples.visits(np.arange(examples.size) if plan.chosen is None else plan.chosen))
        reports = []
        for number in range(plan.first, plan.first + ceil(plan.passes)):
            if number == 1 and plan.first == 0:
                model.forget_beginning()
            if number > 0 or plan.are_known:
                model.know_rows()
            if number > 0:
                model.measure()
            chosen = model.due(plan.chosen)
            n = examples.size if chosen is None else chosen.size
            count = ceil(min(1.0, plan.first + plan.passes - number) * n)
            started, visited = perf_counter(), 0
            mistakes: Any = 0
            for chunk in beginning(_order(n, number, plan.seed, model), count):
                visits = examples.visits(chunk if chosen is None else chosen[chunk])
                missed, _ = model.learn(visits)
                visited, mistakes = visited + visits.order.size, mistakes + missed
                advance(chunk.size, missed)
            found = model.optimality(is_last=number + 1 >= plan.first + plan.passes)
            seconds = perf_counter() - started
            score = validate(model) if validate else nan
            reports.append(PassReport(number + 1, visited, mistakes, seconds, score, *found))
            if validate:
                best.look(score, model.copy)
            if after_pass(reports[-1]) is True or best.is_enough or reports[-1].gap <= plan.tolerance:
                break
    if not validate:
        return Outcome(model, reports, len(reports))
    best.best.finish()  # a copy from the middle of the visits
    return Outcome(best.best, reports, best.number)


def _order(n: int, number: int, seed: int | None, model: Model) -> Iterator[Integers]:
    """Yield the visits of a pass: later ones permute the blocks of the first, or are as new as that was."""
    if seed is None or not model.reshuffles:
        return order(n, number, seed, model.blocks)
    return order(n, 0, int(np.random.SeedSequence([seed, number]).generate_state(1)[0]), model.blocks)
