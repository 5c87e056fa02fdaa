"""Rules: the name of the NamedTuple, and its fields."""

from typing import Any, get_type_hints

from kerneltron.engine.adaptive import Adaptive
from kerneltron.engine.joint import MiraRule
from kerneltron.engine.multiplicative import WinnowRule
from kerneltron.engine.rules.logistic import LogisticRule
from kerneltron.engine.rules.passive_aggressive import PassiveAggressiveRule
from kerneltron.engine.rules.pegasos import PegasosRule
from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.engine.rules.romma import RommaRule
from kerneltron.files.contents import Contents, ModelFileError, number

# The rules that a file may name: a new rule is one entry.
RULES: dict[str, Any] = {
    rule.__name__: rule
    for rule in (
        Adaptive,
        LogisticRule,
        MiraRule,
        PassiveAggressiveRule,
        PegasosRule,
        PerceptronRule,
        RommaRule,
        WinnowRule,
    )
}
GRADIENTS = ("LogisticRule", "PegasosRule")  # that steps can adapt to


def state(rule: Any) -> Contents:
    """Return the contents of a rule.

    Examples
    --------
    >>> state(PerceptronRule(1.0, 0.5)).header
    {'rule': 'PerceptronRule', 'learning_rate': 1.0, 'margin': 0.5}
    """
    header: dict[str, Any] = {"rule": type(rule).__name__}
    for name, value in rule._asdict().items():
        if isinstance(value, bool):
            header[name] = value
        else:
            header[name] = state(value).header if isinstance(value, tuple) else number(value)
    return Contents(header, {})


def restore(contents: Contents) -> Any:
    """Return the rule; raise unless it is one of ours, with all its parameters."""
    rule = RULES[contents.text("rule", tuple(RULES))]
    return rule(**{name: _field(contents, name, kind) for name, kind in get_type_hints(rule).items()})


def _field(contents: Contents, name: str, kind: Any) -> Any:
    # The loops are compiled for the types of the fields: a whole number in place of a float is another rule.
    if kind is bool:
        return contents.truth(name)
    if kind is float:
        return contents.number(name)
    inside = contents.part(name)
    if inside.text("rule") not in GRADIENTS:
        raise ModelFileError(f"steps do not adapt to {inside.text('rule')}, which has no gradient")
    return restore(inside)
