"""Scalers as contents of a file: their parameters, and what they know of the columns."""

from typing import Any

import numpy as np

from kerneltron.features.scaler import ABSENT, Scaler
from kerneltron.files import scalers
from kerneltron.files.contents import Contents, ModelFileError

NAMES = "feature_names_in_"


def includes(thing: Any) -> bool:
    """Return whether a thing is a scaler itself, and not of a subclass."""
    return type(thing) is Scaler


def state(scaler: Scaler) -> Contents:
    """Return what is to be saved of a scaler: it scales by the parameters with which it was fitted."""
    known = scaler.scaler_
    header: dict[str, Any] = {
        "with_mean": scaler.with_mean if isinstance(scaler.with_mean, str) else bool(scaler.with_mean),
        "with_std": known.scaling.divides,
        "absent": "zero" if known.scaling.absent_is_zero else "missing",
        "robust": known.scaling.is_robust,
        "unit_rows": known.unit_rows,
        "fitted": True,  # in older files it may not be
        "centres": known.scaling.centres,
        "n_features_in_": scaler.n_features_in_,
    }
    if hasattr(scaler, NAMES):
        header[NAMES] = [str(name) for name in getattr(scaler, NAMES)]
    return Contents(header, {}).with_part("columns", scalers.state(known))


def restore(contents: Contents) -> Scaler:
    """Return the scaler, as it was."""
    is_auto = contents.header.get("with_mean") == "auto"
    made = Scaler(
        with_mean="auto" if is_auto else contents.truth("with_mean"),
        with_std=contents.truth("with_std"),
        absent=contents.text("absent", ABSENT),
        robust="robust" in contents.header and contents.truth("robust"),  # older ones were not
        unit_rows="unit_rows" in contents.header and contents.truth("unit_rows"),
    )
    if not contents.truth("fitted"):
        return made
    made.centres_ = contents.truth("centres")
    made.n_features_in_ = contents.whole("n_features_in_", 1, most=2**31 - 1)
    part = contents.part("columns" if "columns" in contents.header else "moments")  # of older files
    made.scaler_ = scalers.restore(part, made.n_features_in_, made.scaling(), made.unit_rows)
    if NAMES in contents.header:
        names = contents.items(NAMES)
        if len(names) != made.n_features_in_:
            raise ModelFileError(f"{len(names)} names do not fit {made.n_features_in_} columns")
        setattr(made, NAMES, np.array(names, dtype=object))
    return made
