"""Kernels: their text, and the arrays that the text names."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.quadratic_form import QuadraticForm
from kerneltron.maps.feature_map import FeatureMap

WIDEST = 2**31  # columns of rows that a map is for


def state(kernel: Kernel) -> Contents:
    """Return the contents of a kernel; raise a ValueError for one that holds a Python function.

    The root R of a quadratic form A = R R^T is kept too. It is not unique: weights and rows that live in the
    features x R would make no sense with the root that another machine finds.
    """
    text, arrays = repr(kernel), dict(kernel.arrays())
    try:
        is_whole = parse(text, arrays) == kernel
    except ValueError:
        is_whole = False
    if not is_whole:
        raise ValueError(
            f"{kernel} cannot be saved: it holds a Python function, or is not a kernel of this library, and "
            "a model file runs no code. Apply the function to the rows first, and give the learner a kernel "
            "such as Gaussian(2.0) for what it returns."
        )
    tensors = {f"arrays.{name}": np.asarray(array) for name, array in arrays.items()}
    tensors |= {f"roots.{form._name}": form._root for form in _forms(kernel)}
    return Contents({"kernel": text, "arrays": sorted(arrays)}, tensors)


def restore(contents: Contents) -> Kernel:
    """Return the kernel; raise unless its text is read and its arrays are there."""
    names = [str(name) for name in contents.items("arrays")]
    arrays = {name: _array(contents, f"arrays.{name}") for name in names}
    kernel = parse(contents.text("kernel"), arrays)
    for form in _forms(kernel):
        if f"roots.{form._name}" not in contents.tensors:
            raise ModelFileError(f"there is no root of @{form._name}")
        root = contents.array(f"roots.{form._name}", np.float64, (len(form.A), None))
        try:
            form.take_root(root)
        except ValueError as error:
            raise ModelFileError(str(error)) from error
    return kernel


def _array(contents: Contents, name: str) -> Any:
    """Return the matrix of a form, or the factors of columns."""
    is_list = name in contents.tensors and contents.tensors[name].ndim == 1
    return contents.array(name, np.float64, (None,) if is_list else (None, None))


def state_of_map(phi: FeatureMap) -> Contents:
    """Return the contents of an explicit feature map: those of its kernel, and how wide its rows are."""
    source = getattr(phi, "source", None)
    if source is None:
        raise ValueError(f"{phi!r} cannot be saved: only maps from kernel.feature_map(d) can.")
    kernel, inputs = source
    contents = state(kernel)
    return contents._replace(header={**contents.header, "inputs": inputs})


def restore_map(contents: Contents) -> Any:
    """Return the feature map; raise where the kernel has none."""
    kernel, inputs = restore(contents), contents.whole("inputs", 0, WIDEST)
    phi = kernel.feature_map(inputs)
    if phi is None:
        raise ModelFileError(f"{kernel} has no explicit feature map")
    return phi


def _forms(kernel: Kernel) -> Iterator[QuadraticForm]:
    """Yield the quadratic forms in an expression."""
    if isinstance(kernel, QuadraticForm):
        yield kernel
    for part in kernel._parts():
        yield from _forms(part)
