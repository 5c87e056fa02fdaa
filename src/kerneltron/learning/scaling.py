"""Where the columns of rows are brought to one scale, and where that cannot be."""

from typing import Any

WORDS = (True, False, "auto")


def check_scale(method: Any) -> None:
    """Raise unless a method that asks for scaling can have it."""
    if not (isinstance(method.scale, bool) or method.scale == "auto"):
        raise ValueError(f"scale={method.scale!r} is not known: give True, False or 'auto'.")
    reason = obstacle(method)
    if method.scale is True and reason:
        raise ValueError(
            f"scale=True is not possible {reason}: use `scale=False`, with kerneltron.features.Scaler before "
            "the learner."
        )


def scales(method: Any) -> bool:
    """Tell whether a method, whose model has weights for the columns of rows, is to scale them."""
    return bool(method.scale) and not obstacle(method)


def obstacle(method: Any) -> str:
    """Return what keeps columns from being scaled as rows are visited; nothing where they can be."""
    from kerneltron.kernels.linear import Linear
    from kerneltron.models.hypotheses import hypothesis

    if method.parsed_kernel != Linear():
        return f"with kernel={method.parsed_kernel}, whose features are not the columns"
    if method.representation == "dual" or method.budget is not None or method.eta is not None:
        return "in dual form, which remembers rows as they are"
    if method.approximation is not None:
        return f"in the features of {method.approximation}"
    if method.delta:
        return "with delta, a feature that each example has alone"
    if hypothesis(method.hypothesis).keeps_moves:
        return f"with hypothesis={method.hypothesis!r}, which remembers rows as they are"
    return ""
