"""Where the columns of rows are brought to one scale: inside of the model, in front of it, or nowhere.

A model with a weight for each column scales row by row, and has its vectors for rows as they are
(`models.scaled`). In front of any other, `Learner.scaler` scales rows before they are mapped, compared or
remembered.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kerneltron.learning.method import Method
    from kerneltron.scaling.column_scaler import ColumnScaler
    from kerneltron.stream.hashing import Hashing

SCALE = (
    "Bring columns to one scale, so that it does not matter what they are measured in: columns that are "
    "mostly not 0 are centred and divided by their deviation, others divided by the root of their mean "
    "square; outliers count for less. With the linear kernel in primal form this is done row by row, by the "
    "rows so far; rows then have the squared length 1 on average, and `coef_` and `intercept_` are for rows "
    "as they are. In front of other kernels, budgets and maps, `fit` scales by all rows, and `partial_fit` "
    "by those so far: what is remembered is scaled. 'auto' scales where it is done row by row."
)


def check_scale(method: Any) -> None:
    """Raise unless a method that is to scale can do so."""
    if not (isinstance(method.scale, bool) or method.scale == "auto"):
        raise ValueError(f"scale={method.scale!r} is not known: give True, False or 'auto'.")
    if method.scale is True and (reason := _without_columns(method)):
        raise ValueError(f"scale=True is not possible {reason}: use `scale=False`.")


def scales_inside(method: Any) -> bool:
    """Return whether the model of a method scales columns, for which it has weights."""
    return bool(method.scale) and _has_weights_for_columns(method)


def scales_in_front(method: Any) -> bool:
    """Return whether rows are scaled in front of the model: only where `scale=True` was given."""
    return method.scale is True and not _has_weights_for_columns(method)


def scaler_in_front(method: Any, width: int) -> "ColumnScaler | None":
    """Return the scaler of rows in memory, which has counted nothing; None where the model takes them raw."""
    if not scales_in_front(method):
        return None
    from kerneltron.scaling.column_scaler import ABSENT_IS_ZERO, ColumnScaler

    return ColumnScaler(width, ABSENT_IS_ZERO._replace(centres=not method.non_negative_only))


def scaler_of_stream(hashing: "Hashing", method: "Method") -> "ColumnScaler":
    """Return a scaler that has counted nothing yet, for rows that are made in this way.

    Rows that are to have length 1 get it behind the scaler: before it, a large number would leave the other
    features of its row next to nothing. Raises a ValueError where there is nothing to scale.
    """
    from kerneltron.scaling.column_scaler import ABSENT_IS_UNKNOWN, ColumnScaler

    if hashing.binary:
        raise ValueError(
            "choose `scale` or `binary`, not both: the latter makes every value 1, which leaves nothing to "
            "scale."
        )
    scaling = ABSENT_IS_UNKNOWN._replace(centres=not method.non_negative_only)
    return ColumnScaler(hashing.slots, scaling, hashing.normalize)


def _without_columns(method: Any) -> str:
    """Return why there are no columns of numbers to scale; nothing where there are."""
    kernel = getattr(method, "parsed_kernel", None)
    if kernel is None or kernel.domain in ("vectors", "anything"):
        return ""
    return f"with kernel={kernel}, which compares {kernel.domain}"


def _has_weights_for_columns(method: Any) -> bool:
    """Return whether the model has a weight for each column, and remembers no rows."""
    from kerneltron.kernels.linear import Linear
    from kerneltron.models.hypotheses import hypothesis

    if not method.scales_as_it_goes or method.parsed_kernel != Linear():
        return False
    if method.approximation is not None or method.delta:
        return False
    remembers = method.representation == "dual" or method.budget is not None or method.eta is not None
    return not remembers and not hypothesis(method.hypothesis).keeps_moves
