"""Parameters of methods, each described once: its default, range and help, and what it means elsewhere.

A method is a dataclass whose fields are made by `parameter`. From them come the signature and the help of the
estimator, the options of the command line, what a file holds, what may change while a learner goes on, and
what may differ between models that are merged.
"""

from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import cache
from inspect import get_annotations
from math import inf, isfinite
from numbers import Real
from typing import Any

KEY = "parameter"  # of the description in the metadata of a field


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """All that is known of a parameter beside its name, type and default.

    Parameters
    ----------
    help
        What it does, for `help(...)`: one paragraph, wrapped anew where it is shown; or a function of the
        method's class that returns it, where it is put together from another catalogue.
    above, least, most, below, infinite
        The range of a number: above < value, least <= value <= most, value < below. Infinity only where it
        is said.
    choices
        All values, if they can be listed.
    fixed
        It cannot change between calls of `partial_fit`: it is in what was learned.
    of_training
        It says how to go over examples, not what is learned: a training that goes on from a model may
        have another one.
    mixes
        Models that differ in it can be merged. What is `of_training` always can.
    saved
        It stands in model files. A Python function does not: a file runs no code.
    optional
        Where it has its default, model files do not have it, so that versions from before it came read them,
        and `inspect` does not list it.
    in_older_files
        What it is where a file does not have it, if that is not its default.
    shown
        It says something about a trained model, and `inspect` lists it.
    brief
        Its help on the command line; empty where the command line does not offer it. Which learners have it
        is added there.
    brief_default
        What the command line says of the default, where it is not the default itself.
    brief_type
        Its type on the command line, where the annotation allows more than that.
    """

    help: str | Callable[[Any], str]
    above: float = -inf
    least: float = -inf
    most: float = inf
    below: float = inf
    infinite: bool = False
    choices: tuple[Any, ...] = ()
    fixed: bool = False
    of_training: bool = False
    mixes: bool = False
    saved: bool = True
    optional: bool = False
    in_older_files: Any = None
    shown: bool = True
    brief: str = ""
    brief_default: str = ""
    brief_type: type | None = None

    def check(self, name: str, value: Any) -> None:
        """Raise unless `value` is in the range, where there is one."""
        if self.choices:
            check_choice(name, value, self.choices)
        elif (self.above, self.least, self.most, self.below) != (-inf, -inf, inf, inf):
            bounds = {"above": self.above, "least": self.least, "most": self.most, "below": self.below}
            check_number(name, value, **bounds, infinite=self.infinite)

    def text(self, method_type: Any) -> str:
        """Return the help of the parameter for one class of methods."""
        return self.help if isinstance(self.help, str) else self.help(method_type)


def parameter(default: Any, help: str | Callable[[Any], str], **more: Any) -> Any:
    """Return a field of a method: its default, its help, and what else `Parameter` knows.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(kw_only=True)
    ... class Method:
    ...     margin: float = parameter(0.0, "Update also below this margin.", least=0)
    >>> parameters_of(Method)["margin"].least
    0
    """
    return field(default=default, metadata={KEY: Parameter(help=help, **more)})


def parameters_of(method: Any) -> dict[str, Parameter]:
    """Return the descriptions of the parameters of a method or its class, in the order of the signature."""
    return {each.name: each.metadata[KEY] for each in fields(method)}


@cache
def names_of(method_type: Any) -> tuple[str, ...]:
    """Return the names of the parameters of a method's class, in the order of the signature."""
    return tuple(parameters_of(method_type))


def saved_values(method: Any) -> dict[str, Any]:
    """Return the values of the parameters of a method that stand in files, by name.

    Examples
    --------
    >>> from kerneltron.learning.methods import method
    >>> perceptron = method("perceptron")
    >>> "budget" in saved_values(perceptron()), saved_values(perceptron(budget=500))["budget"]
    (False, 500)
    """
    values = {each.name: getattr(method, each.name) for each in fields(method)}
    usual = {each.name: each.default for each in fields(method)}
    return {
        name: values[name]
        for name, about in parameters_of(method).items()
        if about.saved and not (about.optional and are_same(values[name], usual[name]))
    }


def own_first(method: Any) -> list[Field[Any]]:
    """Return the fields of a method's class, its own before those that it shares with others.

    Examples
    --------
    >>> from kerneltron.learning.methods import method
    >>> [each.name for each in own_first(method("perceptron"))[:4]]
    ['learning_rate', 'margin', 'class_weight', 'init_scale']
    """
    by_name = {each.name: each for each in fields(method)}
    names = dict.fromkeys(name for each in method.__mro__ for name in get_annotations(each))
    return [by_name[name] for name in names if name in by_name]


def check_number(
    name: str,
    value: Any,
    *,
    above: float = -inf,
    least: float = -inf,
    most: float = inf,
    below: float = inf,
    infinite: bool = False,
) -> None:
    """Raise unless `value` is a real number with above < value, least <= value <= most and value < below."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name}={value!r} is not a number.")
    try:
        number = float(value)
    except OverflowError:  # of a whole number
        number = inf
    there = isfinite(number) or (infinite and number == inf)
    is_small = number <= most and (number < below or below == inf)
    if not there or not (number > above and number >= least and is_small):
        bounds = [
            *([] if infinite else ["finite"]),
            *([f"greater than {above:g}"] if above > -inf else []),
            *([f"at least {least:g}"] if least > -inf else []),
            *([f"at most {most:g}"] if most < inf else []),
            *([f"less than {below:g}"] if below < inf else []),
        ]
        raise ValueError(f"{name}={value!r} must be {', '.join(bounds)}.")


def are_same(value: Any, other: Any) -> bool:
    """Return whether two values of a parameter are the same: 1 and True are not."""
    return value is other or (type(value) is type(other) and bool(value == other))


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Raise unless `value` is one of `choices`."""
    if not any(are_same(value, choice) for choice in choices):
        raise ValueError(f"{name}={value!r} is not known. Choose one of {', '.join(map(repr, choices))}.")


def check_class_weight(value: Any) -> None:
    """Raise unless `value` is None, "balanced" or a dict."""
    if not (value is None or isinstance(value, dict) or (isinstance(value, str) and value == "balanced")):
        raise ValueError(f"class_weight={value!r} must be None, 'balanced' or a dict such as {{0: 1, 1: 5}}.")
