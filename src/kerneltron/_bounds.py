"""The second line of defence: rows, visits and weights that a compiled loop gets belong together.

Compiled loops check no bounds. Whoever makes rows looks at every entry once (`_validate.as_csr`,
`_matrices.sound`, the readers of streams, `restore` of model files). This looks again in front of each loop,
at sizes alone and in time that does not grow with the rows: a caller that forgot its check, or an attribute
that was changed behind our back, ends in an error and not anywhere in memory.
"""

from kerneltron._types import Dense, Floats, Integers, Log, Rows, Trace, Visits, Weights


def check_rows(rows: Rows, width: int) -> int:
    """Return the number of rows; raise unless they are whole, and for `width` columns."""
    if rows.width != width:
        raise ValueError(
            f"the rows have {rows.width} columns and the learner has weights for {width}: give the columns "
            "that it was trained on (was n_features_in_ changed?)."
        )
    if isinstance(rows, Dense):
        count = rows.values.size // width if width else 0
        is_whole = rows.values.size == count * width
    else:
        count = rows.starts.size - 1
        is_whole = count >= 0 and rows.values.size == rows.indices.size
        is_whole = is_whole and rows.starts[0] == 0 and 0 <= rows.starts[-1] <= rows.values.size
    if not is_whole:
        raise ValueError("the rows are damaged: their arrays do not fit together.")
    return count


def check_weights(weights: Weights, features: int) -> None:
    """Raise unless all arrays of the weights are for this many features, in the columns that they have."""
    columns = weights.scale.size
    by_column = (weights.mass, weights.norm, weights.clock, weights.updates)
    by_feature = (weights.u, weights.negative, weights.kept)
    if (
        weights.v.size != features * columns
        or any(array.size != columns for array in by_column)
        or any(array.size not in (0, weights.v.size) for array in by_feature)
        or weights.drift.size not in (0, columns)
    ):
        raise ValueError("the weights are damaged: their arrays do not fit together.")


def check_visits(visits: Visits, trace: Trace, rows: int, columns: int) -> None:
    """Raise unless all visits are to rows that exist, of classes that have a column.

    A visit is a moment of a loop: to look at it here costs less than a hundredth of that.
    """
    count = visits.order.size
    classes = 2 if columns == 1 else columns
    codes = visits.codes
    if (
        len(codes) != count
        or visits.importance.size != count
        or not _all_below(visits.order, rows)
        or (codes.shape[1] != columns if codes.ndim == 2 else not _all_below(codes, classes))
        or trace.asked.size not in (0, count)
        or not _all_below(trace.asked, rows)
        or any(
            array.shape[0] not in (0, count) or array.shape[1] != columns
            for array in trace
            if array is not trace.asked
        )
    ):
        raise ValueError("the visits are damaged: they name rows or classes that do not exist.")


def check_places(places: Integers, size: int) -> None:
    """Raise unless all places are from 0 to below `size`."""
    if not _all_below(places, size):
        raise ValueError("the visits are damaged: they name rows that do not exist.")


def check_log(log: Log, products: Floats, now: Floats, columns: int) -> None:
    """Raise unless all moves are of columns that exist, and by rows that there are products with."""
    count = log.ticks.size
    if (
        any(array.size != count for array in log)
        or now.shape != (products.shape[0], columns)
        or not _all_below(log.slots, products.shape[1])
        or not _all_below(log.columns, columns)
    ):
        raise ValueError("the log of the vote is damaged: it names rows or columns that do not exist.")


def _all_below(places: Integers, size: int) -> bool:
    """Return whether all places are from 0 to below `size`; negative numbers are large unsigned ones."""
    if places.size == 1:  # as of a call with one row
        return 0 <= int(places.item()) < size
    return not places.size or int(places.view(f"u{places.itemsize}").max()) < size
