"""Calibration by held-out examples, for learners that look for an optimum: no score of theirs is fresh."""

from typing import TYPE_CHECKING

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.learning import space as spaces
from kerneltron.learning.space import Data
from kerneltron.training.arrays import Arrays
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.trainer import Trainer

if TYPE_CHECKING:
    from kerneltron.learning.learner import Learner

FOLDS = 3
HELD_OUT = 600  # examples at most
ROUGH = 0.01  # relative duality gap that is enough here


def calibrate(learner: "Learner", batches: Arrays, plan: PassPlan) -> None:
    """Find the temperature of a learner by scores of examples that models like its own have not learned from.

    Some of the examples are parted, and each part is scored by a model that has learned from the others.
    Takes the time of three trainings on 400 examples at most.

    Parameters
    ----------
    learner
        What was trained.
    batches, plan
        What it was trained on, and how.
    """
    found = _held_out_scores(learner, batches, plan)
    if found is not None and learner.calibration is not None:
        learner.calibration = learner.calibration.held_out(*found)


def _held_out_scores(learner: "Learner", batches: Arrays, plan: PassPlan) -> tuple[Floats, Integers] | None:
    """Return scores of held-out examples, and their classes; None where there are too few."""
    examples = batches.examples
    chosen = np.arange(examples.size) if batches.chosen is None else batches.chosen
    chosen = np.random.default_rng(plan.seed or 0).permutation(chosen)[:HELD_OUT]
    if chosen.size < 2 * FOLDS:
        return None
    scores, codes = [], []
    for fold in range(FOLDS):
        held_out = examples.visits(chosen[fold::FOLDS])
        rest = np.delete(chosen, np.s_[fold::FOLDS])
        if not held_out.order.size or np.unique(examples.visits(rest).codes).size < 2:
            continue
        rough = plan._replace(tolerance=max(plan.tolerance, ROUGH))
        part = _blank(learner, examples.size)
        trainer = Trainer(part, batches.only(rest), rough)
        with trainer.opened():
            trainer.make_passes()
            scores.append(part.model.current_scores(held_out.order))
        codes.append(held_out.codes)
    return (np.concatenate(scores), np.concatenate(codes)) if scores else None


def _blank(learner: "Learner", examples: int) -> "Learner":
    """Return a learner with a model such as that of another one, which has learned nothing."""
    assert learner.space is not None
    data = Data(examples, learner.inputs or 0, learner.model.dtype or np.float64)
    blank = learner.shell()
    blank.model = spaces.new_model(learner.method, learner.space, data, learner.columns, learner.seed or 0)
    blank.mistakes = blank.optima = None
    return blank
