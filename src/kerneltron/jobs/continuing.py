"""A trained model that shall go on learning: what may change between two trainings, and what may not."""

from collections.abc import Mapping
from typing import Any

from kerneltron.learning.methods import method, short_name
from kerneltron.learning.state import name_of
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.hashing import Hashing

# Parameters of the passes, not of what is learned.
FREE = ("passes", "shuffle", "random_state", "early_stopping", "validation_fraction", "patience")
FIRST = {"passes": 1, "early_stopping": False}  # those of the last training shall not be repeated unasked


def check_hashing(hashing: Hashing, given: Mapping[str, Any]) -> None:
    """Raise, naming the difference, if settings were given that are not those of a model."""
    differing = hashing.differences(Hashing(**{**hashing.to_json(), **given}))
    if differing:
        raise ValueError(
            f"the model was trained with other hash settings ({'; '.join(differing)}): its weights mean "
            "nothing under these. Leave them out: they are kept with the model."
        )


def check_continues(model: StreamModel, learner: str | None, given: Mapping[str, Any]) -> None:
    """Raise, naming the difference, unless a model can go on learning with what was given for it."""
    if not model.is_resumable:
        raise ValueError(
            "the model only predicts: what learning needs was left out when it was saved. Train it again "
            "without --prediction-only."
        )
    own = short_name(name_of(model.method))
    if learner is not None and method(learner) is not type(model.method):
        raise ValueError(f"the model was trained by {own}, not by {learner}: leave --learner out.")
    for name, value in given.items():
        if not hasattr(model.method, name):
            raise ValueError(f"the model was trained by {own}, which has no {name}.")
        before = getattr(model.method, name)
        if name not in FREE and before != value:
            raise ValueError(f"the model was trained with {name}={before!r}, not {value!r}: leave it out.")


def continued(model: StreamModel, given: Mapping[str, Any]) -> None:
    """Set what was given for another training; see `check_continues`."""
    for name, value in {**FIRST, **given}.items():
        setattr(model.method, name, value)
    model.method._check_parameters()
