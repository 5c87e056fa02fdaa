"""Random: the Randomized Budget Perceptron, which forgets one of the others (Cavallanti et al., 2007)."""

from typing import NamedTuple

import numpy as np

from kerneltron.engine.budgets.held import MOVES, Held, drop
from kerneltron.engine.budgets.walk import always_enters, revise
from kerneltron.engine.compiled import INLINED
from kerneltron.engine.dispatch import implements
from kerneltron.engine.dual import Block, DualState
from kerneltron.engine.random_numbers import below, key_of, word

STREAM = 101  # of random numbers


@always_enters
class Random(NamedTuple):
    """Forget one of those that had a place before, each as likely as the others."""

    seed: int


@implements(revise, Random, **INLINED)
def forget_any(way: Random, state: DualState, block: Block, held: Held, k: int) -> None:
    """Draw by the number of the move alone, so that it does not matter how a stream is cut into calls."""
    drawn = word(key_of(np.uint64(way.seed), STREAM, 0), held.numbers[MOVES])
    others = state.counts[0] - 1 - held.features
    drop(state, block, held, k, held.order[held.features + below(drawn, others)])
