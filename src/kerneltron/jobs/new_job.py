"""A job for a learner that is new: what was not given is chosen by a first look at the examples."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kerneltron.jobs.choosing import as_before, choose
from kerneltron.jobs.job import ROOM, Job
from kerneltron.learning.learner import Learner
from kerneltron.learning.scaler_choice import scaler_of_stream
from kerneltron.stream.formats.format import Format
from kerneltron.stream.looking import FirstLook
from kerneltron.stream.origins import Origin


def new_job(
    name: str,
    given: Mapping[str, Any],
    words: Mapping[str, Any],
    sources: Sequence[Origin],
    format: Format,
    look: Callable[[], FirstLook],
    is_text: bool | None = None,
    scale: bool | None = None,
    before: Mapping[str, Any] | None = None,
) -> Job:
    """Return the training of a learner from its beginning, for the command line and for `cluster.fit`.

    Parameters
    ----------
    name
        Of the learner.
    given, words
        Settings of the learner and of the hashing that were given.
    sources, format
        Where the examples are, and how they are read.
    look
        Returns what the first examples look like.
    is_text, scale
        Whether the examples are texts, and whether numbers are brought to one scale; None: `look` tells.
    before
        The options of a training that is taken up again: what is not given is as it was then.
    """
    parameters = given
    if before is not None:
        words_before, parameters_before = as_before(before, name)
        words, parameters, is_text = {**words_before, **words}, {**parameters_before, **given}, False
        scale = bool(before.get("scale")) if scale is None else scale
    method, hashing, chosen = choose(name, words, parameters, look, is_text, scale)
    learner = Learner(method, hashing.slots)
    if chosen.scales:
        learner.scaler = scaler_of_stream(hashing, method)
        hashing = replace(hashing, normalize=False)  # the scaler does so
    job = Job(learner, hashing, format, sources, chosen=chosen)
    job.room = ROOM if "passes" not in given else None
    return job
