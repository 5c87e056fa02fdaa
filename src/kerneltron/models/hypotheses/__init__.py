"""The catalogue of hypotheses: one file each in this folder, found by its name and imported when asked for.

The file `average.py` holds `Average`, which the parameter `hypothesis="average"` names.

>>> from kerneltron.models.hypotheses import HYPOTHESES, hypothesis
>>> list(HYPOTHESES), hypothesis("vote").keeps_moves
(['auto', 'average', 'last', 'random', 'vote'], True)
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kerneltron.models.hypothesis import Hypothesis

# Names, and where the classes are: modules, and names there.
HYPOTHESES: dict[str, tuple[str, str]] = {
    module.name: (f"{__name__}.{module.name}", module.name.capitalize()) for module in iter_modules(__path__)
}


def hypothesis(name: str) -> "type[Hypothesis]":
    """Return the class of a hypothesis, imported only now; raise if there is none of that name."""
    if not isinstance(name, str) or name not in HYPOTHESES:
        raise ValueError(
            f"hypothesis={name!r} is not known. Choose one of {', '.join(map(repr, HYPOTHESES))}."
        )
    module, class_name = HYPOTHESES[name]
    found: type[Hypothesis] = getattr(import_module(module), class_name)
    return found


def described(with_moves: bool = True) -> str:
    """Return all names with what each is, for help; without those that keep all moves, if they are not meant.

    Examples
    --------
    >>> described()[-75:]
    'long as it survived; it remembers the rows of all updates, so memory grows)'
    """
    meant = [name for name in HYPOTHESES if with_moves or not hypothesis(name).keeps_moves]
    return ", ".join(f"{name!r} ({hypothesis(name).brief})" for name in meant)


def register(new: "type[Hypothesis]") -> "type[Hypothesis]":
    """Let a hypothesis from elsewhere be known by its `name`, wherever ours are; return it.

    Its class stands at the top of a module that can be imported.
    """
    from kerneltron.models.hypothesis import Hypothesis

    if not (isinstance(new, type) and issubclass(new, Hypothesis)):
        raise TypeError(
            f"{new!r} is not a hypothesis: derive it from kerneltron.models.hypothesis.Hypothesis."
        )
    if not all(isinstance(getattr(new, about, None), str) for about in ("name", "brief")):
        raise TypeError(f"{new.__name__} must say its `name` and, in a few words, what it is: `brief`.")
    HYPOTHESES[new.name] = new.__module__, new.__qualname__
    return new
