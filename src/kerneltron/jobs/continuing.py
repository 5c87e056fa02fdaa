"""A trained model that shall go on learning: what may change between two trainings, and what may not."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method, short_name, stream_defaults
from kerneltron.learning.parameters import parameters_of
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.hashing import Hashing

ANEW = ("passes", "early_stopping")  # those of the last training shall not be repeated unasked


def as_requested(hashing: Hashing, learner: Learner) -> Hashing:
    """Return the settings that were requested: behind a scaler, it brings rows to length 1."""
    has_unit_rows = learner.scaler is not None and learner.scaler.unit_rows
    return replace(hashing, normalize=True) if has_unit_rows else hashing


def check_hashing(model: StreamModel, given: Mapping[str, Any]) -> None:
    """Raise, naming the difference, if settings were given that are not those of a model."""
    hashing = as_requested(model.hashing, model.learner)
    differing = hashing.differences(Hashing(**{**hashing.to_json(), **given}))
    if differing:
        raise ValueError(
            f"the model was trained with other hash settings ({'; '.join(differing)}): its weights mean "
            "nothing under these. Leave them out: they are kept with the model."
        )


def check_scale(learner: Learner, given: bool | None) -> None:
    """Raise if scaling was asked for, or refused, and a trained learner does the opposite."""
    if given is not None and given != (learner.scaler is not None):
        raise ValueError(
            f"the model was trained {'without' if given else 'with'} `scale`, and its weights are for such "
            "rows: leave it out, or train anew."
        )


def check_continues(model: StreamModel, learner: str | None, given: Mapping[str, Any]) -> None:
    """Raise, naming the difference, unless a model can go on learning with what was given for it."""
    if not model.is_resumable:
        raise ValueError(
            "the model only predicts: what learning needs was left out when it was saved. Train it again "
            "without `resumable=False`."
        )
    asked, own = model.learner.method, short_name(model.learner.name)
    if learner is not None and method(learner) is not type(asked):
        raise ValueError(f"the model was trained by {own}, not by {learner}: leave `learner` out.")
    known = parameters_of(asked)
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"the model was trained by {own}, which has no {name}.")
        before = getattr(asked, name)
        if not known[name].of_training and before != value:
            raise ValueError(f"the model was trained with {name}={before!r}, not {value!r}: leave it out.")


def continued(model: StreamModel, given: Mapping[str, Any]) -> None:
    """Set what was given for another training; see `check_continues`."""
    before = model.learner.method
    defaults = stream_defaults(type(before))
    model.learner.method = replace(before, **{**{name: defaults[name] for name in ANEW}, **given})
    model.learner.method.check()
