"""The catalogue of learning methods: one file each in this folder, found by its name.

The file `passive_aggressive.py` holds `PassiveAggressiveMethod`; its estimator is `PassiveAggressive`, and
the command line calls it `passive-aggressive`. Nothing is imported before it is asked for.

>>> from kerneltron.learning.methods import method
>>> method("perceptron")(margin=0.5).rule(width=1000)
PerceptronRule(learning_rate=1.0, margin=0.5)
"""

import os
import re
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from kerneltron.learning.method import Method

SHORTER = {"logistic-regression": "logistic"}  # what the command line calls a method, where it is shorter
ACRONYMS = {"svm": "SVM"}  # estimators that are not called as their files are
DEFAULT = "logistic"  # what the command line takes unless told otherwise
SEED = 0  # of a stream, which is repeatable unless told otherwise


class Entry(NamedTuple):
    """Where a method lives, and what its estimator is called."""

    module: str
    estimator: str


def _found() -> dict[str, Entry]:
    # Not by pkgutil, which imports `inspect`: half of what `import kerneltron` takes.
    files = sorted(file for file in os.listdir(os.path.dirname(__file__)) if file.endswith(".py"))
    found = {}
    for module in (file.removesuffix(".py") for file in files if file != "__init__.py"):
        name = module.replace("_", "-")
        estimator = ACRONYMS.get(module) or "".join(word.capitalize() for word in module.split("_"))
        found[SHORTER.get(name, name)] = Entry(f"{__name__}.{module}", estimator)
    return found


METHODS: dict[str, Entry] = _found()  # by the name on the command line


def register(new: "type[Method]") -> "type[Method]":
    """Let a method from elsewhere be known by its name, wherever ours are; return it.

    Its class is called like its estimator with `Method` at the end, and stands at the top of a module that
    can be imported.
    """
    from kerneltron.learning.method import Method

    if not (isinstance(new, type) and issubclass(new, Method) and new.__qualname__.endswith("Method")):
        raise TypeError(f"{new!r} must derive from Method, and have a name such as RelaxedMethod.")
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", new.name())
    METHODS["-".join(words).lower()] = Entry(new.__module__, new.name())
    return new


def estimator_names() -> list[str]:
    """Return the names of all estimators, which are those of learners in files."""
    return [entry.estimator for entry in METHODS.values()]


def short_name(name: str) -> str:
    """Return what the command line calls a method, by that name or the estimator's, however it is written.

    Examples
    --------
    >>> from kerneltron.learning.methods import short_name
    >>> short_name("LogisticRegression"), short_name("Winnow"), short_name("passive_aggressive")
    ('logistic', 'winnow', 'passive-aggressive')
    >>> short_name("pegasus")
    Traceback (most recent call last):
    ValueError: there is no learner 'pegasus': did you mean 'pegasos'? Choose one of ...
    """
    ways = {_letters(way): short for short, entry in METHODS.items() for way in (short, entry.estimator)}
    short = ways.get(_letters(name))
    if short is None:
        from difflib import get_close_matches

        close = get_close_matches(_letters(name), ways, n=1)
        hint = f": did you mean {ways[close[0]]!r}?" if close else "."
        raise ValueError(f"there is no learner {name!r}{hint} Choose one of {', '.join(METHODS)}.")
    return short


def _letters(name: str) -> str:
    """Return a name without capitals, and without what may stand between its words."""
    return re.sub(r"[-_\s]", "", name).lower()


def method(name: str) -> "type[Method]":
    """Return the class of a method, by its name or that of its estimator. It is imported only now.

    Examples
    --------
    >>> from kerneltron.learning.methods import method
    >>> method("logistic") is method("LogisticRegression")
    True
    """
    module, estimator = METHODS[short_name(name)]
    found: type[Method] = getattr(import_module(module), f"{estimator}Method")
    return found


def stream_defaults(
    method_type: "type[Method]",
    unit_rows: bool = False,
    texts: bool = False,
    scaled: bool = False,
    given: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the defaults of a method on a stream, where the order is repeatable and features are many.

    Parameters
    ----------
    method_type
        The class of the method.
    unit_rows
        Whether the rows have length 1.
    texts
        Whether the examples are texts.
    scaled
        Whether they are numbers that are brought to one scale.
    given
        Parameters that are given, which some defaults depend on.

    Examples
    --------
    >>> from kerneltron.learning.methods import method, stream_defaults
    >>> defaults = stream_defaults(method("logistic"))
    >>> defaults["random_state"], defaults["learning_rate"], defaults["l2"]
    (0, 0.1, 0.0001)
    >>> stream_defaults(method("logistic"), unit_rows=True)["learning_rate"]
    1.0
    """
    from dataclasses import fields

    defaults = {each.name: each.default for each in fields(method_type)}
    return {
        **defaults,
        "random_state": SEED,
        **method_type.on_streams,
        **(method_type.on_unit_rows if unit_rows else {}),
        **(method_type.suiting_texts(given) if texts else {}),
        **(method_type.on_scaled_numbers if scaled else {}),
        **(method_type.on_scaled_unit_rows if scaled and unit_rows else {}),
    }


def on_stream(
    name: str,
    given: Mapping[str, Any],
    unit_rows: bool = False,
    texts: bool = False,
    scaled: bool = False,
) -> "Method":
    """Return a method for a stream, with the given parameters; the others are those of `stream_defaults`.

    Examples
    --------
    >>> on_stream("logistic", {"l2": 0.0}).learning_rate
    0.1
    >>> on_stream("logistic", {"margin": 1.0})
    Traceback (most recent call last):
    ValueError: the learner logistic has no margin: perceptron has it.
    """
    from kerneltron.learning.parameters import parameters_of

    name = short_name(name)
    chosen = method(name)
    for parameter in given:
        if parameter not in parameters_of(chosen):
            having = [other for other in METHODS if parameter in parameters_of(method(other))]
            verb = "has" if len(having) == 1 else "have"
            raise ValueError(f"the learner {name} has no {parameter}: {', '.join(having)} {verb} it.")
    ready = chosen(**{**stream_defaults(chosen, unit_rows, texts, scaled, given), **given})
    ready.check()
    ready.check_streaming()
    return ready
