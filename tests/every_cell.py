"""Every learner in every form with every hypothesis and every budget, as the catalogues have them.

A new learner, hypothesis or way to stay within a budget is in it from the day on which it has a file.
"""

from typing import NamedTuple

import kerneltron
from kerneltron.learning.methods import METHODS, method
from kerneltron.learning.parameters import names_of
from kerneltron.models.budgets import POLICIES
from kerneltron.models.hypotheses import HYPOTHESES

SIGMA, BUDGET = 1.5, 60
KERNEL = {"kernel": f"Gaussian({SIGMA})"}
FORMS = {
    "primal": {"scale": False},
    "scaled": {"scale": True},
    "listed": {"kernel": "Polynomial(2)", "representation": "primal"},
    "Fourier": {**KERNEL, "representation": "RandomFourier(60)"},
    "landmarks": {**KERNEL, "representation": "Nystrom(40)"},
    "dual": {**KERNEL, "representation": "dual"},
    **{f"budget, {name}": {**KERNEL, "budget": BUDGET, "when_full": name} for name in POLICIES},
}
FORMS["budget, sketch"]["sketch"] = "RandomFourier(40)"


class Cell(NamedTuple):
    """A learner's name on the command line, a form and a hypothesis."""

    learner: str
    form: str
    hypothesis: str

    @property
    def lacks(self):
        """What the form asks of the learner that it does not have, by name."""
        known = names_of(method(self.learner))
        return ", ".join(name for name, value in FORMS[self.form].items() if value and name not in known)

    def made(self, **options):
        """Return the learner."""
        kind = getattr(kerneltron, METHODS[self.learner].estimator)
        known = names_of(kind.method_type)
        given = {**FORMS[self.form], "hypothesis": self.hypothesis, "random_state": 0, **options}
        return kind(**{name: value for name, value in given.items() if name in known})


def cells(forms=tuple(FORMS)):
    """Yield all of them; a learner that has no hypotheses is there once."""
    for learner in METHODS:
        has_several = "hypothesis" in names_of(method(learner))
        for form in forms:
            for hypothesis in HYPOTHESES if has_several else ("none",):
                yield Cell(learner, form, hypothesis)
