"""Saving and loading: one file for a learner, many tasks, a pipeline, a transformer, a kernel or a map."""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from kerneltron.estimators._alone import check_at_rest
from kerneltron.files import kernels, maps
from kerneltron.files.contents import Contents
from kerneltron.files.format import restored, write
from kerneltron.kernels.kernel import Kernel
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import estimator_names
from kerneltron.maps.approximation import ApproximateMap
from kerneltron.maps.feature_map import FeatureMap


class Kind(NamedTuple):
    """How things of one kind are told from others, written and read."""

    includes: Callable[[Any], bool]
    state: Callable[[Any, bool], Contents]  # of a thing, and whether learning is to go on after loading
    restore: Callable[[Contents], Any]


def save(thing: Any, path: str | os.PathLike[str], resumable: bool = True) -> None:
    """Save a learner, `ManyTasks`, a pipeline, a transformer, a kernel or a feature map to one file.

    Parameters
    ----------
    thing
        What to save. The steps before the learner of a pipeline are a `Hasher`, a `features.Scaler`, or a
        hasher and then a scaler. What can be fitted must be. A kernel that holds a Python function cannot
        be saved.
    path, resumable
        As for `learner.save`.

    Examples
    --------
    >>> import kerneltron, os, tempfile
    >>> from kerneltron.kernels import Gaussian
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "kernel.model")
    ...     kerneltron.save(2 * Gaussian(3.0), path)
    ...     kerneltron.load(path)
    2 * Gaussian(3.0)
    """
    name = type(thing).__name__
    if not LEARNER.includes(thing):
        name = next((name for name, kind in KINDS.items() if kind.includes(thing)), "")
    if not name:
        raise TypeError(
            f"{type(thing).__name__} cannot be saved: a model file holds the learners of kerneltron "
            "(themselves, not subclasses), ManyTasks, Hasher, Scaler, pipelines of these, or one of them, "
            "and a learner, kernels, feature maps and transformers that approximate kernels."
        )
    check_at_rest(thing)
    _check_fitted(thing)
    contents = KINDS.get(name, LEARNER).state(thing, resumable)
    write(path, contents._replace(header={**contents.header, "kind": name}))


def load(path: str | os.PathLike[str]) -> Any:
    """Return what was saved to a file: a learner goes on where it stopped.

    Nothing in the file is run, whoever wrote it. A model of `kerneltron train` comes as a pipeline of a
    `Hasher` and a learner, which takes raw examples and predicts what the command line does: dicts of columns
    for formats that have them (or texts, where one column alone is text), else lines of the format. Saved
    again, it is a model of the command line as before, with the names of its features.

    Parameters
    ----------
    path
        The file, as `save`, `learner.save` or the command line wrote it.

    Raises
    ------
    ModelFileError
        A ValueError that names the file: it is not a model, damaged, or of a later version.

    Examples
    --------
    >>> import kerneltron, os, tempfile
    >>> learner = kerneltron.Perceptron(shuffle=False).fit([[0.0], [1.0]], ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.model")
    ...     learner.save(path)
    ...     kerneltron.load(path).partial_fit([[2.0]], ["yes"]).predict([[3.0]])
    array(['yes'], dtype='<U3')
    """
    return restored(path, _restored)


def _check_fitted(thing: Any) -> None:
    """Raise a NotFittedError if an estimator, or a step of a pipeline, has learned nothing to be saved."""
    for step in [step for _, step in thing.steps] if type(thing).__name__ == "Pipeline" else [thing]:
        if hasattr(step, "fit"):  # else it is a kernel or a map, and needs no scikit-learn
            from sklearn.utils.validation import check_is_fitted

            check_is_fitted(step, msg="This %(name)s is not fitted yet: call fit first, then save it.")


def _restored(contents: Contents) -> Any:
    known = (*estimator_names(), *KINDS)
    return KINDS.get(contents.text("kind", known), LEARNER).restore(contents)


def _includes(name: str, thing: Any) -> bool:
    # By the name first: nothing is imported only to look at something else.
    import kerneltron

    return type(thing).__name__ == name and type(thing) is getattr(kerneltron, name)


def state_of_learner(estimator: Any, resumable: bool) -> Contents:
    """Return what is to be saved of a classifier."""
    learner: Learner = estimator.learner_
    return learner.state(resumable, estimator._method())


def _restore_learner(contents: Contents) -> Any:
    from kerneltron.estimators.making import fitted

    return fitted(Learner.restore(contents))


def _is_learner(thing: Any) -> bool:
    return type(thing).__name__ in estimator_names() and _includes(type(thing).__name__, thing)


def _state_of_tasks(tasks: Any, resumable: bool) -> Contents:
    from kerneltron.estimators._saved_tasks import state

    return state(tasks, resumable)


def _restore_tasks(contents: Contents) -> Any:
    from kerneltron.estimators._saved_tasks import restore

    return restore(contents)


def _maps() -> Any:
    from kerneltron.estimators import _saved_maps

    return _saved_maps


def _scalers() -> Any:
    from kerneltron.estimators import _saved_scalers

    return _saved_scalers


def _pipelines() -> Any:
    from kerneltron.estimators import _saved_pipelines

    return _saved_pipelines


LEARNER = Kind(_is_learner, state_of_learner, _restore_learner)  # of whichever method
# Other things, by the name that stands in the file. To add a kind is to add an entry.
KINDS: dict[str, Kind] = {
    "ManyTasks": Kind(lambda thing: _includes("ManyTasks", thing), _state_of_tasks, _restore_tasks),
    "Hasher": Kind(
        includes=lambda thing: _includes("Hasher", thing),
        state=lambda hasher, _: _pipelines().state_of_hasher(hasher),
        restore=lambda contents: _pipelines().restore_hasher(contents),
    ),
    "Scaler": Kind(
        includes=lambda thing: type(thing).__name__ == "Scaler" and _scalers().includes(thing),
        state=lambda scaler, _: _scalers().state(scaler),
        restore=lambda contents: _scalers().restore(contents),
    ),
    "stream": Kind(  # as the command line writes it
        includes=lambda thing: type(thing).__name__ == "Pipeline" and _pipelines().includes_stream(thing),
        state=lambda pipeline, resumable: _pipelines().state_of_stream(pipeline, resumable),
        restore=lambda contents: _pipelines().restore_stream(contents),
    ),
    "Pipeline": Kind(
        includes=lambda thing: type(thing).__name__ == "Pipeline" and _pipelines().includes(thing),
        state=lambda pipeline, resumable: _pipelines().state(pipeline, resumable),
        restore=lambda contents: _pipelines().restore(contents),
    ),
    "Kernel": Kind(
        includes=lambda thing: isinstance(thing, Kernel),
        state=lambda kernel, _: kernels.state(kernel),
        restore=kernels.restore,
    ),
    "ApproximateMap": Kind(
        includes=lambda thing: isinstance(thing, ApproximateMap),
        state=lambda phi, _: maps.state(phi),
        restore=maps.restore,
    ),
    "Approximate": Kind(  # a transformer that has such a map
        includes=lambda thing: _maps().includes(thing),
        state=lambda transformer, _: _maps().state(transformer),
        restore=lambda contents: _maps().restore(contents),
    ),
    "FeatureMap": Kind(
        includes=lambda thing: isinstance(thing, FeatureMap),
        state=lambda phi, _: kernels.state_of_map(phi),
        restore=kernels.restore_map,
    ),
}
