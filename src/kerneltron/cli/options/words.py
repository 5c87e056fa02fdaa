"""Options that say how words become features."""

from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar

from typer import Option

from kerneltron.stream.for_texts import BITS, BITS_OF_MANY, NGRAMS

AsText = Annotated[
    bool | None,
    Option(
        "--text/--no-text",
        help="Take options that are not given as they suit texts, or other data.",
        show_default="by the first examples",
        rich_help_panel="Features",
    ),
]


@dataclass
class Words:
    """What was given of `kerneltron.stream.hashing.Hashing`'s settings, and of scaling; None is not given."""

    title: ClassVar[str] = "Features"

    bits: Annotated[
        int | None,
        Option(
            help="There are 2^bits slots for features.",
            show_default=f"18; {BITS} for texts of two classes, {BITS_OF_MANY} of more",
        ),
    ] = None
    binary: Annotated[
        bool | None,
        Option(
            "--binary/--counts", help="A word appears or not; or words are counted.", show_default="counts"
        ),
    ] = None
    damped: Annotated[
        bool | None,
        Option(
            "--damped/--no-damped",
            help="A word that comes n times counts log(1 + n).",
            show_default="no; yes for texts",
        ),
    ] = None
    normalize: Annotated[
        bool | None,
        Option(
            "--normalize/--no-normalize",
            help="Bring examples to length 1.",
            show_default="no; yes for texts",
        ),
    ] = None
    ngrams: Annotated[
        int | None,
        Option(help="Groups of up to this many neighbouring words.", show_default=f"1; {NGRAMS} for texts"),
    ] = None
    skips: Annotated[int | None, Option(help="How many words a group may leap over.", show_default="0")] = (
        None
    )
    copies: Annotated[int | None, Option(help="Hash each feature this many times.", show_default="1")] = None
    cross: Annotated[
        list[str] | None,
        Option(help="Pairs of namespaces or columns whose features are paired, as 'user*text'. Repeatable."),
    ] = None
    only_crossed: Annotated[
        list[str] | None,
        Option(help="A namespace or column of --cross that is no feature by itself. Repeatable."),
    ] = None
    lowercase: Annotated[
        bool | None,
        Option("--lowercase/--no-lowercase", help="Do not distinguish A from a.", show_default="yes"),
    ] = None
    scale: Annotated[
        bool | None,
        Option(
            "--scale/--no-scale",
            help="Bring numbers to one scale, learned on the way: mean 0 and variance 1 where every example "
            "has them. Words stay as they are.",
            show_default="where numbers are among the first examples, and the learner has no kernel",
        ),
    ] = None

    def settings(self) -> dict[str, Any]:
        """Return the settings of hashing that were given."""
        named = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "scale"}
        given = {name: value for name, value in named.items() if value is not None and value != []}
        for name in ("cross", "only_crossed"):
            if name in given:
                given[name] = tuple(given[name])
        return given
