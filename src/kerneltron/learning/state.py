"""Learning methods, and the learners made of them, as contents of a file: parameters, classes and the model.

Nothing here needs scikit-learn. What is set on a method (`classes_`, `model_` and so on) has the names that
the classifiers give it, so that both write the same file, and each reads that of the other.
"""

from dataclasses import fields
from math import inf
from typing import Any, TypeVar

import numpy as np

from kerneltron.engine.joint import MiraRule
from kerneltron.engine.multiplicative import WinnowRule
from kerneltron.engine.rules.logistic import LogisticRule
from kerneltron.engine.rules.passive_aggressive import PassiveAggressiveRule
from kerneltron.engine.rules.pegasos import PegasosRule
from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.engine.rules.romma import RommaRule
from kerneltron.files import labels, states
from kerneltron.files.allowed import Allowed
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.files.values import decode, encode
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.learning.classes import columns_for
from kerneltron.learning.method import OnlineMethod
from kerneltron.models.model import Model
from kerneltron.models.representation import Representation, log_of

Method = TypeVar("Method", bound=OnlineMethod)

LEFT_OUT = ("callback",)  # a Python function: a file runs no code
ARRAYS = {"mistakes_": np.int64, "validation_scores_": np.float64}  # an entry a pass
WHOLE = {"best_pass_": 1, "n_features_in_": 0}  # and the least that they can be
WITHOUT_VOTE = ("average", "last", "random")
# What the model of each learner may be made of: a new learner is one entry.
ALLOWED = {
    "Perceptron": Allowed(PerceptronRule),
    "PassiveAggressive": Allowed(PassiveAggressiveRule),
    "Romma": Allowed(RommaRule),
    "Mira": Allowed(MiraRule, hypotheses=WITHOUT_VOTE),
    "LogisticRegression": Allowed(LogisticRule, adapts=True, hypotheses=WITHOUT_VOTE),
    "Pegasos": Allowed(PegasosRule, adapts=True, hypotheses=WITHOUT_VOTE),
    "Winnow": Allowed(WinnowRule, forms=("primal",), hypotheses=WITHOUT_VOTE, delta=False, biases=(1.0,)),
}


def name_of(learner: OnlineMethod) -> str:
    """Return what a learner is called in a file, whether it is a method or the estimator of one."""
    return type(learner).__name__.removesuffix("Method")


def state(learner: OnlineMethod, resumable: bool = True) -> Contents:
    """Return what is to be saved of a learner, trained or not.

    Parameters
    ----------
    learner
        A method, or an estimator; `model_`, `classes_` and whatever else it has learned are kept.
        The callback is not. A random state that is no number becomes None: the model keeps its own seed.
    resumable
        As for `models.saving.states.state`.

    Examples
    --------
    >>> from kerneltron.learning.methods.perceptron import PerceptronMethod
    >>> contents = state(PerceptronMethod(margin=0.5))
    >>> contents.header["kind"], restore(contents, PerceptronMethod).margin
    ('Perceptron', 0.5)
    """
    there = vars(learner)
    contents = Contents({"kind": name_of(learner)}, {}).with_part("parameters", _parameters(learner))
    for name in WHOLE:
        if name in there:
            contents.header[name] = int(there[name])
    for name in ARRAYS:
        if name in there:
            contents.tensors[name] = there[name]
    if "_streaming" in there:
        contents.header["streaming"] = bool(there["_streaming"])
    if there.get("closed_"):
        contents.header["closed"] = True
    if "feature_names_in_" in there:
        contents.header["feature_names_in_"] = [str(name) for name in there["feature_names_in_"]]
    if "delta_" in there:
        contents.header["delta_"] = float(there["delta_"])
    if "representation_" in there:
        contents.header["representation_"] = _state_of(there["representation_"])
    if "classes_" in there:
        contents = contents.with_part("classes_", labels.state(there["classes_"]))
    if "model_" in there:
        contents = contents.with_part("model_", states.state(there["model_"], resumable))
    return contents


