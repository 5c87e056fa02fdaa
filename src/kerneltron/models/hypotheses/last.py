"""The vector as it is now."""

from kerneltron.models.hypothesis import Hypothesis


class Last(Hypothesis):
    """The vector as it is now, which is what a hypothesis predicts by where it says nothing else."""

    name = "last"
    brief = "the vector as it is now"
    is_traced = True
