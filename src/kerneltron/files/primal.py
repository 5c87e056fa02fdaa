"""Models in primal form: the weights, or what predicts; with the vote, also the rows that moved a vector."""

from math import log
from typing import Any

import numpy as np

from kerneltron.engine.declared import declared
from kerneltron.files import matrices, scalers, weights
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.hypotheses import hypothesis
from kerneltron.models.primal import Primal
from kerneltron.models.scaled import Scaled

FLOATS = (np.float32, np.float64)
FEW_COLUMNS = 2**16  # of rows: how many features a map makes of them is quickly known


def state(model: Primal, resumable: bool) -> Contents:
    """Return the contents of a model that is not in the middle of a call."""
    contents = Contents({"width": model.width, "dtype": model.dtype.name}, {})
    phi, vectors = model.map, None
    if not resumable and not model.hypothesis.keeps_moves:
        phi, vectors = model.folded()
    if model.form == "mapped":
        contents = contents.with_part("map", _state_of_map(phi))
    if isinstance(model, Scaled) and resumable:
        contents = contents.with_part("scales", scalers.state(model.scaler))
    if model.hypothesis.keeps_moves:
        contents.tensors["start"] = model._start
        rows = model._remembered._joined()
        if rows is not None:
            contents = contents.with_part("rows", matrices.state(rows))
    elif vectors is not None:
        contents.tensors["vectors"] = vectors
    kept = weights.state(model.weights, model.rule) if resumable else weights.counts(model.weights)
    return contents.with_part("weights", kept)


def restore(contents: Contents, rule: Any, columns: int, predicts: bool, options: dict[str, Any]) -> Primal:
    """Return the model; raise unless everything in it has the same width."""
    dtype, width = np.dtype(contents.text("dtype", ("float32", "float64"))), contents.whole("width")
    hypothesis_type, shape = hypothesis(options["hypothesis"]), (width + 1, columns)
    form = contents.text("form")
    if options["delta"] and (hypothesis_type.keeps_moves or form != "primal"):
        raise ModelFileError("delta has no place in an explicit map, nor where all moves are kept")
    if form == "scaled" and (hypothesis_type.keeps_moves or declared(rule).ascends):
        raise ModelFileError("rows that are scaled as they come cannot be kept")
    if predicts:
        kept = weights.restore_counts(contents.part("weights"), columns, dtype)
    else:
        kept = weights.restore(contents.part("weights"), rule, columns, hypothesis_type.keeps_sums)
        if kept.v.dtype != dtype or kept.v.size != (width + 1) * columns:
            raise ModelFileError(f"{kept.v.size} weights of {kept.v.dtype} are not {shape} of {dtype}")
    vectors = (
        contents.array("vectors", dtype, shape) if predicts and not hypothesis_type.keeps_moves else None
    )
    start = contents.array("start", dtype, shape) if hypothesis_type.keeps_moves else None
    # Only now is something made of that size: the file really has it.
    model = _new(contents, rule, width, columns, {"dtype": dtype, **options})
    model._weights, model._vectors = kept, vectors
    if isinstance(model, Scaled) and not predicts:
        model.scaler = scalers.restore(contents.part("scales"), width, model.scaler.scaling)
    if start is not None:
        model._start = start
        _restore_rows(contents, model)
    remembered = model._remembered.count if hypothesis_type.keeps_moves else None
    model.hypothesis.restore(contents.part("hypothesis"), shape, remembered)
    return model


def _new(contents: Contents, rule: Any, width: int, columns: int, options: dict[str, Any]) -> Primal:
    from kerneltron.models.mapped import Mapped

    of_rows: type[Primal] = Primal
    of_map: type[Mapped] = Mapped
    if declared(rule).ascends:
        from kerneltron.models.primal_machine import MappedMachine, PrimalMachine

        of_rows, of_map = PrimalMachine, MappedMachine
    if contents.text("form") == "primal":
        return of_rows(rule, width, columns, **options)
    if contents.text("form") == "scaled":
        return Scaled(rule, width, columns, **options)
    return of_map(rule, _restored_map(contents.part("map"), width), columns, **options)


def _state_of_map(phi: Any) -> Contents:
    from kerneltron.files import kernels, maps
    from kerneltron.maps.approximation import ApproximateMap

    return maps.state(phi) if isinstance(phi, ApproximateMap) else kernels.state_of_map(phi)


def _restored_map(contents: Contents, width: int) -> Any:
    """Return the map, exact or approximate; raise unless it has this many features."""
    from kerneltron.files import maps
    from kerneltron.files.kernels import restore_map
    from kerneltron.maps.feature_map import shown

    if "map" in contents.header:
        return maps.restore(contents, width)
    contents.whole("inputs", 0, max(width, FEW_COLUMNS))
    phi = restore_map(contents)
    if phi.log_width > log(width + 1) + 1 or phi.width != width:
        raise ModelFileError(f"the feature map has {shown(phi)} features, and the model weights for {width}")
    return phi


def _restore_rows(contents: Contents, model: Primal) -> None:
    if "rows" in contents.header:
        rows = matrices.restore(contents.part("rows"))
        if rows.shape[1] != model.width:
            raise ModelFileError(f"remembered rows have {rows.shape[1]} columns, not {model.width}")
        model._remembered.kept, model._remembered.count = [rows], rows.shape[0]
