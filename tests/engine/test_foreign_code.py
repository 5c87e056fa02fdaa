"""Formulas from outside of the package: machine code on disk is theirs as they are now."""

import importlib.util
import sys

import pytest

from kerneltron.engine import foreign_code
from kerneltron.engine.machine import finding
from kerneltron.engine.rules.perceptron import PerceptronRule

HELPER = """
from kerneltron.engine.compiled import internal

FACTOR = 10.0

@internal
def scaled(z):
    return FACTOR * z
"""
FORMULA = """
import math
from typing import NamedTuple

import outside_helper
from outside_helper import scaled
from kerneltron.engine.dispatch import implements
from kerneltron.engine.update import update

LIMIT = 100.0

class OutsideRule(NamedTuple):
    rate: float

@implements(update, OutsideRule)
def formula(rule, at):
    return 1.0, min(rule.rate * scaled(at.z) + 1.0, LIMIT)
"""
LOOP = """
from kerneltron.engine.compiled import compiled
from kerneltron.engine.update import Situation, decide

@compiled
def loop(rule):
    return decide(rule, Situation(2.0, 1.0, 0.0, 1, 1.0, 0, 0.0))[1]
"""


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """Calls a loop of ours with some rule, as a new process would; returns what comes, and what was kept."""
    monkeypatch.setenv("KERNELTRON_CACHE_DIR", str(tmp_path / "cache"))
    # Python takes a source of the same second and size for the one whose bytecode it has kept.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    registered, compiled, compile_now = len(foreign_code.CHOICES), [], finding.compiled
    monkeypatch.setattr(finding, "compiled", lambda *given: compiled.append(given) or compile_now(*given))
    (tmp_path / "loop.py").write_text(LOOP)

    def imported(name, source=None):
        path = tmp_path / f"{name.rpartition('.')[2]}.py"
        if source is not None:
            path.write_text(source)
        spec = importlib.util.spec_from_file_location(name, path)
        made = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, made)
        spec.loader.exec_module(made)
        return made

    def call(formula=FORMULA, helper=HELPER, rule=None):
        if rule is None:
            imported("outside_helper", helper)
            rule = imported("outside_formula", formula).OutsideRule(2.0)
        made = imported("kerneltron.loop")
        compiled.clear()
        return made.loop(rule), 1 - len(compiled)

    yield call
    del foreign_code.CHOICES[registered:]


def test_a_changed_formula_is_compiled_and_an_unchanged_one_is_not(outside):
    assert outside() == (41.0, 0)
    assert outside() == (41.0, 1)
    moved = FORMULA.replace("LIMIT = 100.0", "LIMIT = 100.0\n\n# a comment")
    assert outside(moved) == (41.0, 1)
    for changed, helper, result in (
        (FORMULA.replace("+ 1.0", "+ 2.0"), HELPER, 42.0),
        (FORMULA.replace("100.0", "7.0"), HELPER, 7.0),
        (FORMULA, HELPER.replace("10.0", "20.0"), 81.0),
        (FORMULA, HELPER.replace("FACTOR * z", "FACTOR + z"), 25.0),
        (FORMULA.replace(" scaled(at.z)", " outside_helper.scaled(at.z)"), HELPER, 41.0),
    ):
        assert outside(changed, helper) == (result, 0)
        assert outside(changed, helper) == (result, 1)


def test_code_whose_sources_cannot_be_told_is_not_kept(outside):
    plain = HELPER.replace("@internal", "from numba.extending import register_jitable\n@register_jitable")
    assert outside(helper=plain) == (41.0, 0)
    assert outside(helper=plain.replace("10.0", "20.0")) == (81.0, 0)


def test_what_others_cannot_import_does_not_cost_them_their_code(outside, monkeypatch):
    ours = PerceptronRule(1.0, 3.0)
    assert outside(rule=ours) == (1.0, 0)
    assert outside() == (41.0, 0)
    monkeypatch.delitem(sys.modules, "outside_formula")
    assert outside(rule=ours) == (1.0, 1)


def test_a_formula_from_outside_for_one_of_our_rules_is_not_kept_as_ours(outside):
    ours = PerceptronRule(1.0, 3.0)
    outside(rule=ours)
    choice = foreign_code.Choice(len, lambda given: given is PerceptronRule, outside, {})
    foreign_code.CHOICES.append(choice)
    assert foreign_code.foreign_types([PerceptronRule]) == [PerceptronRule]
    assert outside(rule=ours)[1] == 0
