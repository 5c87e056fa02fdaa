"""The one formula of every additive learner, w <- shrink * w + step * y * phi(x), and who fills it in."""

from typing import Any, NamedTuple


class Situation(NamedTuple):
    """What a rule may know of the example in front of it."""

    z: float  # the margin y <w, phi(x)>
    q: float  # ||phi(x)||^2, never 0
    N: float  # ||w||^2
    t: int  # examples seen, this one included
    weight: float  # importance of the example, never 0


def update(rule: Any, at: Situation) -> tuple[float, float]:
    """Return `(shrink, step)`; the files in `rules/` say what that is for each type of rule."""
    raise NotImplementedError
