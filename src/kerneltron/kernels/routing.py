"""Parameters of a kernel as parameters of the estimator that holds it."""

from typing import Any, Self

from kerneltron.kernels.grammar import parse


class RoutesToKernel:
    """An estimator with a `kernel`, a kernel or its text, whose parameters it sets as `kernel__sigma`.

    Kernels are immutable: the estimator gets a changed copy.
    """

    kernel: Any

    def set_params(self, **params: Any) -> Self:
        """Set all parameters or, if one is wrong, none; `kernel__sigma=2` changes a copy of the kernel."""
        inner = {
            key.removeprefix("kernel__"): params.pop(key) for key in [*params] if key.startswith("kernel__")
        }
        before = self.__dict__.copy()
        try:
            super().set_params(**params)  # type: ignore[misc]
            if inner:
                self.kernel = parse(self.kernel).replace(**inner)
        except BaseException:
            self.__dict__ = before
            raise
        return self
