"""A learner in primal form: a rule, the weights it has moved so far, and the hypothesis that predicts."""

from collections.abc import Callable
from copy import copy
from typing import Any, Self

import numpy as np

from kerneltron._types import Floats, Rows, Trace, Visits, Weights
from kerneltron.engine import adaptive, additive, joint, multiplicative
from kerneltron.models.hypotheses import Average, Last, Random
from kerneltron.models.vote import Vote
from kerneltron.models.weights import Source, blank, measure, regroup
from kerneltron.models.weights import copy as copy_weights

Loop = Callable[[Any, Weights, Rows, Visits, Trace, Floats], int]

# Rules with a loop of their own; every other rule is additive.
LOOPS: dict[type, Loop] = {
    adaptive.Adaptive: adaptive.learn_adaptively,
    joint.MiraRule: joint.learn_jointly,
    multiplicative.WinnowRule: multiplicative.learn_multiplicatively,
}


class Primal:
    """Weights for `width` features and a constant one of value `bias`, in `columns` columns.

    Parameters
    ----------
    rule
        One of the NamedTuples that `engine.update` or `LOOPS` know.
    hypothesis
        "last", "average", "random" or "vote".
    start
        Standard deviation of random initial weights.
    seed
        For the initial weights and the random hypothesis.
    """

    def __init__(
        self,
        rule: Any,
        width: int,
        columns: int,
        *,
        dtype: Any,
        bias: float,
        hypothesis: str,
        start: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.rule = rule
        self.bias = bias
        self.kind = hypothesis
        self._vectors: Floats | None = None  # worked out when first asked for
        self.weights = blank(rule, width, columns, dtype, hypothesis == "average")
        if start:
            noise = np.random.default_rng(seed).standard_normal(self.weights.v.shape)
            noise[-columns:] *= bias
            self.weights.v[:] = start * noise
            measure(self.weights)
        makers: dict[str, Callable[[], Last]] = {
            "last": Last,
            "average": Average,
            "random": lambda: Random(seed),
            "vote": lambda: Vote(self.weights, bias),
        }
        self.hypothesis = makers[hypothesis]()

    @property
    def width(self) -> int:
        """Number of features without the constant one."""
        return self.weights.v.size // self.weights.scale.size - 1

    @property
    def columns(self) -> int:
        """Number of vectors: one per class, one for two classes."""
        return self.weights.scale.size

    def learn(self, rows: Rows, visits: Visits, keep_scores: bool = False) -> tuple[int, Floats]:
        """Visit some rows; return the mistakes and, if wanted, the scores before each update."""
        self._vectors = None
        loop: Loop = LOOPS.get(type(self.rule), additive.learn)
        nothing = np.empty((0, self.columns))
        trace = Trace(
            np.empty((visits.order.size, self.columns)) if keep_scores else nothing, nothing, nothing
        )
        room = np.empty(self.columns)

        def step(part: Visits, trace: Trace) -> int:
            return loop(self.rule, self.weights, rows, part, trace, room)

        return self.hypothesis.follow(step, self.weights, visits, trace), trace.scores

    def begin(self, rows: Rows) -> None:
        """Get ready to visit these rows."""
        self.hypothesis.begin(rows)

    def finish(self) -> None:
        """Let go of them."""
        self.hypothesis.finish()

    def measure(self) -> None:
        """Recompute what the additive loop keeps by recursion, before another pass."""
        if type(self.rule) not in LOOPS:
            measure(self.weights)

    def vectors(self) -> Floats:
        """Return what predicts: a column a class, the last row for the constant feature."""
        if self._vectors is None:
            self._vectors = self.hypothesis.vectors(self.weights)
        return self._vectors

    def scores(self, X: Any) -> Floats:
        """Return a score per row of X and column."""
        if isinstance(self.hypothesis, Vote):
            return self.hypothesis.scores(X, self.weights)
        w = self.vectors()
        return np.asarray(X @ w[:-1] + w[-1])

    def regroup(self, sources: list[Source]) -> None:
        """Give the model new columns, each an old one, the opposite of one, or a fresh one."""
        self._vectors = None
        fresh = blank(self.rule, self.width, 1, self.weights.v.dtype, self.weights.u.size > 0)
        self.weights = regroup(self.weights, fresh, sources)
        self.hypothesis.regroup(sources, fresh)

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        other = copy(self)
        other.weights, other.hypothesis = copy_weights(self.weights), self.hypothesis.copy()
        return other
