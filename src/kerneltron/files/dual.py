"""Models in dual form: the remembered examples, and their coefficients."""

from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron.engine.declared import declared
from kerneltron.files import kernels, packs, weights
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.dual import Dual
from kerneltron.models.dual_form import DualForm
from kerneltron.models.dual_without import DualWithout
from kerneltron.models.support_set import NO_ORIGIN


def state(model: DualForm, resumable: bool) -> Contents:
    """Return the contents of a model that is not in the middle of a call."""
    header: dict[str, Any] = {"seen": model.remembered.seen, "working_memory": model.working_memory}
    slots = None
    tensors: dict[str, Anything] = {}
    if not resumable and not model.hypothesis.keeps_moves:  # where every remembered example has a say
        slots, tensors["vectors"] = model.support()
    if resumable and model.learned.state.constant.any():
        tensors["constant"] = model.learned.state.constant
    if not resumable and model.offsets().any():
        tensors["offsets"] = model.offsets()
    tensors["origins"] = model.remembered.origins if slots is None else model.remembered.origins[slots]
    contents = Contents(header, tensors)
    contents = contents.with_part("kernel", kernels.state(model.kernel))
    contents = contents.with_part("memory", packs.state(model.remembered.memory, slots))
    kept = weights.state(model.weights, model.rule) if resumable else weights.counts(model.weights)
    contents = contents.with_part("weights", kept)
    if model.form == "budgeted":
        from kerneltron.files import budgets

        return contents.with_part("budget", budgets.state(model, resumable))  # type: ignore[arg-type]
    return contents


def restore(contents: Contents, rule: Any, columns: int, predicts: bool, options: dict[str, Any]) -> DualForm:
    """Return the model; raise unless there are coefficients for each example, and all fit the kernel."""
    kernel = kernels.restore(contents.part("kernel"))
    memory = packs.restore(contents.part("memory"), kernel)
    count = len(memory)
    options |= {"working_memory": contents.whole("working_memory")}
    model = _begun(contents, rule, kernel, columns, options)
    places = model.features + count
    if predicts:
        kept = weights.restore_counts(contents.part("weights"), columns, np.float64)
        vectors = offsets = None
        if not model.hypothesis.keeps_moves:
            vectors = contents.array("vectors", np.float64, (count, columns))
        if "offsets" in contents.tensors:
            offsets = contents.array("offsets", np.float64, (columns,))
        model.predict_by(vectors, offsets)
    else:
        kept = weights.restore(contents.part("weights"), rule, columns, model.hypothesis.keeps_sums)
        if kept.v.size != places * columns or kept.v.dtype != np.float64:
            raise ModelFileError(f"{kept.v.size} coefficients are not {columns} for each of {count} examples")
    model.hypothesis.restore(contents.part("hypothesis"), (places, columns), count)
    model.remembered.memory, model.remembered.seen = memory, contents.whole("seen", 0, weights.LATEST)
    model.remembered.origins = _origins(contents, count, may_be_made=model.form == "budgeted")
    constant = None
    if not predicts and "constant" in contents.tensors:
        constant = contents.array("constant", np.float64, (2, columns))
    model.learned.restore(kept, constant)
    if model.form == "budgeted":
        from kerneltron.files import budgets

        budgets.restore(contents.part("budget"), model, predicts)  # type: ignore[arg-type]
    return model


def _origins(contents: Contents, count: int, may_be_made: bool) -> Any:
    """Return which of the examples seen each remembered one is; raise unless each is another one.

    Within a budget some may have been made of others, and models that were combined may share those.
    """
    origins, seen = contents.array("origins", np.int64, (count,)), contents.whole("seen")
    least = NO_ORIGIN if may_be_made else 0
    if count and (origins.min() < least or origins.max() >= seen):
        raise ModelFileError(f"the tensor 'origins' holds an example that is not one of the {seen} seen")
    if not may_be_made and np.unique(origins).size < count:
        raise ModelFileError("the tensor 'origins' holds an example twice")
    return origins


def _begun(contents: Contents, rule: Any, kernel: Any, columns: int, options: dict[str, Any]) -> DualForm:
    """Return a model of the form that the header names, which knows nothing yet."""
    if contents.text("form") == "budgeted":
        from kerneltron.files import budgets

        return budgets.begun(contents.part("budget"), rule, kernel, columns, options)
    if declared(rule).ascends:
        from kerneltron.models.dual_machine import DualMachine

        return DualMachine(rule, kernel, columns, **options)
    form = DualWithout if contents.text("form") == "without" else Dual
    return form(rule, kernel, columns, **options)
