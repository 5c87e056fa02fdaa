"""The options of the learner come from the catalogue of methods, and so does all that their help says."""

import subprocess
import sys
from dataclasses import dataclass
from typing import get_args

import pytest

from kerneltron.cli.options.learning import Learning
from kerneltron.cli.options.of_methods import options
from kerneltron.learning import methods
from kerneltron.learning.method import Method
from kerneltron.learning.methods import METHODS, method, on_stream
from kerneltron.learning.parameters import parameter, parameters_of


def option(name):
    """Return the type of an option, and how typer describes it."""
    kind, about = get_args(options()[name])
    return get_args(kind)[0], about


def test_every_parameter_that_has_a_brief_is_an_option_and_no_other():
    meant = {
        name for learner in METHODS for name, about in parameters_of(method(learner)).items() if about.brief
    }
    assert set(options()) == meant


def test_the_help_says_what_the_learners_demand_that_refuse_files_otherwise():
    refused = {}
    for learner in METHODS:
        try:
            on_stream(learner, {})
        except ValueError as error:
            refused[learner] = str(error)
    assert list(refused) == ["svm"]
    assert (
        "svm keeps examples: give it --representation dual"
        in get_args(Learning.__annotations__["learner"])[1].help
    )
    assert on_stream("svm", {"representation": "dual"}).representation == "dual"


@pytest.mark.parametrize(
    ("name", "kind", "flag"),
    [
        ("passes", int, "--passes"),
        ("random_state", int, "--random-state"),
        ("l2", float, "--l2"),
        ("C", float, "--C"),
        ("threshold", float, "--threshold"),
        ("delta", float, "--delta"),
        ("kernel", str, "--kernel"),
        ("class_weight", str, "--class-weight"),
        ("fit_intercept", bool, "--fit-intercept/--no-fit-intercept"),
    ],
)
def test_types_and_flags(name, kind, flag):
    found, about = option(name)
    assert found is kind
    assert (about.default, *(about.param_decls or ())) == (flag,)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("passes", "How often to go over the input."),
        ("l2", "Weight of the L2 penalty. For logistic and pegasos."),
        ("margin", "Learn below this margin, too. For perceptron."),
        ("fit_intercept", "A constant feature 1. Not for winnow."),
    ],
)
def test_the_help_says_which_learners_have_a_parameter(name, text):
    assert option(name)[1].help == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("l2", "0.0001"),
        ("working_memory", "256 (auto in Python)"),
        ("shuffle", "yes"),
        ("random_state", "0"),
        ("threshold", "the number of slots, or 0 on texts"),
        ("margin", "0, or 1 on texts"),
        ("aggressive", "no, or yes on texts"),
        (
            "learning_rate",
            "0.1, or 1 where rows have length 1 (1 in Python) for logistic; 1 for pegasos and perceptron",
        ),
    ],
)
def test_the_default_that_is_shown_is_that_of_a_stream(name, text):
    assert option(name)[1].show_default == text


def test_what_few_learners_have_comes_before_what_all_have():
    names = list(options())
    assert names[:2] == ["passes", "hypothesis"]
    assert names.index("margin") < names.index("kernel") < names.index("shuffle")


@dataclass(kw_only=True, eq=False, repr=False)
class HesitantMethod(Method):
    """A method from elsewhere."""

    doubt: float = parameter(0.25, "How much it hesitates.", least=0, brief="How much to hesitate.")

    @classmethod
    def rule_type(cls):
        raise NotImplementedError

    def rule(self, width, form="primal"):
        raise NotImplementedError


def test_a_new_method_brings_its_parameters_along(monkeypatch):
    monkeypatch.setitem(METHODS, "hesitant", None)
    methods.register(HesitantMethod)
    kind, about = option("doubt")
    assert (kind, about.help, about.show_default) == (float, "How much to hesitate. For hesitant.", "0.25")
    assert option("passes")[1].help == "How often to go over the input."


def test_the_options_cost_no_import_of_arrays_or_compilers():
    code = "import kerneltron.cli.options.learning, sys; print(*sys.modules)"
    loaded = set(subprocess.check_output([sys.executable, "-c", code], text=True).split())
    assert not {"numpy", "numba", "scipy", "sklearn"} & loaded
