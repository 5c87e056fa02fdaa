"""Learners as contents of a file: what was asked for, what was found, classes, counts and the model.

Nothing here needs scikit-learn: the command line and the estimators write the same file, and each reads that
of the other.
"""

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from kerneltron.files import scalers, states
from kerneltron.files.allowed import Allowed
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.files.values import decode, encode
from kerneltron.kernels.kernel import Kernel
from kerneltron.learning import calibration_state
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.methods import estimator_names, method
from kerneltron.learning.parameters import parameters_of, saved_values
from kerneltron.learning.space import Space
from kerneltron.maps.approximation import ApproximateMap
from kerneltron.maps.text import is_map, parse
from kerneltron.models.kept_rows import Reuse
from kerneltron.models.model import Model
from kerneltron.models.representation import Representation, log_of
from kerneltron.scaling.column_scaler import ColumnScaler
from kerneltron.stream.hashing import MOST_BITS

SMALLEST = 1e-300  # what C can be, to have an inverse
SCALE = "stream_scale"  # among the parameters of a learner that scales


def state(learner: Learner, resumable: bool = True, asked: Method | None = None) -> Contents:
    """Return what is to be saved of a learner, trained or not.

    Parameters
    ----------
    learner
        Its callback is not kept. A random state that is not a number becomes None: the model keeps its own
        seed.
    resumable
        As for `files.states.state`.
    asked
        The parameters as they are now, if they were set since the learner learned.

    Examples
    --------
    >>> contents = state(Learner(method("perceptron")(margin=0.5)))
    >>> contents.header["kind"], restore(contents).method.margin
    ('Perceptron', 0.5)
    """
    header: dict[str, Any] = {"kind": learner.name}
    tensors: dict[str, Any] = {}
    contents = Contents(header, tensors).with_part("parameters", _parameters(asked or learner.method))
    header, tensors = contents.header, contents.tensors
    if learner.best_pass is not None:
        header["best_pass_"] = int(learner.best_pass)
    if learner.inputs is not None:
        header["n_features_in_"] = int(learner.inputs)
    if learner.input_names is not None:
        header["feature_names_in_"] = [str(name) for name in learner.input_names]
    if learner.mistakes is not None and learner.mistakes.size:
        tensors["mistakes_"] = learner.mistakes
        header["streaming"] = bool(learner.is_streaming)
    if learner.validation_scores is not None:
        tensors["validation_scores_"] = learner.validation_scores
    if learner.optima is not None:
        tensors["optima_"] = learner.optima
    if learner.space is not None:
        header |= _found(learner.space)
    contents = learner.target.state(contents)
    if learner.has_model:
        contents = contents.with_part("model_", states.state(learner.model, resumable))
        if learner.calibration is not None and (resumable or learner.temperature is not None):
            known = calibration_state.state(learner.calibration, resumable)
            contents = contents.with_part("calibration_", known)
    return contents if learner.scaler is None else _with_scaler(contents, learner.scaler)


def _found(space: Space) -> dict[str, Any]:
    """Return what was found for what the method asks for, where a file has no other place for it."""
    found: dict[str, Any] = {name: getattr(space, name[:-1]) for name in ("delta_", "C_")}
    found = {name: float(value) for name, value in found.items() if value is not None}
    if space.representation is not None:
        found["representation_"] = _state_of(space.representation)
    return found


def restore(contents: Contents) -> Learner:
    """Return the learner; raise unless what it learned fits together, and its parameters are its method's."""
    method_type = method(contents.text("kind", estimator_names()))
    learner = Learner(method_type(**_restored_parameters(contents.part("parameters"), method_type)))
    header, tensors = contents.header, contents.tensors
    if "best_pass_" in header:
        learner.best_pass = contents.whole("best_pass_", 1)
    if "n_features_in_" in header:
        learner.inputs = contents.whole("n_features_in_", 0)
    learner.scaler = _scaler_of(contents)
    if "feature_names_in_" in header:
        learner.input_names = np.array(contents.items("feature_names_in_"), dtype=object)
    if "mistakes_" in tensors:
        learner.mistakes = contents.array("mistakes_", np.int64, (None,))
    if "validation_scores_" in tensors:
        learner.validation_scores = contents.array("validation_scores_", np.float64, (None,))
    if "optima_" in tensors:
        learner.optima = contents.array("optima_", np.float64, (None, 2))
    learner.is_streaming = contents.truth("streaming") if "streaming" in header else "model_" in header
    learner.target = method_type.target_type().restored(contents)
    delta = contents.number("delta_", 0.0) if "delta_" in header else None
    representation = (
        _representation(contents.part("representation_")) if "representation_" in header else None
    )
    kernel: Kernel | None = None
    phi: ApproximateMap | None = None
    if "model_" in header:
        learner.model = states.restore(contents.part("model_"), allowed(method_type))
        _check(learner, learner.model)
        kernel = learner.model.learned_kernel
        phi = _map_of(learner)
        if method_type.is_additive() and (delta is None or representation is None):
            missing = "delta_" if delta is None else "representation_"
            raise ModelFileError(f"the header has no {missing!r}, which a learner with a kernel has")
        if learner.mistakes is None:
            # Saved before the first pass had ended, or by a stream that does not count: the next call
            # begins one.
            learner.mistakes = np.zeros(1, np.int64)
        learner.calibration = calibration_state.restored(contents)
    if representation is not None or kernel is not None:
        cost = contents.number("C_", SMALLEST) if "C_" in header else None
        learner.space = Space(kernel or learner.kernel, representation, delta, phi, cost)
    return learner


