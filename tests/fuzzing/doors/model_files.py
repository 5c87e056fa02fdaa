"""Model files of every kind, tampered with: refused by name, or usable, or what they lack is said.

What is loaded is asked for scores and an explanation, learns on and is saved; what was saved loads again.
"""

import contextlib
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline

from kerneltron import (
    SVM,
    Arow,
    Hasher,
    LogisticRegression,
    ManyTasks,
    Mira,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Romma,
    Winnow,
    features,
    load,
    save,
)
from kerneltron.cli.running import run
from kerneltron.features import Scaler
from kerneltron.files.format import ModelFileError, read
from kerneltron.kernels import Gaussian, Kernel, Polynomial, QuadraticForm, Spectrum
from tests.fuzzing.guard import bounded
from tests.fuzzing.tampering import UNCLEAR, tampered

QUICK = 60
CLEAR = (ValueError, TypeError, NotImplementedError)  # each of ours says what to do

GENERATOR = np.random.default_rng(0)
X = np.abs(np.round(GENERATOR.normal(size=(30, 4)), 2))
X[X < 0.3] = 0
Y = np.arange(30) % 3
TASKS = np.where(Y[:, None] == [0, 1], 1, -1)
TEXTS = ["win a prize", "lunch at noon", "free cash now", "see you at home", "prize", "noon"] * 5
GRAPHS = [([(0, 1), (1, 2)], ["C", "C", "O"]), ([(0, 1)], ["C", "O"]), ([(0, 1)], ["C", "N"])] * 10
TREES = ["(S (NP John) (VP joins))", "(S (NP Mary) (VP (VB eats) (NP cake)))", "(A (B b) (C c))"] * 10
LINES = [f"{'abc'[i % 3]} |t w{i % 5} v{i % 2} |u x:{i}" for i in range(30)]
RECORDS = [{"label": "abc"[i % 3], "text": f"w{i % 5} v{i % 2}", "x": i} for i in range(30)]
FORM = QuadraticForm(np.diag([1.0, 2.0, 0.0, 0.5]) + 0.25)
DUAL = {"kernel": Gaussian(1.0) + FORM, "representation": "dual", "random_state": 0}
MAPPED = {"kernel": "Polynomial(2)", "representation": "primal", "random_state": 0}
SPARSE = sp.csr_matrix(X)
WIDE = sp.csr_matrix((SPARSE.data, SPARSE.indices * 499, SPARSE.indptr), (30, 2000))  # so it is packed
WARM = {"kernel": "Gaussian(1)", "representation": "dual"}


def approximate(kernel, phi):
    return {"kernel": kernel, "representation": phi, "random_state": 0}


def budget(when_full):
    return {"kernel": "Gaussian(1)", "budget": 5, "when_full": when_full, "random_state": 0}


