"""Parameters of kernels and maps as parameters of the estimator that holds them."""

from copy import copy
from typing import Any, Self

from kerneltron.kernels.grammar import parse


class RoutesToKernel:
    """An estimator whose `kernel`, a kernel or its text, it sets by parameters such as `kernel__sigma`.

    Kernels are immutable: the estimator gets a changed copy. So are maps that stand for a `representation`.
    """

    kernel: Any
    representation: Any

    def set_params(self, **params: Any) -> Self:
        """Set all parameters or, if one is wrong, none; `kernel__sigma=2` changes a copy of the kernel."""
        before = self.__dict__.copy()
        inner = _inside("kernel", params)
        of_map = _inside("representation", params) if hasattr(self, "representation") else {}
        try:
            super().set_params(**params)  # type: ignore[misc]
            if inner:
                self.kernel = parse(self.kernel).replace(**inner)
            if of_map:
                self.representation = _changed(self.representation, of_map)
        except BaseException:
            self.__dict__ = before
            raise
        return self


def _changed(representation: Any, params: dict[str, Any]) -> Any:
    """Return a changed copy of a map, a transformer that stands for one, or the text of one."""
    from kerneltron.maps.text import is_map
    from kerneltron.maps.text import parse as parse_map

    if not is_map(representation):
        raise ValueError(f"representation={representation!r} has no parameters: give a map first.")
    if hasattr(representation, "set_params"):
        return copy(representation).set_params(**params)
    return parse_map(representation).replace(**params)


def _inside(name: str, params: dict[str, Any]) -> dict[str, Any]:
    """Take the parameters of what `name` holds out of `params`."""
    prefix = f"{name}__"
    return {key.removeprefix(prefix): params.pop(key) for key in [*params] if key.startswith(prefix)}
