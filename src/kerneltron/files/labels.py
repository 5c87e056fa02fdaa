"""Labels: numbers as a tensor, text as it is; both keep their type."""

from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron.files.contents import Contents, ModelFileError

WIDTHS = {"U": 4, "S": 1}  # bytes of a character, of NumPy's text and of its bytes
SPARE_LENGTH = 256  # characters that a type may allow for, even where the longest text has far fewer
# NumPy's text has the same number of bytes for every label: one long name among many short ones takes a
# thousand times its own size. Labels that would take more than LARGE bytes, and more than TIMES bytes for
# each character that is there, are Python's text.
LARGE, TIMES = 2**26, 64


def state(labels: Anything) -> Contents:
    """Return the contents of sorted labels.

    Examples
    --------
    >>> state(np.array(["ham", "spam"])).header
    {'type': 'U', 'text': ['ham', 'spam'], 'length': 4}
    """
    type_code = labels.dtype.kind
    if type_code not in ("O", *WIDTHS):
        return Contents({"type": labels.dtype.name}, {"labels": labels})
    items = [_text(label) for label in labels.tolist()]
    if type_code == "O":
        return Contents({"type": type_code, "text": items}, {})
    length, longest = labels.dtype.itemsize // WIDTHS[type_code], max(map(len, items), default=0)
    length = length if length <= max(SPARE_LENGTH, 4 * longest) else longest
    return Contents({"type": type_code, "text": items, "length": length}, {})


def restore(contents: Contents) -> Anything:
    """Return the labels; raise unless they are sorted and different."""
    labels: Anything = _labels(contents)
    if not labels.size or not (labels[1:] > labels[:-1]).all():
        raise ModelFileError("the classes are not sorted and different, or there is none")
    return labels


def _labels(contents: Contents) -> Any:
    type_code = contents.text("type")
    if type_code not in ("O", *WIDTHS):
        labels = contents.tensors.get("labels")
        if labels is None or labels.ndim != 1 or labels.dtype.name != type_code:
            raise ModelFileError(f"there is no list of {type_code[:20]} for the classes")
        return labels
    items = contents.items("text")
    if not all(isinstance(item, str) for item in items):
        raise ModelFileError("a class is not the text that it should be")
    if type_code == "O":
        return np.array(items, dtype=object)
    longest = max(map(len, items), default=0)
    length = contents.whole("length", longest, max(SPARE_LENGTH, 4 * longest))
    given: Any = items if type_code == "U" else [item.encode("latin-1") for item in items]
    if len(items) * length * WIDTHS[type_code] > max(LARGE, TIMES * sum(map(len, items))):
        return np.array(given, dtype=object)
    return np.array(given, dtype=f"{type_code}{length}")


def _text(label: Any) -> str:
    if isinstance(label, bytes):
        return label.decode("latin-1")
    if not isinstance(label, str):
        raise ValueError(f"the label {label!r} cannot be saved: labels are numbers or text.")
    return str(label)
