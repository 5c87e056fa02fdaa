"""Hashers, and pipelines of a hasher and a learner, as contents of a file; and models of streams as such."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sklearn.pipeline import Pipeline

from kerneltron.estimators.classifier import Classifier
from kerneltron.estimators.making import fitted
from kerneltron.estimators.saving import state_of_learner
from kerneltron.features.hasher import STRINGS, Hasher
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.stream_model import StreamModel, names_in
from kerneltron.stream import formats
from kerneltron.stream.formats.columns import FEATURES, ROLES
from kerneltron.stream.formats.tabular import Tabular
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.names import NameIndex

STEPS = ["hasher", "learner"]  # of a model of a stream


def includes(thing: Any) -> bool:
    """Tell whether a pipeline is one of a hasher and one of our learners, under whichever names."""
    if type(thing) is not Pipeline or len(thing.steps) != 2:
        return False
    hasher, learner = (step for _, step in thing.steps)
    return (
        type(hasher) is Hasher
        and isinstance(learner, Classifier)
        and type(learner).__module__ == "kerneltron"
    )


def state_of_hasher(hasher: Hasher) -> Contents:
    """Return what is to be saved of a hasher."""
    hasher.fit()
    columns = None if hasher.columns is None else dict(hasher.columns)
    header = {"hashing": hasher.hashing.to_json(), "columns": columns, "strings": hasher.strings}
    if hasattr(hasher, "columns_"):
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
            raise ModelFileError(f"{str(role)[:20]!r} is not a role for the column {name[:20]!r}")
    return dict(columns)


def state(pipeline: Pipeline, resumable: bool = True) -> Contents:
    """Return what is to be saved of a pipeline."""
    (first, hasher), (last, learner) = pipeline.steps
    contents = Contents({"steps": [first, last]}, {}).with_part("hasher", state_of_hasher(hasher))
    return contents.with_part("learner", state_of_learner(learner, resumable))


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
        format = formats.restored(contents.part("reading").header)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"the format of the examples cannot be told: {error}") from error
    index = names_in(contents, Hashing.from_json(contents.part("hashing").header))
    hasher = _hasher(contents, **_as_read(format))
    pipeline = _pipeline(STEPS, hasher, contents.part("learner"))
    learner = pipeline[-1]
    examples = contents.whole("examples")
    learner.stream_ = Stream(hasher.hashing, format, index, examples, _clock(learner))
    return pipeline


class Stream(NamedTuple):
    """How the examples of a model of the command line were read, and how far it was when it was loaded."""

    hashing: Hashing
    format: Any
    names: NameIndex | None
    examples: int
    clock: int

    def model(self, learner: Learner, asked: Method | None = None) -> StreamModel:
        """Return the model of the command line that a learner is now."""
        return StreamModel(learner, self.hashing, self.format, self.names, self.examples, asked)


def includes_stream(thing: Any) -> bool:
    """Tell whether a pipeline is what `restore_stream` returned, and still reads examples as then."""
    if not includes(thing) or [name for name, _ in thing.steps] != STEPS:
        return False
    hasher, stream = thing[0], getattr(thing[-1], "stream_", None)
    if stream is None or not thing[-1].__sklearn_is_fitted__():
        return False
    as_read = _as_read(stream.format)
    return bool(
        hasher.hashing == stream.hashing
        and hasher.columns == as_read["columns"]
        and hasher.strings == as_read["strings"]
    )


def state_of_stream(pipeline: Pipeline, resumable: bool = True) -> Contents:
    """Return what `kerneltron train` would have saved: names and format are kept."""
    classifier = pipeline[-1]
    stream = classifier.stream_
    model: StreamModel = stream.model(classifier.learner_, classifier._method())
    model.examples += _clock(classifier) - stream.clock
    return model.contents(resumable)


def _clock(classifier: Classifier) -> int:
    """Return how many examples the model of a classifier has seen."""
    return classifier.model_.ticks if classifier.__sklearn_is_fitted__() else 0


def _as_read(format: Any) -> dict[str, Any]:
    """Return the parameters of a hasher that reads examples as the files of this format are read."""
    if isinstance(format, Tabular):
        roles = {name: role if role in FEATURES else "ignore" for name, role in format.roles.items()}
        return {"columns": roles, "strings": "text"}
    return {"columns": None, "strings": format.name}


def _hasher(contents: Contents, **more: Any) -> Hasher:
    try:
        settings = Hashing.from_json(contents.part("hashing").header).to_json()
        return Hasher(**settings, **more).fit()
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"the settings of the hasher do not fit: {error}") from error


def _pipeline(names: list[str], hasher: Hasher, contents: Contents) -> Pipeline:
    learner = Learner.restore(contents)
    if learner.has_model and learner.inputs != 1 << hasher.bits:
        raise ModelFileError(f"the learner does not have the {1 << hasher.bits:,} slots of the hasher")
    return Pipeline(list(zip(names, (hasher, fitted(learner)), strict=True)))
