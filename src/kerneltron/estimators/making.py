"""Estimators made from methods: the signature and the help of each come from the method's parameters."""

import re
from dataclasses import MISSING, Field, fields
from functools import cache
from inspect import Parameter as Argument
from inspect import Signature, cleandoc, getdoc
from textwrap import fill, indent
from typing import Any, get_args

from kerneltron.estimators.classifier import Classifier
from kerneltron.estimators.fitted import Fitted
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.methods import method
from kerneltron.learning.parameters import KEY, own_first, parameters_of

WIDTH = 100  # of a line of help
# Of additive learners alone.
OF_KERNELS = ("delta_", "dual_coef_", "kernel_", "map_", "representation_", "support_", "working_memory_")
OF_OPTIMA = ("dual_objective_", "gap_", "objective_")  # of those that look for an optimum
OF_STOPPING = ("best_pass_", "validation_scores_")  # of those that can stop early
OTHERS = {
    "learner_": "What was learned: a `kerneltron.learning.learner.Learner`.",
    "n_features_in_, feature_names_in_": "As in scikit-learn.",
}


def estimator(name: str) -> type[Classifier]:
    """Return the classifier of a method: `estimator("Perceptron")` is `kerneltron.Perceptron`."""
    return estimator_of(method(name))


@cache
def estimator_of(method_type: type[Method]) -> type[Classifier]:
    """Return the classifier of a method: its parameters are the fields of the method."""
    body = {
        "method_type": method_type,
        "__doc__": documentation(method_type),
        "__init__": _constructor(method_type),
        "__module__": "kerneltron",  # where it is found, also by pickle
    }
    return type(method_type.name(), (Classifier,), body)


def fitted(learner: Learner) -> Classifier:
    """Return the classifier that holds a learner, with its parameters."""
    asked = {name: getattr(learner.method, name) for name in parameters_of(learner.method)}
    made = estimator_of(type(learner.method))(**asked)
    if learner.has_model:
        made.hold(learner)
    return made


def signature(method_type: type[Method]) -> Signature:
    """Return the signature of an estimator's constructor: keywords with defaults."""
    arguments = [Argument("self", Argument.POSITIONAL_OR_KEYWORD)]
    for each in fields(method_type):
        assert each.default is not MISSING
        arguments.append(
            Argument(each.name, Argument.KEYWORD_ONLY, default=each.default, annotation=each.type)
        )
    return Signature(arguments)


def _constructor(method_type: type[Method]) -> Any:
    expected = signature(method_type)

    def __init__(self: Any, **parameters: Any) -> None:  # noqa: N807
        given = expected.bind(self, **parameters)
        given.apply_defaults()
        for name, value in [*given.arguments.items()][1:]:
            setattr(self, name, value)

    __init__.__signature__ = expected  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{method_type.name()}.__init__"
    return __init__


def documentation(method_type: type[Method]) -> str:
    """Return the help of an estimator: what its method says, all parameters and attributes."""
    text = cleandoc(method_type.__doc__ or "")
    about, _, rest = text.partition("\n\nReferences\n")
    parameters = {_typed(each): each.metadata[KEY].text(method_type) for each in own_first(method_type)}
    parts = [
        about,
        _section("Parameters", parameters),
        _section("Attributes", _attributes(method_type)),
    ]
    return "\n\n".join([*parts, *([f"References\n{rest}"] if rest else [])]) + "\n"


def _attributes(method_type: type[Method]) -> dict[str, str]:
    """Return what the attributes of a fitted classifier are, as `Fitted` describes them."""
    names = [name for name in dir(Fitted) if isinstance(getattr(Fitted, name), property)]
    parameters = parameters_of(method_type)
    missing = [
        *(OF_KERNELS if not method_type.is_additive() else ()),
        *(OF_OPTIMA if "tol" not in parameters else ()),
        *(OF_STOPPING if "early_stopping" not in parameters else ()),
    ]
    meant = [name for name in names if name not in missing]
    return {**{name: getdoc(getattr(Fitted, name)) or "" for name in meant}, **OTHERS}


def type_text(annotation: Any) -> str:
    """Return a type as one writes it, without the modules of its names.

    Examples
    --------
    >>> type_text(float), type_text(dict[Any, float] | None), type_text("str | Kernel")
    ('float', 'dict[Any, float] | None', 'str | Kernel')
    """
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__name__
    return re.sub(r"\b(?:\w+\.)+", "", str(annotation))


def _typed(each: Field[Any]) -> str:
    """Return the name, type and default of a parameter, as the sections of numpydoc have them."""
    choices = each.metadata[KEY].choices
    shown_type = f"{{{', '.join(map(repr, choices))}}}" if choices else type_text(each.type)
    return f"{each.name} : {shown_type}, default={each.default!r}"


def _section(title: str, entries: dict[str, str]) -> str:
    lines = [title, "-" * len(title)]
    for name, text in entries.items():
        lines += [name, indent(fill(text, WIDTH - 8), "    ")]
    return "\n".join(lines)
