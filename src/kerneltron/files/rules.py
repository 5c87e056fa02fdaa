"""Rules: the name of the NamedTuple, and its fields."""

from typing import Any, get_type_hints

from kerneltron.files.contents import Contents, number


def state(rule: Any) -> Contents:
    """Return the contents of a rule; fields that are as they are by default are left out.

    Examples
    --------
    >>> from kerneltron.engine.rules.perceptron import PerceptronRule
    >>> state(PerceptronRule(1.0, 0.5)).header
    {'rule': 'PerceptronRule', 'learning_rate': 1.0, 'margin': 0.5}
    """
    header: dict[str, Any] = {"rule": type(rule).__name__}
    for name, value in rule._asdict().items():
        if name in rule._field_defaults and value == rule._field_defaults[name]:
            continue
        if isinstance(value, bool):
            header[name] = value
        else:
            header[name] = state(value).header if isinstance(value, tuple) else number(value)
    return Contents(header, {})


def restore(contents: Contents, rule_type: type, adapts: bool) -> Any:
    """Return a rule of this type, or if it `adapts` AdaGrad's steps along one; raise for any other."""
    from kerneltron.engine.adaptive import Adaptive

    known: dict[str, Any] = {
        rule_type.__name__: rule_type,
        **({Adaptive.__name__: Adaptive} if adapts else {}),
    }
    name = contents.text("rule")
    if name not in known:
        contents.refuse(f"{name[:60]} has no place here: this learner has {rule_type.__name__}")
    rule = known[name]
    fields = {
        name: _field(contents, name, hint, rule_type)
        for name, hint in get_type_hints(rule).items()
        if name in contents.header or name not in rule._field_defaults
    }
    return rule(**fields)


def _field(contents: Contents, name: str, hint: Any, rule_type: type) -> Any:
    # The loops are compiled for the types of the fields: a whole number in place of a float is another rule.
    if hint is bool:
        return contents.truth(name)
    if hint is float:
        return contents.number(name)
    return restore(contents.part(name), rule_type, adapts=False)