# Each thing, with the rows it was made from and is used on.
MAKERS = {
    "primal": lambda: (Perceptron(random_state=0).fit(X, Y), X),
    "last": lambda: (PassiveAggressive(random_state=0, hypothesis="last").fit(X, Y > 0), X),
    "romma": lambda: (Romma(random_state=0).fit(X, Y), SPARSE),
    "delta": lambda: (Perceptron(random_state=0, delta=0.5).fit(SPARSE, Y), SPARSE),
    "adaptive": lambda: (LogisticRegression(random_state=0).fit(X, np.array(["a", "b", "c"])[Y]), X),
    "pegasos": lambda: (Pegasos(random_state=0).fit(X, Y), X),
    "mira": lambda: (Mira(random_state=0).fit(X, Y), X),
    "mira dual": lambda: (Mira(**DUAL).fit(X, Y), X),
    "winnow": lambda: (Winnow(random_state=0).fit(X, Y), X),
    "balanced": lambda: (Winnow(random_state=0, balanced=True).fit(X, Y > 0), SPARSE),
    "random": lambda: (Perceptron(random_state=0, hypothesis="random").fit(X, Y), X),
    "vote": lambda: (Perceptron(random_state=0, hypothesis="vote").fit(SPARSE, Y), SPARSE),
    "mapped": lambda: (Perceptron(**MAPPED).fit(X, Y), X),
    "mapped vote": lambda: (Perceptron(hypothesis="vote", **MAPPED).fit(X, Y), X),
    "fourier": lambda: (Perceptron(**approximate("Gaussian(1)", "RandomFourier(6)")).fit(X, Y), X),
    "drawn": lambda: (
        Perceptron(**approximate("Gaussian(1)", "RandomFourier(6, orthogonal=False)")).fit(SPARSE, Y),
        SPARSE,
    ),
    "sketch": lambda: (Romma(**approximate("Polynomial(2)", "TensorSketch(8)")).fit(X, Y), X),
    "projection": lambda: (
        Pegasos(**approximate("linear", "RandomProjection(3, density='auto')")).fit(SPARSE, Y > 0),
        SPARSE,
    ),
    "landmarks": lambda: (Mira(**approximate("Gaussian(1)", "Nystrom(5)")).fit(X, Y), X),
    "landmarks vote": lambda: (
        Perceptron(hypothesis="vote", **approximate("Spectrum(2)", "Nystrom(5)")).fit(TEXTS, Y),
        TEXTS,
    ),
    "landmarks of similarities": lambda: (
        Perceptron(**approximate("precomputed", "Nystrom(5)")).fit(X @ X.T, Y),
        X @ X.T,
    ),
    "dual": lambda: (Perceptron(**DUAL).fit(X, Y > 0), X),
    "dual sparse": lambda: (LogisticRegression(**DUAL).fit(SPARSE, Y), SPARSE),
    "dual vote": lambda: (Perceptron(hypothesis="vote", **DUAL).fit(X, Y), X),
    "dual random": lambda: (Romma(hypothesis="random", **DUAL).fit(X, Y), X),
    "budget": lambda: (PassiveAggressive(**budget("merge")).fit(X, Y), X),
    "budget sparse": lambda: (PassiveAggressive(**budget("forget")).fit(SPARSE, Y > 0), SPARSE),
    "budget projected": lambda: (PassiveAggressive(**budget("project")).fit(X, Y), X),
    "budget sketched": lambda: (
        PassiveAggressive(sketch="RandomFourier(4)", **budget("sketch")).fit(X, Y),
        X,
    ),
    "budget of tasks": lambda: (ManyTasks(PassiveAggressive(**budget("forget"))).fit(X, TASKS), X),
    "precomputed": lambda: (Perceptron(kernel="precomputed").fit(X @ X.T, Y), X @ X.T),
    "strings": lambda: (Perceptron(kernel="Spectrum(2) * Substrings()").fit(TEXTS, Y), TEXTS),
    "trees": lambda: (Perceptron(kernel="PartialTrees() + Subtrees()").fit(TREES, Y), TREES),
    "graphs": lambda: (Perceptron(kernel="WeisfeilerLehman(2) + RandomWalks(0.1)").fit(GRAPHS, Y), GRAPHS),
    "tasks": lambda: (ManyTasks(Perceptron(**DUAL)).fit(X, TASKS), X),
    "tasks without": lambda: (
        ManyTasks(Perceptron(kernel="Polynomial(2)"), exclude_own_column=True).fit(X, TASKS),
        X,
    ),
    "tasks apart": lambda: (ManyTasks(Perceptron(random_state=0)).fit(X, TASKS), X),
    "kernel": lambda: (0.5 * Gaussian(2.0, over=Polynomial(2)) + FORM, X),
    "kernel of strings": lambda: (Spectrum(2).normalized(), TEXTS),
    "map": lambda: ((Polynomial(2) + FORM).feature_map(4), X),
    "hasher": lambda: (Hasher(bits=6, ngrams=2), TEXTS),
    "pipeline": lambda: (
        make_pipeline(Hasher(bits=6), LogisticRegression(random_state=0)).fit(TEXTS, Y),
        TEXTS,
    ),
    "machine": lambda: (SVM(random_state=0, warm_start=True, **WARM).fit(X, Y), X),
    "machine of weights": lambda: (SVM(random_state=0).fit(X, Y > 0), X),
    "machine in a map": lambda: (SVM(**approximate("Gaussian(1)", "Nystrom(5)")).fit(X, Y), X),
    "variances": lambda: (Arow(random_state=0).fit(X, Y), X),
    "wide": lambda: (LogisticRegression(random_state=0).fit(WIDE, Y), WIDE),
    "wide vote": lambda: (Perceptron(random_state=0, hypothesis="vote").fit(WIDE, Y), WIDE),
    "scaler": lambda: (Scaler().fit(X), X),
    "scaler of text": lambda: (
        make_pipeline(Hasher(bits=6), Scaler(absent="missing"), Perceptron(random_state=0)).fit(TEXTS, Y),
        TEXTS,
    ),
    "transformer": lambda: (features.Nystrom(4, kernel="Gaussian(1)").fit(X), X),
    "table": lambda: (_stream("--names", "--scale", table=","), RECORDS),
    "table without a header": lambda: (_stream("--columns", "label,text,x", table="\t"), RECORDS),
    "stream": lambda: (_stream("--names"), LINES),
    "stream vote": lambda: (_stream("--learner", "perceptron", "--hypothesis", "vote"), LINES),
}


