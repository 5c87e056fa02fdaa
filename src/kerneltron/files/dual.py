"""Models in dual form: the remembered examples, and their coefficients."""

from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron.files import kernels, packs, weights
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.dual import Dual
from kerneltron.models.dual_without import DualWithout


def state(model: Dual, resumable: bool) -> Contents:
    """Return the contents of a model that is not in the middle of a call."""
    header, slots = {"seen": model.remembered.seen, "working_memory": model.working_memory}, None
    tensors: dict[str, Anything] = {}
    if not resumable and not model.hypothesis.keeps_moves:  # where every remembered example has a say
        slots, tensors["vectors"] = model.support()
    if resumable and model._state.constant.any():
        tensors["constant"] = model._state.constant
    if not resumable and model.offsets().any():
        tensors["offsets"] = model.offsets()
    tensors["origins"] = model.remembered.origins if slots is None else model.remembered.origins[slots]
    contents = Contents(header, tensors)
    contents = contents.with_part("kernel", kernels.state(model.kernel))
    contents = contents.with_part("memory", packs.state(model.remembered.memory, slots))
    kept = weights.state(model.weights, model.rule) if resumable else weights.counts(model.weights)
    return contents.with_part("weights", kept)


def restore(contents: Contents, rule: Any, columns: int, predicts: bool, options: dict[str, Any]) -> Dual:
    """Return the model; raise unless there are coefficients for each example, and all fit the kernel."""
    kernel = kernels.restore(contents.part("kernel"))
    memory = packs.restore(contents.part("memory"), kernel)
    count = len(memory)
    form = DualWithout if contents.text("form") == "without" else Dual
    model = form(rule, kernel, columns, working_memory=contents.whole("working_memory"), **options)
    if predicts:
        kept = weights.restore_counts(contents.part("weights"), columns, np.float64)
        if not model.hypothesis.keeps_moves:
            model._vectors = contents.array("vectors", np.float64, (count, columns))
    else:
        kept = weights.restore(contents.part("weights"), rule, columns, model.hypothesis.keeps_sums)
        if kept.v.size != count * columns or kept.v.dtype != np.float64:
            raise ModelFileError(f"{kept.v.size} coefficients are not {columns} for each of {count} examples")
    model.hypothesis.restore(contents.part("hypothesis"), (count, columns), count)
    model.remembered.memory, model.remembered.seen = memory, contents.whole("seen")
    model.remembered.origins = contents.array("origins", np.int64, (count,))
    model._state = model._state._replace(weights=kept, counts=np.array([count, 0]))
    if predicts and "offsets" in contents.tensors:
        model._offsets = contents.array("offsets", np.float64, (columns,))
    if not predicts and "constant" in contents.tensors:
        constant = contents.array("constant", np.float64, (2, columns))
        model._state = model._state._replace(constant=constant)
    return model
