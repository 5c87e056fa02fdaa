"""What may stand in the file of one kind of learner: its rules, forms and hypotheses.

Loops are compiled for the types that they meet, and do not check what they are given: a rule in a model that
never has it could read where there is nothing.
"""

from typing import Any, NamedTuple

from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.representation import LARGEST_DELTA

FORMS = ("primal", "mapped", "dual")
HYPOTHESES = ("average", "last", "random", "vote")


class Allowed(NamedTuple):
    """What the model of one kind of learner may be made of.

    Steps may adapt to each weight (`adapts`) only where there are weights, in the forms that are not dual.
    """

    rule: type
    adapts: bool = False
    forms: tuple[str, ...] = FORMS
    hypotheses: tuple[str, ...] = HYPOTHESES
    delta: bool = True  # whether examples may have a feature of their own
    biases: tuple[float, ...] = (0.0, 1.0)

    def check(self, contents: Contents, rule: Any) -> None:
        """Raise unless a model has this rule, and its header names only what is allowed."""
        form = contents.text("form", self.forms)
        contents.part("hypothesis").text("kind", self.hypotheses)
        is_weighted = form in ("primal", "mapped")
        inner = rule.gradient if self.adapts and is_weighted and hasattr(rule, "gradient") else rule
        if type(inner) is not self.rule:
            raise ModelFileError(
                f"{type(inner).__name__} has no place here: this learner has {self.rule.__name__}"
            )
        delta = contents.number("delta", 0.0)
        if delta and not self.delta:
            raise ModelFileError("this learner has no delta")
        if delta > LARGEST_DELTA:
            raise ModelFileError(f"delta is {delta:g}, more than {LARGEST_DELTA:g}")
        if contents.number("bias") not in self.biases:
            raise ModelFileError(f"the constant feature is {contents.number('bias'):g}, neither 0 nor 1")
