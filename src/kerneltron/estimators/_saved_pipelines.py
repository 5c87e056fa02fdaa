"""Hashers, and pipelines of a hasher and a learner, as contents of a file; and models of streams as such."""

from collections.abc import Mapping
from typing import Any

from sklearn.pipeline import Pipeline

import kerneltron.learning.state as learners
from kerneltron.features.hasher import STRINGS, Hasher
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning.methods import METHODS
from kerneltron.learning.stream_model import StreamModel, names_in
from kerneltron.stream import formats
from kerneltron.stream.formats.columns import FEATURES, ROLES
from kerneltron.stream.formats.tabular import Tabular
from kerneltron.stream.hashing import Hashing

LEARNERS = tuple(estimator for _, estimator in METHODS.values())
STEPS = ["hasher", "learner"]  # of a model of a stream


def includes(thing: Any) -> bool:
    """Tell whether a pipeline is one of a hasher and one of our learners, under whichever names."""
    if type(thing) is not Pipeline or len(thing.steps) != 2:
        return False
    hasher, learner = (step for _, step in thing.steps)
    return type(hasher) is Hasher and type(learner).__name__ in LEARNERS


def state_of_hasher(hasher: Hasher) -> Contents:
    """Return what is to be saved of a hasher."""
    hasher.fit()
    columns = None if hasher.columns is None else dict(hasher.columns)
    header = {"hashing": hasher.hashing.to_json(), "columns": columns, "strings": hasher.strings}
    if "columns_" in vars(hasher):
        header["columns_"] = dict(hasher.columns_)
    return Contents(header, {})


def restore_hasher(contents: Contents) -> Hasher:
    """Return the hasher that `state_of_hasher` described."""
    columns = contents.header.get("columns")
    hasher = _hasher(contents, columns=columns, strings=contents.text("strings", STRINGS))
    if "columns_" in contents.header:
        hasher.columns_ = _roles(contents.part("columns_").header)
    return hasher


def _roles(columns: Mapping[str, Any]) -> dict[str, str]:
    for name, role in columns.items():
        if role not in ROLES:
            raise ModelFileError(f"{str(role)[:20]!r} is no role for the column {name[:20]!r}")
    return dict(columns)


def state(pipeline: Pipeline, resumable: bool = True) -> Contents:
    """Return what is to be saved of a pipeline."""
    (first, hasher), (last, learner) = pipeline.steps
    contents = Contents({"steps": [first, last]}, {}).with_part("hasher", state_of_hasher(hasher))
    return contents.with_part("learner", learners.state(learner, resumable))


def restore(contents: Contents) -> Pipeline:
    """Return the pipeline; raise unless its parts fit each other."""
    names = contents.items("steps")
    if len(names) != 2 or not all(isinstance(name, str) for name in names) or names[0] == names[1]:
        raise ModelFileError("a pipeline has two steps with different names")
    return _pipeline(names, restore_hasher(contents.part("hasher")), contents.part("learner"))


def restore_stream(contents: Contents) -> Pipeline:
    """Return a model that `kerneltron train` saved as a pipeline that predicts the same of raw examples.

    For formats with columns, an example is a dict of columns (or a string, if one of them alone is text);
    for the others it is a line of the format, or a list of names `namespace^name`.
    """
    try:
        form = formats.restored(contents.part("reading").header)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"the format of the examples cannot be told: {error}") from error
    index = names_in(contents, Hashing.from_json(contents.part("hashing").header))
    hasher = _hasher(contents, **_as_read(form))
    pipeline = _pipeline(STEPS, hasher, contents.part("learner"))
    stream = {"hashing": hasher.hashing, "form": form, "names": index, "examples": contents.whole("examples")}
    vars(pipeline[-1]).update(stream_=stream, stream_clock_=_clock(pipeline[-1]))
    return pipeline


def includes_stream(thing: Any) -> bool:
    """Tell whether a pipeline is what `restore_stream` returned, and still reads examples as then."""
    if not includes(thing) or [name for name, _ in thing.steps] != STEPS:
        return False
    hasher, stream = thing[0], vars(thing[-1]).get("stream_")
    if stream is None or "model_" not in vars(thing[-1]):
        return False
    as_read = _as_read(stream["form"])
    return bool(
        hasher.hashing == stream["hashing"]
        and hasher.columns == as_read["columns"]
        and hasher.strings == as_read["strings"]
    )


def state_of_stream(pipeline: Pipeline, resumable: bool = True) -> Contents:
    """Return what `kerneltron train` would have saved: names and format are kept."""
    there = vars(pipeline[-1])
    model = StreamModel(pipeline[-1], **there["stream_"])
    model.examples += _clock(pipeline[-1]) - there["stream_clock_"]
    return model.contents(resumable)


def _clock(learner: Any) -> int:
    """Return how many examples the model of a learner has seen."""
    return int(vars(learner)["model_"].weights.clock.max()) if "model_" in vars(learner) else 0


def _as_read(form: Any) -> dict[str, Any]:
    """Return the parameters of a hasher that reads examples as the files of this format are read."""
    if isinstance(form, Tabular):
        roles = {name: role if role in FEATURES else "ignore" for name, role in form.roles.items()}
        return {"columns": roles, "strings": "text"}
    return {"columns": None, "strings": form.name}


def _hasher(contents: Contents, **more: Any) -> Hasher:
    try:
        settings = Hashing.from_json(contents.part("hashing").header).to_json()
        return Hasher(**settings, **more).fit()
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"the settings of the hasher do not fit: {error}") from error


def _pipeline(names: list[str], hasher: Hasher, contents: Contents) -> Pipeline:
    import kerneltron

    kind = getattr(kerneltron, contents.text("kind", LEARNERS))
    learner = learners.restore(contents, kind)
    if "model_" in vars(learner) and vars(learner).get("n_features_in_") != 1 << hasher.bits:
        raise ModelFileError(f"the learner has not the {1 << hasher.bits:,} slots that the hasher has")
    return Pipeline(list(zip(names, (hasher, learner), strict=True)))
