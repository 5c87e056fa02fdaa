"""Traces tell what each column did; a pass can say that it was enough."""

import numpy as np
import pytest

from kerneltron import LogisticRegression, Perceptron
from kerneltron.models.optimality import Optimality
from kerneltron.models.primal import Primal
from kerneltron.training.stopping import BestPass

RNG = np.random.default_rng(0)
X = RNG.normal(size=(100, 4))
Y = (X @ RNG.normal(size=(4, 3))).argmax(axis=1)


@pytest.mark.parametrize("hypothesis", ["last", "average", "random", "vote"])
@pytest.mark.parametrize("kernel", ["linear", "Polynomial(2)", "Gaussian(1.0)"])
def test_a_trace_can_be_carried_out_again(kernel, hypothesis):
    settings = {"kernel": kernel, "hypothesis": hypothesis, "margin": 0.5, "random_state": 0}
    learner = Perceptron(**settings).partial_fit(X[:20], Y[:20], classes=[0, 1, 2]).learner_
    before = learner.model.weights.updates.copy()
    expected = Perceptron(**settings | {"hypothesis": "last"})  # what moves are those of the last vector
    expected.partial_fit(X[:20], Y[:20], classes=[0, 1, 2])
    scores = expected.partial_fit_predict(X, Y)
    visits = learner.examples(Y).visits(np.arange(100))
    with learner.visiting(learner.model.read(X)):
        traced = learner.trace(visits)
    # The random hypothesis cuts visits where it draws, and other blocks round otherwise.
    rounding = 1e-12 if hypothesis == "random" else 0.0
    np.testing.assert_allclose(traced.scores, scores, rtol=rounding, atol=rounding)
    assert learner.mistakes.tolist() == expected.mistakes_.tolist()
    wrong = (traced.labels * scores <= 0).sum(axis=0)
    assert traced.mistakes.tolist() == wrong.tolist()
    moved = (traced.step != 0).sum(axis=0)
    assert moved.tolist() == (learner.model.weights.updates - before).tolist()
    assert traced.margin_updates.tolist() == (moved - wrong).tolist()
    assert (np.sign(traced.step) * traced.labels >= 0).all()
    assert (traced.shrink == 1).all()


def test_updates_of_another_form_are_not_traced():
    learner = LogisticRegression(scale=False).partial_fit(X, Y).learner_
    with learner.visiting(learner.model.read(X)), pytest.raises(ValueError, match="cannot be traced"):
        learner.trace(learner.examples(Y).visits(np.arange(100)))


def test_a_learner_that_scales_its_columns_is_not_traced():
    learner = Perceptron(scale=True).partial_fit(X, Y).learner_
    with learner.visiting(learner.model.read(X)), pytest.raises(ValueError, match="fit with scale=False"):
        learner.trace(learner.examples(Y).visits(np.arange(100)))


def test_a_pass_ends_training_when_the_gap_is_small(monkeypatch):
    from kerneltron.training.arrays import Arrays
    from kerneltron.training.pass_plan import PassPlan
    from kerneltron.training.trainer import Trainer

    gaps = iter([0.5, 0.2, 0.05, 0.01])
    monkeypatch.setattr(Primal, "optimality", lambda model, is_last: Optimality(1.0, 1.0 - next(gaps)))
    learner = Perceptron(random_state=0).fit(X, Y).learner_  # makes one pass
    plan = PassPlan(passes=10, seed=0, tolerance=0.1)
    trainer = Trainer(learner, Arrays(X, learner.examples(Y), concludes=False), plan)
    trainer.run()
    assert [report.gap for report in trainer.reports] == pytest.approx([0.2, 0.05])


def test_the_best_pass_is_kept_until_patience_ends():
    best = BestPass(patience=2)
    for number, score in enumerate([0.5, 0.7, 0.7, 0.6]):
        assert not best.is_enough
        best.look(score, lambda number=number: number)
    assert best.is_enough
    assert (best.best, best.number) == (1, 2)