def _with_scaler(contents: Contents, scaler: ColumnScaler) -> Contents:
    """Return the contents of a learner behind a scaler; older versions refuse the unknown parameter."""
    parameters = {**contents.header["parameters"], SCALE: True}
    contents = contents._replace(header={**contents.header, "parameters": parameters})
    return contents.with_part("scale_", scalers.state_in_front(scaler))


def _scaler_of(contents: Contents) -> ColumnScaler | None:
    """Return the scaler in front of a learner, if there is one."""
    if ("scale_" in contents.header) != (SCALE in contents.part("parameters").header):
        raise ModelFileError("it does not agree with itself whether rows are scaled")
    if "scale_" not in contents.header:
        return None
    columns = contents.whole("n_features_in_", 1, most=1 << MOST_BITS)
    return scalers.restore_in_front(contents.part("scale_"), columns)


def _map_of(learner: Learner) -> ApproximateMap | None:
    """Return the approximate map of a model; landmarks that were given are a parameter again."""
    phi = getattr(learner.model, "map", None)
    if not isinstance(phi, ApproximateMap):
        return None
    if phi.asked.get_params().get("landmarks") is not None:
        changes: dict[str, Any] = {"representation": phi.asked}
        learner.method = replace(learner.method, **changes)
    return phi


def allowed(method_type: type[Method]) -> Allowed:
    """Return what the model of a method may be made of."""
    about: dict[str, Any] = {
        "adapts": method_type.adapts,
        "forms": method_type.forms,
        "moves": not method_type.refuses_moves,
    }
    if method_type.is_additive():
        return Allowed(method_type.rule_type(), **about)
    return Allowed(method_type.rule_type(), **about, delta=False, biases=(1.0,))


def _parameters(asked: Method) -> Contents:
    contents = Contents({}, {})
    for name, value in saved_values(asked).items():
        if isinstance(value, Kernel):
            from kerneltron.files import kernels

            contents = contents.with_part(name, kernels.state(value))
        elif name in ("representation", "sketch") and is_map(value):
            from kerneltron.files import maps

            contents = contents.with_part(name, maps.state_of_asked(parse(value)))
        else:
            is_state = name == "random_state" and hasattr(value, "get_state")
            contents.header[name] = encode(name, None if is_state else value)
    return contents


def _restored_parameters(contents: Contents, method_type: type[Method]) -> dict[str, Any]:
    known = [name for name, about in parameters_of(method_type).items() if about.saved]
    older = {name: about.in_older_files for name, about in parameters_of(method_type).items()}
    values: dict[str, Any] = {name: value for name, value in older.items() if value is not None}
    for name, value in contents.header.items():
        if name == SCALE:
            continue
        if name not in known:
            raise ModelFileError(f"{method_type.name()} has no parameter {name[:60]!r}: upgrade kerneltron")
        if isinstance(value, dict) and "kernel" in value:
            from kerneltron.files import kernels

            values[name] = kernels.restore(contents.part(name))
        elif isinstance(value, dict) and "map" in value:
            from kerneltron.files import maps

            values[name] = maps.restore_asked(contents.part(name))
        else:
            values[name] = decode(value)
    return values


def _state_of(chosen: Representation) -> dict[str, Any]:
    """Return a representation as it stands in a file: a logarithm only where the number is not known."""
    state = {key: encode(key, value) for key, value in chosen._asdict().items()}
    if chosen.width is not None or chosen.log_width == inf:
        del state["log_width"]
    if not chosen.kept_rows:
        state = {key: value for key, value in state.items() if key not in Reuse._fields}
    return state


def _representation(contents: Contents) -> Representation:
    width, support = decode(contents.header.get("width")), decode(contents.header.get("expected_support"))
    if isinstance(width, bool) or not isinstance(width, int | None) or not isinstance(support, int):
        raise ModelFileError("the representation has no whole number of features or of examples")
    costs = [decode(contents.header.get(name)) for name in ("primal_cost", "dual_cost")]
    if not all(isinstance(cost, float) for cost in costs):
        raise ModelFileError("the costs of the representation are not numbers")
    log_width = inf if width is None else log_of(width)
    if "log_width" in contents.header:
        log_width = decode(contents.header["log_width"])
    if not isinstance(log_width, float):
        raise ModelFileError("the logarithm of the number of features is not a number")
    form = contents.text("form", ("primal", "dual"))
    reuse = {name: contents.whole(name, 0) for name in Reuse._fields if name in contents.header}
    reason = contents.text("reason")
    return Representation(form, width, costs[0], costs[1], support, reason, log_width, **reuse)


def _check(learner: Learner, model: Model) -> None:
    """Raise unless classes, rows and the model agree on their numbers: the loops do not check."""
    learner.target.check_fits(model.columns)
    if model.inputs not in (None, learner.inputs):
        raise ModelFileError(f"the model takes rows of {model.inputs} columns, not of {learner.inputs}")
    if learner.mistakes is not None and not learner.mistakes.size:
        raise ModelFileError("there is no pass whose mistakes were counted")
    names = learner.input_names
    if names is not None and len(names) != learner.inputs:
        raise ModelFileError(f"{len(names)} names do not fit {learner.inputs} columns")
