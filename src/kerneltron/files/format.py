"""Model files: one safetensors file, a header of JSON beside the tensors, and nothing in it that could run.

The metadata of the file has one key, `kerneltron`, whose text is sorted JSON: `format`, `library` (the
version that wrote it), `code` (the machine code that it ran: see `engine.machine.shipped`) and what the model
says of itself. The same contents give the same bytes.
"""

import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from kerneltron._types import Anything
from kerneltron._version import __version__
from kerneltron.engine.machine.shipped import path_of_code
from kerneltron.files.atomic import replacing
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.files.packing import is_packed
from kerneltron.files.picked import Picked

__all__ = ["Contents", "ModelFileError", "read", "restored", "write"]

Thing = TypeVar("Thing")

FORMAT = 2  # of files whose arrays are packed; the others have format 1, and older versions read them
DEEPEST_HEADER = 64  # objects and lists inside each other
LONGEST_HEADER = 100_000_000  # bytes, those of the tensors included: what safetensors takes
DTYPES = {
    "BOOL": np.dtype(np.bool_),
    "U8": np.dtype("<u1"),
    "I8": np.dtype("<i1"),
    "U16": np.dtype("<u2"),
    "I16": np.dtype("<i2"),
    "F16": np.dtype("<f2"),
    "U32": np.dtype("<u4"),
    "I32": np.dtype("<i4"),
    "F32": np.dtype("<f4"),
    "U64": np.dtype("<u8"),
    "I64": np.dtype("<i8"),
    "F64": np.dtype("<f8"),
}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}


def write(path: str | os.PathLike[str], contents: Contents) -> None:
    """Save the contents to a file, all of them or nothing.

    It is written under another name in the same folder, brought to the disk, and renamed: if the disk is
    full, or the process is interrupted, the old file is still there. The bytes are laid out here, not by the
    safetensors library, so that they are the same with every version of it and no array is copied.

    Raises
    ------
    ValueError
        A tensor holds NaN or infinity (the model has diverged), or something that is not a number.
    OSError
        The disk is full, the folder is not there, and so on. Nothing has changed.
    """
    tensors = {name: _written(name, array) for name, array in contents.tensors.items()}
    # Wide types first: each tensor then stands at a multiple of its item's size.
    order = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    written_by = {
        "format": FORMAT if is_packed(contents) else 1,
        "library": __version__,
        "code": path_of_code(),
    }
    text = json.dumps(
        {**contents.header, **written_by},
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
    )
    index: dict[str, Any] = {"__metadata__": {"kerneltron": text}}
    end = 0
    for name in order:
        array, start, end = tensors[name], end, end + tensors[name].nbytes
        dtype = DTYPE_NAMES[array.dtype.newbyteorder("<")]
        index[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [start, end]}
    header = json.dumps(index, separators=(",", ":"), ensure_ascii=False).encode()
    header += b" " * (-len(header) % 8)
    if len(header) > LONGEST_HEADER:
        raise ValueError(
            f"the header of {path} would have {len(header):,} bytes, more than {LONGEST_HEADER:,}."
        )
    with replacing(path) as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for name in order:
            for piece in _pieces(name, tensors[name]):
                file.write(piece.reshape(-1).view(np.uint8).data)


def _pieces(name: str, tensor: Any) -> Iterator[Anything]:
    """Yield what is to be written of a tensor that was looked at."""
    if isinstance(tensor, Picked):
        yield from (_written(name, piece) for piece in tensor.pieces())
    else:
        yield tensor


def _written(name: str, array: Any) -> Any:
    """Return an array as it stands in the file, C-ordered and little-endian; raise where it cannot."""
    dtype = array.dtype.newbyteorder("<")
    if dtype not in DTYPE_NAMES:
        raise ValueError(f"the tensor {name!r} holds {array.dtype}, which a model file has no place for.")
    if isinstance(array, Picked):
        return array  # its pieces are looked at while they are written
    fault = _fault(array)
    if fault:
        raise ValueError(
            f"the tensor {name!r} holds {fault}: the model has diverged, and would not load again. Scale the "
            "rows down, or take smaller steps."
        )
    return np.asarray(array, dtype, order="C")


