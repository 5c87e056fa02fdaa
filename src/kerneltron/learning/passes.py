"""Several passes over the same examples, and when to stop."""

from collections.abc import Callable, Iterator
from math import ceil, nan
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np

from kerneltron._types import Integers, Trace, Visits
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


class Watches(Protocol):
    """Looks at the visits of the first pass, and at the model that training ends with."""

    @property
    def are_new(self) -> bool:
        """Whether no row was learned from before: otherwise the first pass is not looked at."""

    def learned(self, visits: Visits, trace: Trace) -> None:
        """See the scores before each update."""

    def ended(self, model: Model) -> None:
        """See the model, while it still has the rows."""


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
    watch: Watches | None = None,
) -> Outcome:
    """Make the passes of `plan` and return the last model, or with `validate` the one it scored highest.

    `rows` are what `model.read` made of the examples' rows.
    `after_pass` returns True to stop; `advance` is told how many examples were visited and missed. `watch`
    sees scores where no optimum is looked for.
    """
    best = BestPass(plan.patience)
    fresh = watch if watch is not None and watch.are_new and not plan.tolerance else None
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
                missed = _learned(model, visits, fresh if number == plan.first else None)
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
        if watch is not None:
            watch.ended(best.best if validate else model)
    if not validate:
        return Outcome(model, reports, len(reports))
    best.best.finish()  # a copy from the middle of the visits
    return Outcome(best.best, reports, best.number)


def _learned(model: Model, visits: Visits, watch: Watches | None) -> Any:
    """Learn from some visits, which somebody may look at; return the mistakes."""
    if watch is None:
        return model.learn(visits)[0]
    missed, trace = model.learn(visits, keep_scores=True)
    watch.learned(visits, trace)
    return missed


def _order(n: int, number: int, seed: int | None, model: Model) -> Iterator[Integers]:
    """Yield the visits of a pass: later ones permute the blocks of the first, or are as new as that was."""
    if seed is None or not model.reshuffles:
        return order(n, number, seed, model.blocks)
    return order(n, 0, int(np.random.SeedSequence([seed, number]).generate_state(1)[0]), model.blocks)
