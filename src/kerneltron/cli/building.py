"""From options to what they describe."""

from collections.abc import Sequence

from kerneltron.cli.options.learning import Learning
from kerneltron.cli.options.reading import Reading
from kerneltron.cli.options.words import Words
from kerneltron.jobs.continuing import check_continues, check_hashing, check_scale, continued
from kerneltron.jobs.job import Job
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import DEFAULT, on_stream
from kerneltron.learning.scale import scale_for
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.formats.finding import format_for, format_like
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader, Wanted
from kerneltron.stream.sources import expand


def job_for(
    inputs: Sequence[str], learning: Learning, words: Words, reading: Reading, from_model: str | None = None
) -> Job:
    """Return the training that options describe."""
    sources, given = expand(inputs), learning.parameters()
    if from_model is not None:
        before = StreamModel.load(from_model)
        check_continues(before, learning.name, given)
        check_hashing(before.hashing, words.settings())
        check_scale(before.learner, words.scale)
        continued(before, given)
        format = format_like(before.format, sources, reading.declared(), labelled=True)
        job = Job(before.learner, before.hashing, format, sources, before=before)
        job.keep_names = before.names is not None
    else:
        name = learning.name or DEFAULT
        method = on_stream(name, given)
        hashing = Hashing(signed=not method.non_negative_only, **words.settings())
        job = Job(Learner(method, hashing.slots), hashing, format_for(sources, reading.declared()), sources)
        if words.scale:
            job.learner.scale = scale_for(hashing, method)
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
        Labels(),
        wanted=Wanted(tags=not labelled),
        skip_faults=reading.skips_faults,
        record_limit=reading.record_limit,
    )
