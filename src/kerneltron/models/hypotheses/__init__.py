"""The catalogue of hypotheses: one file each in this folder, found by its name and imported when asked for.

The file `average.py` holds `Average`, which the parameter `hypothesis="average"` names.

>>> from kerneltron.models.hypotheses import HYPOTHESES, hypothesis
>>> list(HYPOTHESES), hypothesis("vote").keeps_moves
(['average', 'last', 'random', 'vote'], True)
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kerneltron.models.hypothesis import Hypothesis

# Names, and the modules that hold the classes.
HYPOTHESES: dict[str, str] = {module.name: f"{__name__}.{module.name}" for module in iter_modules(__path__)}


def hypothesis(name: str) -> "type[Hypothesis]":
    """Return the class of a hypothesis, imported only now; raise if there is none of that name."""
    if not isinstance(name, str) or name not in HYPOTHESES:
        raise ValueError(
            f"hypothesis={name!r} is not known. Choose one of {', '.join(map(repr, HYPOTHESES))}."
        )
    found: type[Hypothesis] = getattr(import_module(HYPOTHESES[name]), name.capitalize())
    return found


def described() -> str:
    """Return all names with what each is, for help.

    Examples
    --------
    >>> described()[:75]
    "'average' (their mean after each example), 'last' (the vector as it is now)"
    """
    return ", ".join(f"{name!r} ({hypothesis(name).brief})" for name in HYPOTHESES)


def register(new: "type[Hypothesis]") -> "type[Hypothesis]":
    """Let a hypothesis from elsewhere be known by its name, wherever ours are; return it.

    Its class is called like its name, capitalised, and can be imported from its module.
    """
    HYPOTHESES[new.name] = new.__module__
    return new
