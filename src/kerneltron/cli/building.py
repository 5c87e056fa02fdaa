"""From options to what they describe."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from kerneltron.cli.options.learning import Learning
from kerneltron.cli.options.reading import Reading
from kerneltron.cli.options.words import Words
from kerneltron.jobs.continuing import check_continues, check_hashing, check_scale, continued
from kerneltron.jobs.job import Job
from kerneltron.jobs.new_job import new_job
from kerneltron.learning.methods import DEFAULT
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.formats.finding import format_for, format_like
from kerneltron.stream.labels import Labels
from kerneltron.stream.looking import first_look
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
        check_hashing(model, words.settings())
        check_scale(model.learner, words.scale)
        continued(model, given)
        format = format_like(model.format, sources, reading.declared(), labelled=True)
        job = Job(model.learner, model.hashing, format, sources, before=model)
        job.keep_names = model.names is not None
    else:
        declared = reading.declared()
        look = partial(first_look, sources, format_for(sources, declared))
        job = new_job(
            learning.name or DEFAULT,
            given,
            words.settings(),
            sources,
            format_for(sources, declared),
            look,
            is_text,
            words.scale,
            before,
        )
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