def restore(contents: Contents, kind: type[Method]) -> Method:
    """Return the learner; raise unless what it learned fits together, and its parameters are of this kind."""
    learner = kind(**_restored_parameters(contents.part("parameters"), kind))
    contents.text("kind", (name_of(learner),))
    there = vars(learner)
    there |= {name: contents.whole(name, least) for name, least in WHOLE.items() if name in contents.header}
    there |= {
        name: contents.array(name, kind, (None,)) for name, kind in ARRAYS.items() if name in contents.tensors
    }
    if "streaming" in contents.header:
        there["_streaming"] = contents.truth("streaming")
    if "feature_names_in_" in contents.header:
        there["feature_names_in_"] = np.array(contents.items("feature_names_in_"), dtype=object)
    if "delta_" in contents.header:
        there["delta_"] = contents.number("delta_", 0.0)
    if "representation_" in contents.header:
        there["representation_"] = _representation(contents.part("representation_"))
    if "classes_" in contents.header:
        there["classes_"] = labels.restore(contents.part("classes_"))
    if "model_" in contents.header:
        there["closed_"] = "closed" in contents.header and contents.truth("closed")
        there["model_"] = states.restore(contents.part("model_"), ALLOWED[name_of(learner)])
        _check(there, there["model_"])
        chosen = [name for name in ("delta_", "representation_") if name not in there]
        if chosen and "kernel" in [field.name for field in fields(kind)]:
            raise ModelFileError(f"the header has no {chosen[0]!r}, which a learner with a kernel has")
        # Saved before the first pass had ended, or by a stream that does not count: the next call begins one.
        there.setdefault("mistakes_", np.zeros(1, np.int64))
        there.setdefault("_streaming", True)
    if "representation_" in there:
        there["kernel_"] = _kernel_of(learner)
    return learner


def _parameters(learner: OnlineMethod) -> Contents:
    contents = Contents({}, {})
    for field in fields(learner):
        value = getattr(learner, field.name)
        if isinstance(value, Kernel):
            from kerneltron.files import kernels

            contents = contents.with_part(field.name, kernels.state(value))
        elif field.name not in LEFT_OUT:
            is_state = field.name == "random_state" and hasattr(value, "get_state")
            contents.header[field.name] = encode(field.name, None if is_state else value)
    return contents


def _restored_parameters(contents: Contents, kind: type[OnlineMethod]) -> dict[str, Any]:
    known = [field.name for field in fields(kind) if field.name not in LEFT_OUT]
    values = {}
    for name, value in contents.header.items():
        if name not in known:
            raise ModelFileError(f"{kind.__name__} has no parameter {name[:60]!r}: upgrade kerneltron")
        if isinstance(value, dict) and "kernel" in value:
            from kerneltron.files import kernels

            values[name] = kernels.restore(contents.part(name))
        else:
            values[name] = decode(value)
    return values


def _state_of(chosen: Representation) -> dict[str, Any]:
    """Return a representation as it stands in a file: a logarithm only where the number is not known."""
    state = {key: encode(key, value) for key, value in chosen._asdict().items()}
    if chosen.width is not None or chosen.log_width == inf:
        del state["log_width"]
    return state


def _representation(contents: Contents) -> Representation:
    width, support = decode(contents.header.get("width")), decode(contents.header.get("expected_support"))
    if isinstance(width, bool) or not isinstance(width, int | None) or not isinstance(support, int):
        raise ModelFileError("the representation has no whole number of features or of examples")
    costs = [decode(contents.header.get(name)) for name in ("primal_cost", "dual_cost")]
    if not all(isinstance(cost, float) for cost in costs):
        raise ModelFileError("the costs of the representation are no numbers")
    log_width = inf if width is None else log_of(width)
    if "log_width" in contents.header:
        log_width = decode(contents.header["log_width"])
    if not isinstance(log_width, float):
        raise ModelFileError("the logarithm of the number of features is no number")
    form = contents.text("form", ("primal", "dual"))
    return Representation(form, width, costs[0], costs[1], support, contents.text("reason"), log_width)


def _kernel_of(learner: Any) -> Kernel:
    """Return the kernel that was learned with, which the parameter may not be any more."""
    model: Any = vars(learner).get("model_")
    if model is None:
        kernel = learner._kernel()
    elif model.form == "primal":
        kernel = Linear()
    else:
        kernel = model.map.source[0] if model.form == "mapped" else model.kernel
    assert isinstance(kernel, Kernel)
    return kernel


def _check(there: dict[str, Any], model: Model) -> None:
    """Raise unless classes, rows and the model agree on their numbers: the loops do not look."""
    classes, inputs = len(there.get("classes_", ())), there.get("n_features_in_")
    if not classes or columns_for(classes) != model.columns:
        raise ModelFileError(f"{classes} classes do not fit {model.columns} vectors")
    if model.inputs not in (None, inputs):
        raise ModelFileError(f"the model takes rows of {model.inputs} columns, not of {inputs}")
    if "mistakes_" in there and not there["mistakes_"].size:
        raise ModelFileError("there is no pass whose mistakes were counted")
    names = there.get("feature_names_in_")
    if names is not None and len(names) != inputs:
        raise ModelFileError(f"{len(names)} names do not fit {inputs} columns")
