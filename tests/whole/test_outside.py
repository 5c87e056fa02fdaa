"""A rule and a hypothesis from outside of the package work wherever ours do: nothing lists them."""

import subprocess
import sys
from textwrap import dedent

import pytest

pytestmark = pytest.mark.slow

RULE = '''
"""Dual coordinate ascent for the hinge loss: a rule that looks at the coefficient of its example."""

from dataclasses import dataclass
from typing import NamedTuple

from kerneltron.engine.declared import declares, never_shrinks
from kerneltron.engine.dispatch import implements
from kerneltron.engine.update import Situation, update
from kerneltron.learning.additive import AdditiveMethod
from kerneltron.learning.methods import register
from kerneltron.learning.parameters import parameter


@declares(least_shrink=never_shrinks)
class AscentRule(NamedTuple):
    C: float


@implements(update, AscentRule)
def ascent(rule, at):
    new = min(max(at.alpha + (1.0 - at.z) / at.q, 0.0), rule.C * at.weight)
    return 1.0, new - at.alpha


@register
@dataclass(kw_only=True, eq=False, repr=False)
class AscentMethod(AdditiveMethod):
    """Climb to the support vector machine."""

    C: float = parameter(1.0, "The largest coefficient.", above=0, brief="Largest coefficient.")

    @classmethod
    def rule_type(cls):
        return AscentRule

    def rule(self, width, form="primal"):
        return AscentRule(float(self.C))
'''

HYPOTHESIS = '''
"""The pocket: the vector that was right for longest."""

import numpy as np

from kerneltron.models.hypotheses import register
from kerneltron.models.hypothesis import Hypothesis
from kerneltron.models.weights import current


@register
class Pocket(Hypothesis):
    """The vector that survived the most examples without a mistake."""

    name = "pocket"
    brief = "the one that was right for longest"
    follows_weights = False
    needs_one_clock = True

    def __init__(self, seed):
        self.run = self.longest = 0
        self.kept = None

    def follow(self, model, visits, trace):
        mistakes = 0
        for k in range(visits.order.size):
            part = slice(k, k + 1)
            before = current(model.weights)
            wrong = model.step(type(visits)._make(a[part] for a in visits),
                               type(trace)._make(a[part] for a in trace))
            mistakes += wrong
            self.run = 0 if wrong else self.run + 1
            if self.run > self.longest:
                self.longest, self.kept = self.run, before
        return mistakes

    def vectors(self, weights):
        return current(weights) if self.kept is None else self.kept

    def state(self, resumable):
        kept = {} if self.kept is None else {"kept": self.kept}
        return {"run": int(self.run), "longest": int(self.longest)}, kept if resumable else {}

    def restore(self, contents, shape, remembered):
        self.run, self.longest = contents.whole("run"), contents.whole("longest")
        if "kept" in contents.tensors:
            self.kept = contents.array("kept", (np.float32, np.float64), (None, shape[1]))
'''


def run_outside(tmp_path, program):
    """Run a program in a process of its own, where the two modules can be imported."""
    (tmp_path / "outside_rule.py").write_text(RULE)
    (tmp_path / "outside_hypothesis.py").write_text(HYPOTHESIS)
    (tmp_path / "program.py").write_text(dedent(program))
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_rule_from_outside_works_everywhere(tmp_path):
    out = run_outside(
        tmp_path,
        """
        import numpy as np
        from sklearn.base import clone
        from sklearn.svm import SVC

        import outside_rule
        import kerneltron
        from kerneltron.cli.running import run

        X = np.random.default_rng(0).normal(size=(150, 2))
        y = np.where(X[:, 0] * X[:, 1] > 0.1 * X[:, 0], 1, 0)
        learner = kerneltron.Ascent(kernel="Gaussian(1.0)", hypothesis="last", fit_intercept=False,
                                    representation="dual", C=2.0, passes=300, random_state=0)
        assert "C : float" in kerneltron.Ascent.__doc__
        learner = clone(learner).fit(X, y)
        # Without a constant feature the dual problem is separable by coordinates: this is its optimum.
        K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
        a = np.zeros(150)
        a[learner.support_] = learner.dual_coef_[0]
        s = 2 * y - 1
        alpha = s * a
        assert (alpha > -1e-12).all() and (alpha < 2 + 1e-12).all()
        slack = np.maximum(0, 1 - s * (K @ a))
        gap = 0.5 * a @ K @ a + 2 * slack.sum() - (alpha.sum() - 0.5 * a @ K @ a)
        assert gap < 1e-3 * alpha.sum(), gap
        learner.save("some.model")
        again = kerneltron.load("some.model")
        assert (again.predict(X) == learner.predict(X)).all()
        with open("some.csv", "w") as file:
            file.write("label,a,b\\n" + "".join(f"{c},{p},{q}\\n" for c, (p, q) in zip(y, X)))
        words = ["--learner", "ascent", "--C", "2", "--kernel", "Gaussian(1.0)", "--passes", "3", "-q"]
        assert run(["train", "some.csv", "-o", "stream.model", *words]) == 0
        assert run(["evaluate", "stream.model", "some.csv"]) == 0
        assert run(["inspect", "stream.model"]) == 0
        """,
    )
    assert "Ascent" in out
    assert float(out.split("accuracy")[1].split("%")[0]) > 80


@pytest.mark.parametrize("space", ["linear", "Gaussian(1.0)"])
def test_a_hypothesis_from_outside_works_everywhere(space, tmp_path):
    out = run_outside(
        tmp_path,
        f"""
        import numpy as np

        import outside_hypothesis
        import kerneltron
        from kerneltron.cli.running import run

        rng = np.random.default_rng(0)
        X = rng.normal(size=(300, 3))
        y = np.where((X[:, 0] > 0) != (rng.random(300) < 0.2), "yes", "no")
        settings = dict(kernel={space!r}, passes=3, random_state=0)
        pocket = kerneltron.Perceptron(hypothesis="pocket", **settings).fit(X, y)
        assert pocket.score(X, y) > 0.6
        last = kerneltron.Perceptron(hypothesis="last", **settings).fit(X, y)
        assert pocket.mistakes_.tolist() == last.mistakes_.tolist()
        assert pocket.model_.hypothesis.longest > 1
        pocket.save("some.model")
        again = kerneltron.load("some.model")
        assert (again.decision_function(X) == pocket.decision_function(X)).all()
        for learner in (pocket, again):
            learner.partial_fit(X[:50], y[:50])
        assert (again.decision_function(X) == pocket.decision_function(X)).all()
        with open("some.csv", "w") as file:
            rows = [",".join(map(str, [label, *row])) for label, row in zip(y, X)]
            file.write("\\n".join(["label,a,b,c", *rows]))
        words = ["--learner", "perceptron", "--hypothesis", "pocket", "--kernel", {space!r}, "-q"]
        assert run(["train", "some.csv", "-o", "stream.model", *words]) == 0
        assert run(["evaluate", "stream.model", "some.csv"]) == 0
        """,
    )
    assert "accuracy" in out
