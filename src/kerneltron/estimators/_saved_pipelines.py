"""Hashers, pipelines of our transformers and a learner, and models of streams, as contents of a file."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sklearn.pipeline import Pipeline

from kerneltron.estimators import _saved_scalers
from kerneltron.estimators.classifier import Classifier
from kerneltron.estimators.making import fitted
from kerneltron.estimators.saving import state_of_learner
from kerneltron.features.hasher import STRINGS, Hasher
from kerneltron.features.scaler import Scaler
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.stream_model import StreamModel, names_in
from kerneltron.scaling.column_scaler import ColumnScaler
from kerneltron.stream import formats
from kerneltron.stream.formats.columns import FEATURES, ROLES
from kerneltron.stream.formats.tabular import Tabular
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.names import NameIndex

STEPS = ["hasher", "learner"]  # of a model of a stream
SCALED_STEPS = ["hasher", "scaler", "learner"]  # of one that scales


def includes(thing: Any) -> bool:
    """Return whether a pipeline is one of a hasher, a scaler or both, and one of our learners."""
    if type(thing) is not Pipeline or len(thing.steps) < 2:
        return False
    *before, learner = (step for _, step in thing.steps)
    return (
        [type(step) for step in before] in BEFORE
        and isinstance(learner, Classifier)
        and type(learner).__module__ == "kerneltron"
    )


def state_of_hasher(hasher: Hasher) -> Contents:
    """Return what is to be saved of a hasher."""
    hasher.fit()
    columns = None if hasher.columns is None else dict(hasher.columns)
    header: dict[str, Any] = {
        "hashing": hasher.hashing.to_json(),
        "columns": columns,
        "strings": hasher.strings,
    }
    if hasattr(hasher, "columns_"):
        header["columns_"] = dict(hasher.columns_)
    if hasattr(hasher, "common_columns_"):
        header["common_columns"] = list(hasher.common_columns_)
    return Contents(header, {})


def restore_hasher(contents: Contents) -> Hasher:
    """Return the hasher that `state_of_hasher` described."""
    columns = contents.header.get("columns")
    hasher = _hasher(contents, columns=columns, strings=contents.text("strings", STRINGS))
    if "columns_" in contents.header:
        hasher.columns_ = _roles(contents.part("columns_").header)
    if "common_columns" in contents.header:  # not in files of older versions
        hasher.common_columns_ = [str(name) for name in contents.items("common_columns")]
    return hasher


def _roles(columns: Mapping[str, Any]) -> dict[str, str]:
    for name, role in columns.items():
        if role not in ROLES:
            raise ModelFileError(f"{str(role)[:20]!r} is not a role for the column {name[:20]!r}")
    return dict(columns)


def state(pipeline: Pipeline, resumable: bool = True) -> Contents:
    """Return what is to be saved of a pipeline."""
    contents = Contents({"steps": [name for name, _ in pipeline.steps]}, {})
    for _, step in pipeline.steps[:-1]:
        kind = TRANSFORMERS[type(step)]
        contents = contents.with_part(kind.part, kind.state(step))
    return contents.with_part("learner", state_of_learner(pipeline[-1], resumable))


def restore(contents: Contents) -> Pipeline:
    """Return the pipeline; raise unless its parts fit each other."""
    names = contents.items("steps")
    kinds = [kind for kind in TRANSFORMERS.values() if kind.part in contents.header]
    are_names = all(isinstance(name, str) for name in names) and len(set(map(str, names))) == len(names)
    if not kinds or len(names) != len(kinds) + 1 or not are_names:
        raise ModelFileError("a pipeline has a name of its own for each of its steps, and a transformer")
    steps = [kind.restore(contents.part(kind.part)) for kind in kinds]
    return _pipeline(names, steps, contents.part("learner"))


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
    if isinstance(format, Tabular):
        hasher.common_columns_ = [name for name, role in format.roles.items() if role in FEATURES]
    pipeline = _pipeline(STEPS, [hasher], contents.part("learner"))
    learner = pipeline[-1]
    scaler = learner.learner_.scaler
    if scaler is not None:
        learner.learner_.scaler = None  # it is a step of its own
        pipeline.steps.insert(1, (SCALED_STEPS[1], _scaler(scaler)))
    examples = contents.whole("examples")
    learner.stream_ = Stream(hasher.hashing, format, index, scaler, examples, _clock(learner))
    return pipeline


class Stream(NamedTuple):
    """How the examples of a model of the command line were read, and how far it was when it was loaded."""

    hashing: Hashing
    format: Any
    names: NameIndex | None
    scaler: ColumnScaler | None
    examples: int
    clock: int

    def model(self, learner: Learner, asked: Method | None = None) -> StreamModel:
        """Return the model of the command line that a learner is now."""
        learner = learner.shell()
        learner.scaler = self.scaler
        return StreamModel(learner, self.hashing, self.format, self.names, self.examples, asked)


def includes_stream(thing: Any) -> bool:
    """Return whether a pipeline is what `restore_stream` returned, and still reads examples as then."""
    if not includes(thing) or [name for name, _ in thing.steps] not in (STEPS, SCALED_STEPS):
        return False
    hasher, stream = thing[0], getattr(thing[-1], "stream_", None)
    if stream is None or not thing[-1].__sklearn_is_fitted__():
        return False
    if getattr(thing[1], "scaler_", None) is not stream.scaler:
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


def _scaler(known: ColumnScaler) -> Scaler:
    """Return the transformer that scales as a learner of streams does, by the same scaler."""
    scaler = Scaler(with_mean=known.scaling.centres, absent="missing", unit_rows=known.unit_rows)
    scaler.centres_, scaler.scaler_ = known.scaling.centres, known
    scaler.n_features_in_ = known.width
    return scaler


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


def _pipeline(names: list[str], steps: list[Any], contents: Contents) -> Pipeline:
    learner = Learner.restore(contents)
    for step in steps:
        columns = 1 << step.bits if isinstance(step, Hasher) else getattr(step, "n_features_in_", None)
        if learner.has_model and learner.inputs != columns:
            raise ModelFileError(f"the learner has {learner.inputs} columns, and a step before it {columns}")
    return Pipeline(list(zip(names, [*steps, fitted(learner)], strict=True)))


class Transformer(NamedTuple):
    """How a kind of transformer is saved as a part of a pipeline."""

    part: str
    state: Callable[[Any], Contents]
    restore: Callable[[Contents], Any]


TRANSFORMERS: dict[type, Transformer] = {  # in the order in which they may follow each other
    Hasher: Transformer("hasher", state_of_hasher, restore_hasher),
    Scaler: Transformer("scaler", _saved_scalers.state, _saved_scalers.restore),
}
BEFORE = ([Hasher], [Scaler], [Hasher, Scaler])  # a learner
