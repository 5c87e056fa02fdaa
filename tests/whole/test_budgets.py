"""Learners on a budget wherever learners are used: files, commands, structures, tasks, explanations."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV

import kerneltron
from kerneltron import Arow, ManyTasks, PassiveAggressive, Perceptron, Romma
from kerneltron.features import RandomFourier
from kerneltron.kernels import Gaussian, On, Polynomial, Spectrum
from kerneltron.models.budgets import POLICIES

X, y = load_digits(return_X_y=True)
X, y = X[:600] / 16, y[:600]
EVERY = tuple(POLICIES)
ANYWHERE = tuple(name for name in EVERY if name not in ("merge", "sketch"))


def learner(name, **more):
    options = {"kernel": "Gaussian(2)", "budget": 40, "when_full": name, "random_state": 0}
    if name == "sketch":
        options["sketch"] = "RandomFourier(100)"
    return PassiveAggressive(**{**options, **more})


def saved(model, path):
    model.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("name", EVERY)
def test_saved_and_loaded_it_goes_on_as_if_it_had_never_stopped(name, tmp_path):
    budgeted = learner(name).partial_fit(X[:300], y[:300])
    saved(budgeted, tmp_path / "one.model")
    loaded = kerneltron.load(tmp_path / "one.model")
    assert (loaded.decision_function(X) == budgeted.decision_function(X)).all()
    assert loaded.get_params()["when_full"] == name
    for each in (budgeted, loaded):
        each.partial_fit(X[300:], y[300:])
    assert saved(budgeted, tmp_path / "one.model") == saved(loaded, tmp_path / "two.model")
    budgeted.save(tmp_path / "small.model", resumable=False)
    small = kerneltron.load(tmp_path / "small.model")
    assert (small.decision_function(X) == budgeted.decision_function(X)).all()
    assert (small.support_ == budgeted.support_).all()
    assert (tmp_path / "small.model").stat().st_size < (tmp_path / "one.model").stat().st_size
    small.save(tmp_path / "again.model", resumable=False)
    assert (tmp_path / "again.model").read_bytes() == (tmp_path / "small.model").read_bytes()
    with pytest.raises(ValueError, match="prediction only"):
        small.partial_fit(X, y)


@pytest.mark.parametrize("name", EVERY)
def test_an_explanation_sums_to_the_score(name):
    budgeted = learner(name).fit(X, y)
    example = budgeted.explain(X[0], top=1000)
    assert np.isclose(sum(row.contribution for row in example.rows) + example.rest, example.score)
    shown = {row.example for row in example.rows}
    assert ("sketch" in shown) == (name == "sketch")
    assert ("merged" in shown) == (-1 in budgeted.support_)
    assert len(budgeted.explain(top=3).rows) == 3


def test_the_table_of_an_explanation_says_what_is_merged():
    merged = learner("merge").fit(X, y)
    assert (merged.support_ == -1).any()
    assert "Merged ones are made of several" in str(merged.explain(top=1000))
    assert "100 random features" in str(learner("sketch").fit(X, y).explain())


@pytest.mark.parametrize("name", ["forget", "merge", "sketch", "project"])
def test_many_tasks_share_a_budget(name, tmp_path):
    Y = np.where(y[:, None] == np.arange(3), 1, -1)
    Y[::7, 0] = 0  # not known
    tasks = ManyTasks(learner(name, hypothesis="last")).fit(X, Y)
    assert len(tasks.support_) <= 40
    tasks.partial_fit(X, Y)
    assert tasks.score(X, Y) > 0.8
    tasks.save(tmp_path / "tasks.model")
    loaded = kerneltron.load(tmp_path / "tasks.model")
    assert (loaded.decision_function(X) == tasks.decision_function(X)).all()
    for each in (tasks, loaded):
        each.partial_fit(X[:50], Y[:50])
    assert (loaded.decision_function(X) == tasks.decision_function(X)).all()


STRUCTURES = {
    "strings": ("Spectrum(2)", ["abab", "baba", "abba", "bbbb", "aab", "bab"] * 8),
    "trees": ("SubsetTrees(0.5)", ["(S (A a) (B b))", "(S (B b))", "(T (A a))", "(S (A b))"] * 12),
    "graphs": ("WeisfeilerLehman(2)", [([(0, 1)], ["C", "O"]), ([(0, 1), (1, 2)], list("CCO"))] * 24),
    "booleans": ("Conjunctions()", np.random.default_rng(0).random((48, 5)) < 0.5),
}


@pytest.mark.parametrize("name", ANYWHERE)
def test_every_domain_has_every_strategy_that_is_defined_there(name, tmp_path):
    for domain, (kernel, rows) in STRUCTURES.items():
        labels = np.random.default_rng(1).integers(0, 3, len(rows))
        budgeted = learner(name, kernel=kernel, budget=3, passes=2).fit(rows, labels)
        assert len(budgeted.support_) <= 3, domain
        saved(budgeted, tmp_path / "some.model")
        loaded = kerneltron.load(tmp_path / "some.model")
        for each in (budgeted, loaded):
            each.partial_fit(rows, labels)
        assert (loaded.decision_function(rows) == budgeted.decision_function(rows)).all(), domain
    gram = Polynomial(2)(X)
    similar = learner(name, kernel="precomputed").fit(gram, y)
    same = learner(name, kernel=Polynomial(2)).fit(X, y)
    assert similar.mistakes_.tolist() == same.mistakes_.tolist()
    assert (similar.predict(gram) == same.predict(X)).mean() > 0.99
    with pytest.raises(AttributeError, match="does not keep the rows"):
        similar.support_vectors_  # noqa: B018


def test_records_have_budgets_too():
    records = [{"text": "ab" * (i % 4), "x": [float(i % 3), 1.0]} for i in range(60)]
    kernel = On("text", Spectrum(1)) + On("x", Gaussian(1.0))
    labels = np.arange(60) % 3
    assert learner("forget", kernel=kernel, budget=9).fit(records, labels).score(records, labels) > 0.3


def test_sparse_rows_are_as_good_as_dense_ones():
    for name in EVERY:
        dense, sparse = learner(name).fit(X, y), learner(name).fit(sp.csr_matrix(X), y)
        assert dense.mistakes_.tolist() == sparse.mistakes_.tolist(), name


def test_clone_search_and_precision():
    given = learner("sketch", sketch=RandomFourier(60))
    assert clone(given).sketch.n_components == 60
    search = GridSearchCV(learner("project"), {"budget": [2, 60], "kernel__sigma": [2.0, 3.0]}, cv=2)
    assert search.fit(X[:300], y[:300]).best_params_["budget"] == 60
    few = [learner("smallest").fit(rows, y).mistakes_[0] for rows in (X, X.astype(np.float32))]
    assert abs(few[0] - few[1]) <= 3  # scores differ in the seventh digit
    single = learner("project").fit(X.astype(np.float32), y)
    assert single.support_vectors_.dtype == np.float32
    assert single.representation_.form == "dual"
    assert "budget" in single.representation_.reason


def test_a_saved_transformer_comes_back_as_its_map(tmp_path):
    given = learner("sketch", sketch=RandomFourier(60)).fit(X[:100], y[:100])
    given.save(tmp_path / "some.model")
    loaded = kerneltron.load(tmp_path / "some.model")
    assert loaded.sketch.n_components == 60
    assert (loaded.partial_fit(X, y).predict(X) == given.partial_fit(X, y).predict(X)).all()


def test_a_model_with_a_budget_is_not_mixed_and_not_traced():
    from kerneltron.training.combining import combine

    parts = [learner("project").fit(X[:300], y[:300]).learner_ for _ in range(2)]
    with pytest.raises(ValueError, match="cannot be merged"):
        combine(parts, np.array([0.5, 0.5]))
    with pytest.raises(ValueError, match="cannot be traced"):
        parts[0].model.check_tracing()


WRONG = [
    ({"budget": 0}, "at least 1"),
    ({"budget": -5}, "at least 1"),
    ({"budget": 2.5}, "not a whole number"),
    ({"budget": True}, "not a whole number"),
    ({"budget": "500"}, "not a whole number"),
    ({"budget": 5, "hypothesis": "vote"}, "hypothesis='vote' needs vectors of the past"),
    ({"budget": 5, "hypothesis": "random"}, "hypothesis='random' needs vectors of the past"),
    ({"budget": 5, "when_full": "drop"}, "Choose one of 'bpa'"),
    ({"budget": 5, "when_full": None}, "Choose one of 'bpa'"),
    ({"budget": 5, "when_full": "merge", "kernel": "Polynomial(2)"}, "Gaussian kernel over rows"),
    ({"budget": 5, "when_full": "merge", "kernel": "Gaussian(1, over=Polynomial(2))"}, "over rows"),
    ({"budget": 5, "when_full": "sketch", "kernel": "linear"}, "Gaussian kernel over rows"),
    ({"budget": 5, "when_full": "merge", "delta": 0.5}, "delta=0.5"),
    ({"budget": 5, "when_full": "bpa"}, "an update of PassiveAggressive"),
    ({"budget": 5, "when_full": "stop", "eta": 0.1}, "belongs to `when_full='project'`"),
    ({"when_full": "project", "eta": -0.1}, "at least 0"),
    ({"when_full": "project", "eta": float("nan")}, "finite"),
    ({"when_full": "project", "eta": "small"}, "not a number"),
    ({"when_full": "merge"}, "give `budget`"),
    ({"budget": 5, "sketch": "RandomFourier(10)"}, "belongs to `when_full='sketch'`"),
    ({"budget": 5, "when_full": "sketch", "sketch": "Nystrom(10)"}, "RandomFourier"),
    ({"budget": 5, "when_full": "sketch", "sketch": 100}, "RandomFourier"),
    ({"budget": 5, "representation": "primal"}, "keeps weights"),
    ({"budget": 5, "representation": "Nystrom(10)"}, "keeps weights"),
]


@pytest.mark.parametrize(("what", "message"), WRONG)
def test_what_cannot_be_is_said(what, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Perceptron(**{"kernel": "Gaussian(1)", **what}).fit(X, y)


def test_learners_that_cannot_have_it_say_why():
    with pytest.raises(ValueError, match="Arow remembers none"):
        Arow(budget=5).fit(X, y)
    for name in ("merge", "sketch"):
        with pytest.raises(ValueError, match="looks at"):
            Romma(kernel="Gaussian(1)", budget=5, when_full=name).fit(X, y)
    with pytest.raises(ValueError, match="exclude_own_column"):
        ManyTasks(Perceptron(kernel="Gaussian(1)", budget=5), exclude_own_column=True).fit(
            X, np.where(y[:, None] == np.arange(3), 1, -1)
        )


@pytest.mark.parametrize("budget", [1, 2, 10**6])
def test_tiny_and_huge_budgets(budget):
    for name in EVERY:
        budgeted = learner(name, budget=budget, passes=2).fit(X[:200], y[:200])
        assert len(budgeted.support_) <= budget
        assert np.isfinite(budgeted.decision_function(X)).all()


COMMANDS = [
    ("--budget 0", "--budget 0 must be at least 1"),
    ("--budget 9 --hypothesis vote", "--hypothesis vote needs vectors"),
    ("--budget 9 --when-full merge --kernel linear", "--when-full merge merges examples of the Gaussian"),
    ("--budget 9 --when-full bpa --learner perceptron", "PassiveAggressive"),
    ("--budget 9 --when-full stop --eta 0.1", "it belongs to --when-full project"),
]


def test_the_command_line_has_budgets(call_command, own_folder):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 2))
    lines = [f"{'yes' if a * b > 0 else 'no'},{a:.3f},{b:.3f}" for a, b in rows]
    (own_folder / "some.csv").write_text("\n".join(["label,a,b", *lines]) + "\n")
    train = "train some.csv --quiet --learner passive-aggressive --kernel Gaussian(1)"
    for more in ("--when-full merge", "--when-full sketch --sketch RandomFourier(20)", "--eta 0.3"):
        code, out, err = call_command(f"{train} -o some.model --budget 30 {more}")
        assert (code, err) == (0, ""), err
        assert "progressive error" in out
        code, out, _ = call_command("inspect some.model")
        assert code == 0
        assert "budget=30" in out
        assert "of at most 30 examples; when full:" in out
        assert call_command("explain some.model")[0] == 0
        code, out, _ = call_command("predict some.model some.csv")
        assert (code, len(out.split())) == (0, 400)
        assert call_command("train some.csv --quiet -o more.model --from some.model")[0] == 0
    code, _, err = call_command("merge some.model more.model -o both.model")
    assert code == 2
    assert "cannot be merged" in err
    for options, message in COMMANDS:
        code, _, err = call_command(f"{train} -o wrong.model {options}")
        assert code == 2, options
        assert message in err
    assert not (own_folder / "wrong.model").exists()
