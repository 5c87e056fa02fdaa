"""The one formula of every additive learner, w <- shrink * w + step * y * phi(x), and who fills it in."""

from typing import Any, NamedTuple

from kerneltron.engine.compiled import inlined


class Situation(NamedTuple):
    """What a rule may know of the example in front of it."""

    z: float  # the margin y <w, phi(x)>
    q: float  # ||phi(x)||^2; 0 for an example without features
    N: float  # ||w||^2
    t: int  # examples seen, this one included
    weight: float  # importance of the example, never 0
    k: int  # updates so far
    alpha: float  # y times the coefficient that the example has now; 0 in primal form, which does not know it


def update(rule: Any, at: Situation) -> tuple[float, float]:
    """Return `(shrink, step)`; the files in `rules/` say what that is for each type of rule.

    Loops call `decide`: where q is 0 the step, which then may be anything, is not looked at.
    """
    raise NotImplementedError


@inlined
def decide(rule: Any, at: Situation) -> tuple[float, float]:
    """Return `(shrink, step)`, with a step of 0 for an example without features: there is nothing to add.

    Such an example is an example all the same: it is a tick of the clock, and w shrinks.
    """
    shrink, step = update(rule, at)
    return shrink, step if at.q > 0.0 else 0.0
