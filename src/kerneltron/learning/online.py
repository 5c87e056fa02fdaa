"""What the methods that learn one example at a time share: which vector predicts, and when to stop."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.learning.method import Method
from kerneltron.learning.parameters import parameter
from kerneltron.models.hypotheses import HYPOTHESES, described, hypothesis

WITH_DROPS = (
    " Where a budget drops examples, the mean loses what it knows of them: from the first drop on, the last "
    "vector predicts, with the mean intercept."
)


def hypothesis_parameter(usual: str) -> str:
    """Return the parameter `hypothesis` with its default."""
    return parameter(  # type: ignore[no-any-return]
        usual,
        lambda method_type: (
            "Which of the vectors that w passed through predicts: "
            f"{described(with_moves=not method_type.refuses_moves)}."
            f"{WITH_DROPS if hasattr(method_type, 'budget') else ''}"
        ),
        fixed=True,
        in_older_files="average",
        brief=f"Which vector predicts: {', '.join(HYPOTHESES)}.",
    )


@dataclass(kw_only=True, eq=False, repr=False)
class OnlineMethod(Method):
    """A method whose vectors pass through many places, one of which predicts."""

    hypothesis: str = hypothesis_parameter("average")
    early_stopping: bool = parameter(
        False,
        "Hold out a part of the data, score it after each pass, stop when it does not improve any more and "
        "restore the best pass.",
        of_training=True,
        brief="Hold out a part, chosen by a hash of the example; keep the pass that does best on it.",
    )
    validation_fraction: float = parameter(
        0.1,
        "Which part of the data `early_stopping` holds out, stratified by class.",
        above=0,
        below=1,
        of_training=True,
        brief="The part that is held out.",
    )
    patience: int = parameter(
        5,
        "How many passes in a row without a better score `early_stopping` waits for.",
        least=1,
        of_training=True,
        brief="Passes to wait for a better one.",
    )

    # Five passes have 0.57 to 0.82 times the error of one on nine sets of texts, by the learner, and 0.77 to
    # 0.90 times on nine tables: `python -m benchmarks.defaults.on_texts`, docs/texts.md, docs/scaling.md.
    on_texts: ClassVar[Mapping[str, Any]] = {"passes": 5}
    on_scaled_numbers: ClassVar[Mapping[str, Any]] = {"passes": 5}

    def check(self) -> None:
        """Raise if a parameter makes no sense."""
        super().check()
        chosen = hypothesis(self.hypothesis)
        if self.early_stopping and self.passes <= 1:
            raise ValueError("Early stopping chooses among passes: give it some, for example `passes=50`.")
        if chosen.keeps_moves and self.refuses_moves:
            raise ValueError(
                f"hypothesis={self.hypothesis!r} is not possible: {self.refuses_moves} Use "
                "`hypothesis='average'`."
            )
