"""Remembered examples: what each pack holds for its kernel, row for row and number for number.

The packs are kept as they are, not made anew from the rows. A norm that is computed again, or rows that are
joined into other blocks, would change the last digit of a score.
"""

from collections.abc import Hashable, Sequence
from importlib import import_module
from math import inf
from typing import Any

import numpy as np

from kerneltron._types import Integers
from kerneltron.files import matrices
from kerneltron.files.contents import Contents, ModelFileError, number
from kerneltron.kernels import on, precomputed, vectors
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Memory, Pack
from kerneltron.kernels.precomputed import Similarities
from kerneltron.kernels.vectors import Vectors

# Parts that are flat arrays, which they return and check themselves, and where they are defined.
FLAT = {
    "Bags": "bags",
    "Graphs": "graphs.graphs",
    "Strings": "strings.strings",
    "Trees": "trees.trees",
}
# Parts whose key is a text; the key of a field's pack is a list of two or three, and other keys are kernels.
NAMED = (vectors.KEY, precomputed.KEY, on.MISSING, *(name.lower() for name in FLAT))
FLOATS = ("float32", "float64")


def state(memory: Memory, places: Integers | None = None) -> Contents:
    """Return the contents of the remembered examples, or of those at increasing `places`."""
    packs, first = [], 0
    for pack in memory.packs:
        if places is None:
            packs.append(pack)
        else:
            inside = places[(places >= first) & (places < first + len(pack))] - first
            packs += [pack[inside]] if inside.size else []
        first += len(pack)
    contents = Contents({"packs": len(packs)}, {})
    for i, pack in enumerate(packs):
        contents = contents.with_part(f"pack{i}", _state(pack))
    return contents


def _state(pack: Pack) -> Contents:
    contents = Contents(
        {
            "size": len(pack),
            "dtype": np.dtype(pack.dtype).name,
            # One number for both, as files have always had it: infinity asks for double precision.
            "largest": number(inf if pack.needs_double else pack.largest),
            "keys": [list(key) if isinstance(key, tuple) else str(key) for key in pack.parts],
            "numbers": [str(key) for key in pack.numbers],
        },
        {f"numbers{i}": numbers for i, numbers in enumerate(pack.numbers.values())},
    )
    for i, part in enumerate(pack.parts.values()):
        contents = contents.with_part(f"part{i}", _state_of_part(part))
    return contents


def _state_of_part(part: Any) -> Contents:
    if isinstance(part, Pack):
        inside = _state(part)
        return inside._replace(header={**inside.header, "layout": "pack"})
    if isinstance(part, Similarities):
        return Contents({"layout": "similarities", "width": part.matrix.shape[1]}, {"places": part.places})
    if type(part).__name__ in FLAT:
        return Contents({"layout": type(part).__name__.lower()}, dict(part.tensors()))
    assert isinstance(part, Vectors), "kernels with other parts hold functions, and are not saved"
    contents = matrices.state(part.X)
    if part._squares is not None:
        contents.tensors["squares"] = part._squares
    return contents


def restore(contents: Contents, kernel: Kernel) -> Memory:
    """Return the memory; raise unless the kernel can compare examples with all that it holds."""
    memory = Memory()
    count = contents.whole("packs", 0, len(contents.header))  # there is a part for each
    try:
        memory.packs = [_restore(contents.part(f"pack{i}"), kernel) for i in range(count)]
    except RecursionError:
        raise ModelFileError("packs stand inside each other without end") from None
    _check(memory.packs, kernel)
    return memory


def _restore(contents: Contents, kernel: Kernel) -> Pack:
    pack = Pack(size := contents.whole("size", 1))
    pack.dtype = np.dtype(contents.text("dtype", FLOATS))
    pack.largest = contents.number("largest", 0.0)
    pack.needs_double = pack.largest == inf
    for i, text in enumerate(contents.items("keys")):
        part = _restore_part(contents.part(f"part{i}"), kernel)
        if len(part) != size:
            raise ModelFileError(f"a pack of {size} examples holds {len(part)} for {str(text)[:60]!r}")
        pack.parts[_key(text, kernel)] = part
    for i, text in enumerate(contents.items("numbers")):
        pack.numbers[_key(text, kernel)] = contents.array(f"numbers{i}", np.float64, (size,))
    return pack


def _restore_part(contents: Contents, kernel: Kernel) -> Any:
    layout = contents.text("layout")
    if layout == "pack":
        return _restore(contents, kernel)
    if (name := layout.capitalize()) in FLAT:
        part_type = getattr(import_module(f"kerneltron.kernels.{FLAT[name]}"), name)
        try:
            return part_type.restored(contents.tensors)
        except ValueError as error:
            raise ModelFileError(f"remembered {layout} are damaged: {error}") from error
    if layout == "similarities":
        width = contents.whole("width")
        return Similarities(np.empty((0, width)), contents.places("places", (None,), width))
    X = matrices.restore(contents)
    squares = None
    if "squares" in contents.tensors:
        squares = contents.array("squares", np.float64, (X.shape[0],))
    return Vectors(X, squares)


def _key(text: Any, kernel: Kernel) -> Hashable:
    if isinstance(text, list) and len(text) in (2, 3) and all(isinstance(word, str) for word in text):
        return tuple(text)
    if not isinstance(text, str):
        raise ModelFileError(f"{str(text)[:60]} is not a key of a pack")
    return text if text in NAMED else parse(text, kernel.arrays())


def _check(packs: Sequence[Pack], kernel: Kernel) -> None:
    """Raise unless no example at all can be compared with each pack: all parts are there, and fit."""
    for pack in packs:
        try:
            if pack.parts.keys() != packs[0].parts.keys() or pack.numbers.keys() != packs[0].numbers.keys():
                raise ModelFileError("the packs hold different things")
            kernel.gram(packs[0][:0], pack)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise ModelFileError(
                f"the remembered examples do not fit {kernel}: {type(error).__name__}, {error}"
            ) from error