def _stream(*options, table=None):
    ending = {None: "vw", ",": "csv", "\t": "tsv"}[table]
    with tempfile.TemporaryDirectory() as folder:
        source, model = Path(folder) / f"some.{ending}", Path(folder) / "some.model"
        lines = LINES if table is None else [table.join(map(str, record.values())) for record in RECORDS]
        header = [table.join(RECORDS[0])] if table and "--columns" not in options else []
        source.write_text("\n".join([*header, *lines]) + "\n")
        code = run(["train", str(source), "-o", str(model), "--bits", "6", "--quiet", "--json", *options])
        assert code == 0
        return load(model)


@cache
def saved(name, resumable):
    """Return the contents of a file, and rows that fit."""
    thing, rows = MAKERS[name]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.model"
        save(thing, path, resumable)
        return read(path), rows


@cache
def warm(name):
    """Use a thing as it is: what it needs is compiled, which takes its time."""
    thing, rows = MAKERS[name]()
    with tempfile.TemporaryDirectory() as folder:
        use(thing, rows, Path(folder) / "some.model")


def case(rng, folder):
    names = sorted(MAKERS)
    name, other = (names[rng.integers(0, len(names))] for _ in range(2))
    contents, _ = saved(name, bool(rng.random() < 0.7))
    path = folder / "some.model"
    tampered(rng, contents, saved(other, True)[0], path)
    try_out(path, name)


def try_out(path, name=None):
    """Load a file; use what it holds as the thing of this name, if there is one, whose file it was."""
    if name is not None:
        warm(name)
    with bounded(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        thing = loaded(path)
        if thing is not None and name is not None:
            use(thing, saved(name, True)[1], path.with_name("again.model"))


def loaded(path):
    """Return what a file holds, None if it is refused as it should be."""
    try:
        return load(path)
    except ModelFileError as error:
        assert str(path) in str(error)  # noqa: PT017 - there need not be one
        assert not any(name in str(error) for name in UNCLEAR)  # noqa: PT017
        return None


def use(thing, rows, path):
    """Do with a thing all that can be done; every error must be a clear one."""
    for act in (predict, explain, learn, predict, explain):
        with contextlib.suppress(CLEAR):
            act(thing, rows)
    try:
        save(thing, path)
    except CLEAR:
        return
    load(path)


def predict(thing, rows):
    if isinstance(thing, Kernel):
        return thing(rows)
    if hasattr(thing, "decision_function"):
        return thing.decision_function(rows), thing.predict(rows)
    return thing.transform(rows) if hasattr(thing, "transform") else thing(rows)


def explain(thing, rows):
    learner = thing[-1] if hasattr(thing, "steps") else thing
    if hasattr(learner, "explain"):
        str(learner.explain())
        str(learner.explain(thing[0].transform(rows[:1]) if hasattr(thing, "steps") else rows[:1]))


def learn(thing, rows):
    if isinstance(thing, ManyTasks):
        thing.partial_fit(rows, TASKS)
    elif hasattr(thing, "steps"):
        classes = thing[-1].classes_
        thing[-1].partial_fit(thing[0].transform(rows), classes[Y % len(classes)])
    elif getattr(thing, "warm_start", False):
        thing.fit(rows, thing.classes_[Y % len(thing.classes_)])
    elif hasattr(thing, "classes_"):
        thing.partial_fit(rows, thing.classes_[Y % len(thing.classes_)])