def read(path: str | os.PathLike[str]) -> Contents:
    """Return what a file holds, checked: it is whole, a model of ours, of a format that is known, and finite.

    Reading runs nothing that stands in the file, and takes no more memory than the file has bytes, whatever
    it claims. (What `packing` makes of it has bounds of its own.)

    Raises
    ------
    ModelFileError
        A ValueError that names the file and says what is wrong with it.
    OSError
        There is no such file, or it cannot be read.
    """
    from safetensors import SafetensorError, safe_open

    _check_start(path)
    try:
        with safe_open(os.fspath(path), framework="numpy") as file:
            header = _header(file.metadata() or {})
            tensors = {name: _tensor(file, name) for name in file.keys()}  # noqa: SIM118 - it is not a dict
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}.") from error
    except (SafetensorError, UnicodeError) as error:
        raise ModelFileError(f"{path} is damaged or truncated, or not a model file: {error}.") from error
    return Contents(header, tensors)


def restored(path: str | os.PathLike[str], restore: Callable[[Contents], Thing]) -> Thing:
    """Return what `restore` makes of the contents of a file; all that is wrong with them names the file."""
    contents = read(path)
    try:
        return restore(contents)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}.") from error
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        MemoryError,
    ) as error:
        raise ModelFileError(f"{path} is damaged: {error} ({type(error).__name__}).") from error


def _check_start(path: str | os.PathLike[str]) -> None:
    """Raise unless a file begins as safetensors files do, with the length of a header that is there."""
    status = Path(path).stat()
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
        raise ModelFileError(f"{path} is {what}: give the name of a model file.")
    with open(path, "rb") as file:
        start = file.read(9)
    length = int.from_bytes(start[:8], "little")
    if not status.st_size:
        raise ModelFileError(f"{path} is empty.")
    if status.st_size < 10 or start[8:] != b"{" or length > LONGEST_HEADER:
        raise ModelFileError(
            f"{path} is not a model file: it does not begin as safetensors files do. Models are saved by "
            "learner.save(path), kerneltron.save or `kerneltron train`."
        )
    if length > status.st_size - 8:
        raise ModelFileError(
            f"{path} is truncated: its header has {length:,} bytes, and {status.st_size - 8:,} are there."
        )


def _header(metadata: dict[str, str]) -> dict[str, Any]:
    if "kerneltron" not in metadata:
        raise ModelFileError(
            "this is not a kerneltron model: a safetensors file, but without our metadata in it"
        )
    try:
        header = json.loads(metadata["kerneltron"], parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"the header is not JSON ({error})") from error
    if not isinstance(header, dict):
        raise ModelFileError("the header is not a JSON object")
    number = Contents(header, {}).whole("format", 1)
    if number > FORMAT:
        library = str(header.get("library", "of a later version"))[:20]
        raise ModelFileError(
            f"written by kerneltron {library}, format {number}; "
            f"this one, {__version__}, reads up to format {FORMAT}: upgrade with pip install -U kerneltron"
        )
    _check_depth(header)
    return header


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")


def _check_depth(header: Any) -> None:
    level = [header]
    for _ in range(DEEPEST_HEADER):
        inside = [value.values() if isinstance(value, dict) else value for value in level]
        level = [value for values in inside for value in values if isinstance(value, dict | list)]
    if level:
        raise ModelFileError(f"the header is nested more than {DEEPEST_HEADER} deep")


def _tensor(file: Any, name: str) -> Anything:
    about = file.get_slice(name)
    dtype, shape = about.get_dtype(), about.get_shape()
    if dtype not in DTYPES:
        raise ModelFileError(f"the tensor {name!r} is of the type {dtype}, which no model has")
    try:
        array: Anything = file.get_tensor(name)
    except (ValueError, OverflowError) as error:  # shapes without entries that NumPy does not take
        raise ModelFileError(f"the tensor {name!r} claims the shape {shape} ({error})") from error
    fault = _fault(array)
    if fault:
        raise ModelFileError(f"the tensor {name!r} holds {fault}")
    return array


def _fault(array: Anything) -> str:
    """Say what an array holds that no model has, if it does."""
    if array.dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
        return "truth values that are neither true nor false"
    if array.dtype.kind != "f":
        return ""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.sum(array, dtype=np.float64)) or np.isfinite(array).all():
            return ""  # one sweep without a temporary, in the usual case
    return "NaN or infinity"
