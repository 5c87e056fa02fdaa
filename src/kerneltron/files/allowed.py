"""What may stand in the file of one kind of learner: its rule, forms and hypotheses.

Loops are compiled for the types that they meet, and do not check what they are given: a rule in a model that
never has it could read where there is nothing.
"""

from typing import Any, NamedTuple

from kerneltron.files import rules
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.hypotheses import HYPOTHESES, hypothesis
from kerneltron.models.representation import LARGEST_DELTA

FORMS = ("primal", "scaled", "mapped", "dual", "budgeted")


class Allowed(NamedTuple):
    """What the model of one kind of learner may be made of.

    Steps may adapt to each weight (`adapts`) only where there are weights, in the forms that are not dual.
    """

    rule: type
    adapts: bool = False
    forms: tuple[str, ...] = FORMS
    moves: bool = True  # whether a hypothesis may keep all moves
    one_clock: bool = True  # whether all columns see the same examples, as some hypotheses need
    delta: bool = True  # whether examples may have a feature of their own
    biases: tuple[float, ...] = (0.0, 1.0)

    def check(self, contents: Contents) -> None:
        """Raise unless the header of a model names only what is allowed."""
        contents.text("form", self.forms)
        chosen = hypothesis(contents.part("hypothesis").text("kind", tuple(HYPOTHESES)))
        if (chosen.keeps_moves and not self.moves) or (chosen.needs_one_clock and not self.one_clock):
            raise ModelFileError(
                f"'kind' in the header is {chosen.name!r}, a hypothesis that this learner does not have"
            )
        delta = contents.number("delta", 0.0)
        if delta and not self.delta:
            raise ModelFileError("this learner has no delta")
        if delta > LARGEST_DELTA:
            raise ModelFileError(f"delta is {delta:g}, more than {LARGEST_DELTA:g}")
        if contents.number("bias") not in self.biases:
            raise ModelFileError(f"the constant feature is {contents.number('bias'):g}, neither 0 nor 1")

    def restored_rule(self, contents: Contents) -> Any:
        """Return the rule of a model whose header was checked; raise if it has another than this learner."""
        is_weighted = contents.text("form") in ("primal", "scaled", "mapped")
        return rules.restore(contents.part("rule"), self.rule, self.adapts and is_weighted)
