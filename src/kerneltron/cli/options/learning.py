"""Options that say which learner learns, and how: one for each parameter of the methods in the catalogue."""

from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar

from typer import Option

from kerneltron.cli.completion import learners
from kerneltron.cli.options.of_methods import listed, options
from kerneltron.cli.pairs import pairs
from kerneltron.learning.methods import DEFAULT, METHODS

# What a learner asks for that others do not, and without which it would refuse most files.
DEMANDS = "svm keeps examples: give it --representation dual, or a kernel; winnow takes no negative values."


def _with_parameters(group: type[Any]) -> type[Any]:
    """Give a group a field for each parameter of the methods: None is not given."""
    for name, hint in options().items():
        group.__annotations__[name] = hint
        setattr(group, name, None)
    return group


@dataclass
@_with_parameters
class Learning:
    """What was given of the learner and its parameters; None is not given."""

    title: ClassVar[str] = "Learner"

    learner: Annotated[
        str | None,
        Option(help=f"{listed(METHODS, 'or')}. {DEMANDS}", show_default=DEFAULT, autocompletion=learners),
    ] = None

    map: Annotated[
        str | None,
        Option(
            help="Keep weights for features that approximate the kernel, such as 'RandomFourier(4096)': a "
            "model of fixed size.",
            show_default="none",
        ),
    ] = None

    @property
    def name(self) -> str | None:
        """The name of the learner that was given, as `METHODS` has it."""
        from kerneltron.learning.methods import short_name

        return None if self.learner is None else short_name(self.learner)

    def parameters(self) -> dict[str, Any]:
        """Return the parameters that were given, by the names that methods have for them."""
        apart = ("learner", "map")
        named = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in apart}
        given = {name: value for name, value in named.items() if value is not None}
        if self.map is not None:
            if "representation" in given:
                raise ValueError("a map is a representation: give `map` or `representation`, not both.")
            given["representation"] = parsed_map(self.map)
        if "class_weight" in given and given["class_weight"] != "balanced":
            given["class_weight"] = weights(given["class_weight"])
        return given


def parsed_map(text: str) -> Any:
    """Read a map that approximates a kernel; the error says what a map is."""
    from kerneltron.maps.text import parse

    return parse(text)


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
            raise ValueError(
                f"--class-weight: {weight!r}, the weight of {label!r}, is not a number."
            ) from None
    return read
