"""What is learned with where it was not said: settings that suit texts, or other data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from kerneltron.learning.method import Method
from kerneltron.learning.methods import method, on_stream, stream_defaults
from kerneltron.models.hypotheses import hypothesis
from kerneltron.stream.for_texts import settings_for
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.looking import FirstLook

# Where examples are remembered or mapped, nothing is chosen: passes cost far more there.
KERNELS = ("kernel", "representation", "delta", "budget", "eta", "sketch")


@dataclass(frozen=True)
class Chosen:
    """What was chosen, and why.

    Parameters
    ----------
    settings
        By parameter, of the hashing and then of the learner: those that differ from the defaults for other
        data than texts.
    because
        The reason.
    scales
        Whether numbers are brought to one scale.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    because: str = ""
    scales: bool = False


def choose(
    name: str,
    words: Mapping[str, Any],
    parameters: Mapping[str, Any],
    look: Callable[[], FirstLook],
    is_text: bool | None = None,
    scale: bool | None = None,
) -> tuple[Method, Hashing, Chosen]:
    """Return how to learn, and how words become features. What was given stays as it is.

    Parameters
    ----------
    name
        Of the learner.
    words, parameters
        Settings of the hashing and of the learner that were given.
    look
        Returns what the first examples look like; called where that matters.
    is_text
        Whether the examples are texts; None: their first ones tell.
    scale
        Whether numbers are brought to one scale; None: where the first examples have some, also beside
        texts.
    """
    kind = method(name)
    is_linear = _is_linear(parameters)
    seen = FirstLook()
    if is_text or (is_linear and kind.on_texts and None in (is_text, scale)):
        seen = look()
        is_text = seen.is_text if is_text is None else is_text
    suiting = settings_for(len(seen.labels)) if is_text else {}
    is_scaled = bool(scale)
    if scale is None and seen.has_numbers and not (words.get("normalize") or words.get("binary")):
        is_scaled = True
    if "binary" in words:
        suiting.pop("damped", None)
    suiting = {setting: value for setting, value in suiting.items() if setting not in words}
    hashing = Hashing(**{"signed": not kind.non_negative_only, **suiting, **words})
    cases = (hashing.normalize, bool(is_text), is_scaled) if is_linear else ()
    asked, plain = on_stream(name, parameters, *cases), stream_defaults(kind)
    learned = {
        each: getattr(asked, each)
        for each in special_settings(kind)
        if each not in parameters and getattr(asked, each) != plain[each]
    }
    because = "numbers are brought to one scale" if is_scaled else "rows of length 1"
    if is_scaled and scale is None:
        suiting = {**suiting, "scale": True}
    if suiting:
        because = _reason(seen, _kind_of(is_text, is_scaled and seen.has_numbers))
    return asked, hashing, Chosen({**suiting, **learned}, because, is_scaled)


def as_before(options: Mapping[str, Any], name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings that `choose` chose, or not, for a training with these options; see `Job.options`.

    Those of the hashing, and those of the learner.
    """
    kind = method(name)
    words = {each.name: options[each.name] for each in fields(Hashing) if each.name in options}
    words.pop("signed", None)
    return words, {each: options[each] for each in special_settings(kind) if each in options}


def special_settings(kind: type[Method]) -> list[str]:
    """Return the parameters of a method that have other defaults where streams are special."""
    return list(dict.fromkeys([*kind.on_unit_rows, *kind.on_texts, *kind.on_scaled_numbers]))


def _is_linear(parameters: Mapping[str, Any]) -> bool:
    """Return whether a learner with these parameters keeps weights of features, and no examples."""
    remembers = "hypothesis" in parameters and hypothesis(parameters["hypothesis"]).keeps_moves
    return not remembers and not any(parameter in parameters for parameter in KERNELS)


def _kind_of(is_text: bool | None, has_numbers: bool) -> str:
    if not is_text:
        return "numbers"
    return "texts with numbers" if has_numbers else "texts"


def _reason(seen: FirstLook, kind: str = "texts") -> str:
    share = f"{100 * seen.words / seen.features:.0f} %" if seen.features else "none"
    return f"as suits {kind}: {share} of the features of the first {seen.examples} examples are words"
