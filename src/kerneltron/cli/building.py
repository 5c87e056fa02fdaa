"""From options to what they describe."""

from collections.abc import Mapping, Sequence
from typing import Any

from kerneltron.cli.options.learning import Learning
from kerneltron.cli.options.reading import Reading
from kerneltron.cli.options.words import Words
from kerneltron.jobs.choosing import as_before, choose
from kerneltron.jobs.continuing import check_continues, check_hashing, check_scale, continued
from kerneltron.jobs.job import ROOM, Job
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import DEFAULT
from kerneltron.learning.scale import scale_for
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.formats.finding import format_for, format_like
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader, Wanted
from kerneltron.stream.sources import expand


def job_for(
    inputs: Sequence[str],
    learning: Learning,
    words: Words,
    reading: Reading,
    from_model: str | None = None,
    is_text: bool | None = None,
    before: Mapping[str, Any] | None = None,
) -> Job:
    """Return the training that options describe.

    `before` are the options of a training that is taken up again: what is not given is as it was then.
    """
    sources, given = expand(inputs), learning.parameters()
    if from_model is not None:
        model = StreamModel.load(from_model)
        check_continues(model, learning.name, given)
        check_hashing(model.hashing, words.settings())
        check_scale(model.learner, words.scale)
        continued(model, given)
        format = format_like(model.format, sources, reading.declared(), labelled=True)
        job = Job(model.learner, model.hashing, format, sources, before=model)
        job.keep_names = model.names is not None
    else:
        name, format = learning.name or DEFAULT, format_for(sources, reading.declared())
        settings, parameters, scale = words.settings(), given, words.scale
        if before is not None:
            earlier = as_before(before, name)
            settings, parameters, is_text = {**earlier[0], **settings}, {**earlier[1], **given}, False
            scale = bool(before.get("scale")) if scale is None else scale
        looked_at = format_for(sources, reading.declared())
        method, hashing, chosen = choose(name, settings, parameters, sources, looked_at, is_text, scale)
        job = Job(Learner(method, hashing.slots), hashing, format, sources, chosen=chosen)
        if chosen.scales:
            job.learner.scale = scale_for(hashing, method)
        job.room = ROOM if "passes" not in given else None
    job.skip_faults = reading.skips_faults
    job.record_limit = reading.record_limit
    return job


def reader_for(model: StreamModel, inputs: Sequence[str], reading: Reading, labelled: bool) -> Reader:
    """Return a reader of examples that a model shall predict."""
    sources = expand(inputs)
    format = format_like(model.format, sources, reading.declared(), labelled)
    return Reader(
        sources,
        format,
        model.hashing,
        Labels(classes=model.learner.known if labelled else None),
        wanted=Wanted(tags=not labelled),
        skip_faults=reading.skips_faults,
        record_limit=reading.record_limit,
    )
