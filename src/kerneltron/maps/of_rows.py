"""What approximate maps of rows of numbers share: how rows are read."""

from typing import Any, Self

from kerneltron._types import Anything
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.vectors import matrix_of
from kerneltron.maps.approximation import ApproximateMap, Approximation, Saved


class MapOfRows(ApproximateMap):
    """A map of rows with a fixed number of columns, `inputs`, dense or CSR."""

    inputs: int

    def __init__(self, asked: Approximation, kernel: Kernel, inputs: int, seed: int) -> None:
        super().__init__(asked, kernel, inputs, seed)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it never changes, and may hold many numbers

    def read(self, X: Any) -> Any:
        """Return X as a matrix of finite floats, dense or CSR, with as many columns as the map takes."""
        matrix = matrix_of(X)
        if matrix.shape[1] != self.inputs:
            raise ValueError(f"X has {matrix.shape[1]} columns, but this map is for {self.inputs}.")
        return matrix

    def state(self) -> tuple[dict[str, Any], dict[str, Anything]]:
        """Return nothing: what integers decide is made anew."""
        return {}, {}

    @classmethod
    def restore(cls, saved: Saved) -> Self:
        """Return the map, made anew."""
        return cls(saved.asked, saved.kernel, columns_of(saved), saved.seed)


def columns_of(saved: Saved) -> int:
    """Return the number of columns of the rows that a saved map takes."""
    if saved.inputs is None:
        raise ValueError("a map of rows of numbers needs the number of their columns")
    return saved.inputs


def width_of(X: Any) -> int:
    """Return the number of columns of X, after a look at all of it."""
    return int(matrix_of(X).shape[1])


def refuse(asked: Approximation, takes: str, kernel: Kernel) -> ValueError:
    """Return the error for a kernel that a map does not take."""
    return ValueError(
        f"{type(asked).__name__} approximates {takes}, not {kernel}: use Nystrom(...), which takes every "
        "kernel."
    )
