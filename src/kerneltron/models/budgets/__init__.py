"""The catalogue of ways to stay within a budget: one file each in this folder, imported when asked for.

The file `merge.py` holds `Merge`, which the parameter `when_full="merge"` names.

>>> from kerneltron.models.budgets import POLICIES, policy
>>> list(POLICIES), policy("forget").keeps_gram
(['bpa', 'forget', 'merge', 'project', 'random', 'sketch', 'smallest', 'stop'], True)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kerneltron.models.policy import Policy

# Names, and those of the classes.
POLICIES = {
    "bpa": "Bpa",
    "forget": "Forget",
    "merge": "Merge",
    "project": "Project",
    "random": "Random",
    "sketch": "Sketch",
    "smallest": "Smallest",
    "stop": "Stop",
}


def policy(name: str) -> "type[Policy]":
    """Return the class of a policy, imported only now."""
    found: type[Policy] = getattr(import_module(f"{__name__}.{name}"), POLICIES[name])
    return found


def described() -> str:
    """Return all names with what each does, for help.

    Examples
    --------
    >>> described()[-46:]
    "'stop' (no new example is remembered any more)"
    """
    return ", ".join(f"{name!r} ({policy(name).brief})" for name in POLICIES)
