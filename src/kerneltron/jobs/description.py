"""What a model file says of itself, without making a learner of it."""

import os
from typing import Any

from kerneltron.files import format as files
from kerneltron.files import labels
from kerneltron.files.contents import Contents
from kerneltron.learning.methods import estimator_names, method
from kerneltron.learning.parameters import Parameter, parameters_of


def described(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what a file holds as plain values: of a stream's model, a learner, or anything else of ours."""
    facts = files.restored(path, _described)
    return {**facts, "bytes": os.path.getsize(path)}


def _described(contents: Contents) -> dict[str, Any]:
    kind = contents.text("kind")
    facts: dict[str, Any] = {
        "kind": kind,
        "format": contents.whole("format"),
        "library": contents.text("library"),
    }
    if "code" in contents.header:  # not in files of older versions
        facts["code"] = contents.text("code")
    learner = contents.part("learner") if isinstance(contents.header.get("learner"), dict) else contents
    facts |= _learner(learner)
    for name in ("hashing", "reading", "options"):
        if name in contents.header:
            facts[name] = contents.part(name).header
    if "hashing" in facts and "scale_" in learner.header:
        unit_rows = learner.part("scale_").header.get("unit_rows") is True
        facts["hashing"] = {**facts["hashing"], "normalize": unit_rows}  # the scaler does so
    if "examples" in contents.header:
        facts["examples"] = contents.whole("examples")
    if "names" in contents.header:
        facts["names"] = len(contents.tensors["names.keys"]) if contents.truth("names") else None
    return facts


def _learner(contents: Contents) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if "parameters" in contents.header:
        facts["learner"] = contents.text("kind")
        parameters, known = contents.part("parameters").header, _known(facts["learner"])
        facts["parameters"] = {
            name: _plain(parameters[name])
            for name in sorted(parameters)
            if name not in known or known[name].shown
        }
    if "classes_" in contents.header:
        facts["classes"] = labels.restore(contents.part("classes_")).tolist()
    if "closed" in contents.header:
        facts["closed"] = contents.truth("closed")
    if "model_" in contents.header:
        model = contents.part("model_")
        facts |= {"form": model.text("form"), "resumable": model.text("purpose") == "resume"}
        if "examples" in model.header:
            facts["examples"] = model.whole("examples")
        facts["kernel"] = _kernel(model)
        if "budget" in model.header:
            facts["budget"] = _budget(model)
    for name in ("best_pass_", "n_features_in_"):
        if name in contents.header:
            facts[name.removesuffix("_")] = contents.whole(name)
    return facts


def _known(learner: str) -> dict[str, Parameter]:
    """Return the parameters of a learner; none if there is no such learner."""
    is_there = learner in estimator_names()
    return parameters_of(method(learner)) if is_there else {}


def _plain(value: Any) -> Any:
    """Return the text of a map; any other parameter as it stands in the file."""
    return value["map"] if isinstance(value, dict) and "map" in value else value


def _budget(model: Contents) -> dict[str, Any]:
    """Return how many examples are remembered, how many may be, and what happens when they are."""
    asked = model.part("budget")
    most = asked.whole("budget", 1) if "budget" in asked.header else None
    held = len(model.tensors["origins"]) if "origins" in model.tensors else None
    return {"remembered": held, "most": most, "when_full": asked.text("when_full")}


def _kernel(model: Contents) -> str:
    if "map" in model.header:
        phi = model.part("map")
        return phi.part("kernel").text("kernel") if "map" in phi.header else phi.text("kernel")
    return model.part("kernel").text("kernel") if "kernel" in model.header else "Linear()"
