"""Options that say which learner learns, and how: they have the names of the estimators' parameters."""

from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar

from typer import Option

from kerneltron.cli.completion import learners
from kerneltron.cli.pairs import pairs

LEARNER = "logistic"


@dataclass
class Learning:
    """What was given of the learner and its parameters; None is not given."""

    title: ClassVar[str] = "Learner"

    learner: Annotated[
        str | None,
        Option(
            help="logistic, perceptron, passive-aggressive, romma, mira, pegasos or winnow.",
            show_default=LEARNER,
            autocompletion=learners,
        ),
    ] = None
    passes: Annotated[int | None, Option(help="How often to go over the input.", show_default="1")] = None
    hypothesis: Annotated[
        str | None,
        Option(help="Which vector predicts: average, last, random or vote.", show_default="average"),
    ] = None
    learning_rate: Annotated[
        float | None,
        Option(
            help="The first step.",
            show_default="0.1 for logistic, as texts have dozens of features (the estimator has 0.5); "
            "perceptron 1, pegasos inf",
        ),
    ] = None
    schedule: Annotated[
        str | None,
        Option(
            help="How steps shrink: auto, constant, inverse or adaptive. Logistic, pegasos.",
            show_default="auto, which is adaptive for weights; pegasos inverse",
        ),
    ] = None
    l2: Annotated[
        float | None,
        Option("--l2", help="Weight of the L2 penalty. Logistic, pegasos.", show_default="0.0001"),
    ] = None
    C: Annotated[
        float | None,
        Option("--C", help="Largest step. Passive-aggressive, mira.", show_default="1"),
    ] = None
    variant: Annotated[
        str | None, Option(help="Passive-aggressive of the kind 0, I or II.", show_default="I")
    ] = None
    margin: Annotated[
        float | None, Option(help="The perceptron learns below this margin, too.", show_default="0")
    ] = None
    aggressive: Annotated[
        bool | None,
        Option("--aggressive/--no-aggressive", help="Romma learns below margin 1.", show_default="no"),
    ] = None
    promotion: Annotated[float | None, Option(help="Factor of winnow.", show_default="2")] = None
    demotion: Annotated[float | None, Option(help="Factor of winnow.", show_default="0.5")] = None
    threshold: Annotated[
        float | None, Option(help="Threshold of winnow.", show_default="the number of slots")
    ] = None
    balanced: Annotated[
        bool | None,
        Option("--balanced/--no-balanced", help="Two weights a feature in winnow.", show_default="no"),
    ] = None
    kernel: Annotated[
        str | None,
        Option(help="The inner product, such as 'Polynomial(3) + Gaussian(2)'.", show_default="linear"),
    ] = None
    representation: Annotated[
        str | None, Option(help="primal (weights), dual (examples) or auto.", show_default="auto")
    ] = None
    fit_intercept: Annotated[
        bool | None,
        Option("--fit-intercept/--no-fit-intercept", help="A constant feature 1.", show_default="yes"),
    ] = None
    init_scale: Annotated[
        float | None, Option(help="Deviation of random first weights.", show_default="0")
    ] = None
    delta: Annotated[
        float | None, Option(help="Makes an example more similar to itself.", show_default="0")
    ] = None
    working_memory: Annotated[
        float | None, Option(help="Megabytes for the dual form.", show_default="256")
    ] = None
    class_weight: Annotated[
        str | None, Option(help="What classes count, such as spam=5,ham=1.", show_default="1 each")
    ] = None
    shuffle: Annotated[
        bool | None,
        Option(
            "--shuffle/--no-shuffle",
            help="Another order in each pass, within some megabytes in the first.",
            show_default="yes",
        ),
    ] = None
    random_state: Annotated[int | None, Option(help="Seed.", show_default="0")] = None
    early_stopping: Annotated[
        bool | None,
        Option(
            "--early-stopping/--no-early-stopping",
            help="Hold out a part, chosen by a hash of the example; keep the pass that does best on it.",
            show_default="no",
        ),
    ] = None
    validation_fraction: Annotated[
        float | None, Option(help="The part that is held out.", show_default="0.1")
    ] = None
    patience: Annotated[int | None, Option(help="Passes to wait for a better one.", show_default="5")] = None

    @property
    def name(self) -> str | None:
        """The name of the learner that was given, as `METHODS` has it."""
        from kerneltron.learning.methods import short_name

        return None if self.learner is None else short_name(self.learner)

    def parameters(self) -> dict[str, Any]:
        """Return the parameters that were given, by the names that methods have for them."""
        named = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "learner"}
        given = {name: value for name, value in named.items() if value is not None}
        if "class_weight" in given and given["class_weight"] != "balanced":
            given["class_weight"] = weights(given["class_weight"])
        return given


def weights(text: str) -> dict[str, float]:
    """Read weights of classes.

    Examples
    --------
    >>> weights("spam=5,ham=0.5")
    {'spam': 5.0, 'ham': 0.5}
    """
    read = {}
    for label, weight in pairs("--class-weight", text.split(","), "spam=5,ham=1"):
        try:
            read[label] = float(weight)
        except ValueError:
            raise ValueError(f"--class-weight: {weight!r}, the weight of {label!r}, is no number.") from None
    return read
