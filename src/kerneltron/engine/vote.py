"""The vote of all vectors that a learner has been, from a log of its moves."""

import numpy as np

from kerneltron._types import Floats, Integers, Log
from kerneltron.engine.compiled import compiled


@compiled
def walk(log: Log, products: Floats, clock: Integers, now: Floats, since: Integers, votes: Floats) -> None:
    """Fill votes[m, c] with the mean of sign <w_c, x_m> over the ticks 1 to clock[c].

    products[m, s] is the inner product of x_m and the remembered row s, `now` the scores of the vectors
    that the log starts from (it is overwritten), `since` has one tick per column.
    """
    for m in range(products.shape[0]):
        since[:] = 1
        for c in range(clock.size):
            votes[m, c] = 0.0
        for e in range(log.ticks.size):
            c = log.columns[e]
            votes[m, c] += np.sign(now[m, c]) * (log.ticks[e] - since[c])
            now[m, c] = log.shrink[e] * now[m, c] + log.step[e] * products[m, log.slots[e]]
            since[c] = log.ticks[e]
        for c in range(clock.size):
            votes[m, c] += np.sign(now[m, c]) * (clock[c] + 1 - since[c])
            votes[m, c] /= max(1, clock[c])
