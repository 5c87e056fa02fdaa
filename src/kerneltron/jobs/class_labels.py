"""The labels of a training, which are to be classes: what is something else is refused as it comes."""

import re
from collections.abc import Callable, Iterable

from kerneltron._types import Integers
from kerneltron.stream.errors import InputError
from kerneltron.stream.labels import Labels

MOST_FRACTIONS = 30  # labels with a fraction: half stars up to 15 are classes, prices are not
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
FRACTION = re.compile(NUMBER)
COST = re.compile(rf"{NUMBER}(?::{NUMBER}){{1,2}}")


class ClassLabels(Labels):
    """Labels by number; those that stand for costs, for numbers of many values or for nothing are refused.

    Parameters
    ----------
    has_costs
        Whether the format writes costs where labels stand, as VW does.
    meant
        Labels that were said to be classes, whatever they look like.
    closed
        All that may come; None where any may.
    """

    def __init__(
        self, has_costs: bool, meant: Iterable[str] = (), closed: Iterable[str] | None = None
    ) -> None:
        self._has_costs, self._meant = has_costs, set(meant)
        super().__init__(closed=closed, classes=self._meant)
        self._fractions: list[str] = []

    def numbers(self, codes: Integers, names: list[bytes], label: Callable[[str], str]) -> Integers:
        """Return the number of each label, after a look at those that are new."""
        known = len(self.names)
        found = super().numbers(codes, names, label)
        for name in self.names[known:]:
            if name not in self._meant:
                self._check(name)
        return found

    def _check(self, name: str) -> None:
        if self._has_costs and (name == "shared" or COST.fullmatch(name)):
            what = "the features that actions share" if name == "shared" else "the cost of an action"
            raise InputError(
                f"the label {name!r} says {what} in VW's formats of costs and bandits, which kerneltron does "
                "not learn from: it learns classes. If this is the name of a class, say so by naming all "
                "of them with `classes`."
            )
        if FRACTION.fullmatch(name) and not float(name).is_integer():
            self._fractions.append(name)
        if len(self._fractions) > MOST_FRACTIONS:
            raise InputError(
                f"more than {MOST_FRACTIONS} labels are numbers with a fraction, such as "
                f"{', '.join(self._fractions[:3])}: these are amounts, and every one would become a class of "
                "its own. Is this the column of labels? To learn ranges, give each range a name; if these "
                "are names of classes, say so by naming all of them with `classes`."
            )
