"""From the parameters of the learning methods to options: their order, types, help and defaults."""

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass
from typing import Annotated, Any, NamedTuple, get_args

from typer import Option

from kerneltron.learning.methods import METHODS, method, stream_defaults
from kerneltron.learning.parameters import KEY, Parameter, own_first

FIRST = ("passes", "hypothesis")  # what one looks for first, whatever the learner
PLAIN = (bool, int, float, str)  # types that can be written on a command line


class Having(NamedTuple):
    """What a learner says of a parameter: the field, the default on a stream, and whether that is another.

    `cases` are the defaults where streams are special.
    """

    field: Field[Any]
    default: Any
    differs: bool
    cases: Mapping[str, Any]

    @property
    def about(self) -> Parameter:
        """The description."""
        about: Parameter = self.field.metadata[KEY]
        return about

    @property
    def shown(self) -> str:
        """The default, as help shows it."""
        text = self.about.brief_default or _shown(self.default)
        values = _grouped({case: _shown(value) for case, value in self.cases.items()})
        cases = "".join(f", or {value} {' and '.join(cases)}" for value, cases in values.items())
        return f"{text}{cases} ({_shown(self.field.default)} in Python)" if self.differs else f"{text}{cases}"


@dataclass
class Offered:
    """A parameter as the command line offers it, and what each learner that has it says of it."""

    name: str
    learners: dict[str, Having]

    @property
    def first(self) -> Having:
        """What the first learner says that has it."""
        return next(iter(self.learners.values()))

    @property
    def tier(self) -> int:
        """Where it stands in the help: what few learners have comes first, what all have last."""
        if self.name in FIRST:
            return FIRST.index(self.name) - len(FIRST)
        return (2 * len(self.learners) > len(METHODS)) + (len(self.learners) == len(METHODS))

    @property
    def type(self) -> Any:
        """Its type on the command line: that of the annotation, or text where that allows anything."""
        annotation = self.first.field.type
        plain = [each for each in (get_args(annotation) or (annotation,)) if each in PLAIN]
        return self.first.about.brief_type or (plain[0] if plain else str)

    @property
    def help(self) -> str:
        """What it does, and for which learners, where not all have it."""
        texts = _grouped({learner: each.about.brief for learner, each in self.learners.items()})
        return " ".join(f"{text}{self._for(having)}" for text, having in texts.items())

    def _for(self, having: list[str]) -> str:
        missing = [learner for learner in METHODS if learner not in having]
        if not missing:
            return ""
        if len(missing) < len(having) and len(having) == len(self.learners):
            return f" Not for {listed(missing, 'or')}."
        return f" For {listed(having, 'and')}."

    @property
    def default(self) -> str:
        """The default on a stream, for each learner where they differ."""
        texts = _grouped({learner: each.shown for learner, each in self.learners.items()})
        if len(texts) == 1:
            return next(iter(texts))
        return "; ".join(f"{text} for {listed(having, 'and')}" for text, having in texts.items())

    def hint(self) -> Any:
        """Return the annotation from which typer makes the option."""
        flag = self.name.replace("_", "-")
        written = f"--{flag}/--no-{flag}" if self.type is bool else f"--{flag}"
        return Annotated[self.type | None, Option(written, help=self.help, show_default=self.default)]


def options() -> dict[str, Any]:
    """Return the annotations of all parameters that the command line offers, in the order of the help."""
    found: dict[str, Offered] = {}
    for learner in METHODS:
        method_type = method(learner)
        defaults = stream_defaults(method_type)
        for each in own_first(method_type):
            cases = {
                case: special[each.name]
                for case, special in (
                    ("where rows have length 1", method_type.on_unit_rows),
                    ("on texts", method_type.on_texts),
                    ("where numbers are scaled", method_type.on_scaled_numbers),
                )
                if each.name in special
            }
            having = Having(each, defaults[each.name], each.name in method_type.on_streams, cases)
            if having.about.brief:
                found.setdefault(each.name, Offered(each.name, {})).learners[learner] = having
    return {each.name: each.hint() for each in sorted(found.values(), key=lambda each: each.tier)}


def listed(names: Iterable[str], last: str) -> str:
    """Return names in a sentence.

    Examples
    --------
    >>> listed(["mira", "romma", "winnow"], "or")
    'mira, romma or winnow'
    """
    *some, final = names
    return f"{', '.join(some)} {last} {final}" if some else final


def _grouped(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the different texts, each with the learners, or cases, that have it."""
    groups: dict[str, list[str]] = {}
    for learner, text in texts.items():
        groups.setdefault(text, []).append(learner)
    return groups


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
