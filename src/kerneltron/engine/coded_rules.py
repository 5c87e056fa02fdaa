"""The rules of this package as one type: a code and some numbers, whose formula is chosen while a loop runs.

A loop is compiled once for all of them, and not once for each; to choose costs nothing that could be measured
(43 to 45 ns for a visit to 20 columns, with the choice and without). Rules from outside keep their own type,
and loops are compiled for them.

>>> from kerneltron.engine.rules.perceptron import PerceptronRule
>>> coded(PerceptronRule(1.0, 0.5))
CodedRule(code=0, numbers=(1.0, 0.5, 0.0))
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from kerneltron.engine.compiled import inlined
from kerneltron.engine.dispatch import implements
from kerneltron.engine.joint import MiraRule
from kerneltron.engine.rules.alma import AlmaRule
from kerneltron.engine.rules.logistic import LogisticRule
from kerneltron.engine.rules.passive_aggressive import PassiveAggressiveRule
from kerneltron.engine.rules.pegasos import PegasosRule
from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.engine.rules.romma import RommaRule
from kerneltron.engine.rules.svm import AscentRule
from kerneltron.engine.update import Situation, update

NUMBERS = 3  # that a rule may have
WITH_FORMULA: tuple[type, ...] = (
    PerceptronRule,
    PassiveAggressiveRule,
    LogisticRule,
    PegasosRule,
    RommaRule,
    AlmaRule,
    AscentRule,
)
CODES = {rule_type: code for code, rule_type in enumerate((*WITH_FORMULA, MiraRule))}
PERCEPTRON, MIRA = CODES[PerceptronRule], CODES[MiraRule]  # loops know these apart from their formulas


class CodedRule(NamedTuple):
    """Which rule it is, and its numbers: 0 where it has fewer."""

    code: int
    numbers: tuple[float, float, float]


def coded(rule: Any) -> Any:
    """Return a rule as compiled loops take it."""
    code = CODES.get(type(rule))
    if code is None:
        return rule
    return CodedRule(code, (*map(float, rule), *(0.0,) * (NUMBERS - len(rule))))  # type: ignore[arg-type]


Formula = Callable[[CodedRule, Situation], tuple[float, float]]


@inlined
def stands_still(rule: CodedRule, at: Situation) -> tuple[float, float]:
    """Change nothing: no rule has this code."""
    return 1.0, 0.0


def _chosen(rule_type: type, otherwise: Formula) -> Formula:
    """Return the formula of one type of rules for its code, another one for all other codes."""
    code, size = CODES[rule_type], len(rule_type._fields)  # type: ignore[attr-defined]

    @inlined
    def formula(rule: CodedRule, at: Situation) -> tuple[float, float]:
        if rule.code == code:
            return update(rule_type(*rule.numbers[:size]), at)
        return otherwise(rule, at)

    return formula


formula_of_code: Formula = stands_still
for _rule_type in reversed(WITH_FORMULA):
    formula_of_code = _chosen(_rule_type, formula_of_code)


@implements(update, CodedRule)
def update_by_code(rule: CodedRule, at: Situation) -> tuple[float, float]:
    """Return what the rule with this code says."""
    return formula_of_code(rule, at)
