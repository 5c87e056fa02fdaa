"""A kernel from outside of the package: once registered, it does all that ours do."""

import sys
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import pytest

import kerneltron
from kerneltron import kernels
from kerneltron.cli.running import run
from kerneltron.kernels import catalogue, parse

MODULE = '''
from dataclasses import dataclass

import numpy as np

from kerneltron import kernels
from kerneltron.kernels import vectors


@kernels.register
@dataclass(frozen=True, repr=False)
class Cauchy(kernels.Kernel):
    """k(x, z) = 1 / (1 + |x - z|^2 / width^2)."""

    width: float

    domain = "vectors"
    _of_products = True

    def _fill(self, pack, X):
        vectors.fill(pack, X)
        pack.numbers[self] = vectors.vectors(pack).squares()

    def _diag(self, pack):
        return np.ones(len(pack))

    def _block(self, pair):
        left, right = pair.numbers(self)
        distances = np.maximum(left + right - 2 * pair.products(vectors.KEY), 0)
        return 1 / (1 + distances / self.width**2)
'''


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """Return a module outside of the package that has registered its kernel; all is forgotten at the end."""
    (tmp_path / "similarities.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    known = dict(catalogue.KERNELS)
    yield import_module("similarities")
    catalogue.KERNELS.clear()
    catalogue.KERNELS.update(known)
    del sys.modules["similarities"]


def data():
    X = np.random.default_rng(0).normal(size=(120, 2))
    return X, (np.square(X).sum(axis=1) > 1.4).astype(int)


def test_its_text_is_read_back(outside):
    k = outside.Cauchy(2.0)
    assert parse(repr(k)) == k == parse("Cauchy(width=2.0)")
    assert parse(repr(0.5 * k + 1)) == 0.5 * k + 1
    assert kernels.Cauchy is outside.Cauchy
    assert "Cauchy" in dir(kernels)
    with pytest.raises(kernels.KernelSyntaxError, match="did you mean Cauchy"):
        parse("Cauchi(2.0)")
    with pytest.raises(kernels.KernelSyntaxError, match=r"Cauchy needs brackets: write Cauchy\(width\)"):
        parse("Cauchy")


def test_it_is_checked_as_ours_are(outside):
    assert kernels.check(outside.Cauchy(2.0), data()[0])


def test_a_learner_takes_its_text_and_model_files_keep_it(outside, tmp_path):
    X, y = data()
    learner = kerneltron.Perceptron(kernel="Cauchy(2.0)", passes=10, random_state=0).fit(X, y)
    assert learner.kernel_ == outside.Cauchy(2.0)
    assert learner.score(X, y) > 0.9
    kerneltron.save(learner, tmp_path / "round.model")
    again = kerneltron.load(tmp_path / "round.model")
    np.testing.assert_array_equal(again.decision_function(X), learner.decision_function(X))


def test_the_command_line_takes_its_text(outside, tmp_path, capsys):
    data, model = tmp_path / "mail.vw", tmp_path / "mail.model"
    data.write_text("spam | free prize win\nham | lunch at noon\n" * 20)
    words = ["--learner", "perceptron", "--kernel", "Cauchy(2.0)", "--bits", "10"]
    assert run(["train", str(data), *words, "-o", str(model)]) == 0
    assert run(["evaluate", str(model), str(data)]) == 0
    assert "100.00 %" in capsys.readouterr().out
    assert run(["inspect", str(model)]) == 0
    assert "Cauchy(2.0)" in capsys.readouterr().out


def test_without_it_a_file_says_what_is_missing(outside, tmp_path):
    X, y = data()
    learner = kerneltron.Perceptron(kernel="Cauchy(2.0)", random_state=0).fit(X, y)
    kerneltron.save(learner, tmp_path / "round.model")
    del catalogue.KERNELS["Cauchy"]
    with pytest.raises(ValueError, match="there is no kernel Cauchy"):
        kerneltron.load(tmp_path / "round.model")


def test_what_cannot_be_registered_is_refused():
    with pytest.raises(TypeError, match=r"Plain is not a kernel: derive its class"):
        kernels.register(type("Plain", (), {}))

    @dataclass(frozen=True, repr=False)
    class Inner(kernels.Linear):
        pass

    with pytest.raises(ValueError, match=r"Inner cannot be found again: define it at the top of a module"):
        kernels.register(Inner)
    with pytest.raises(ValueError, match=r"there is a kernel Linear already: choose another name"):
        kernels.register(type("Linear", (kernels.Gaussian,), {"__module__": "elsewhere"}))
