"""What a kernel value costs: little, where examples are short rows of numbers."""

from kerneltron._validate import is_sparse
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.vectors import KEY

# Rows of at most this many numbers are compared in a nanosecond or two. To keep a value takes as long, in
# memory that was not used before, and ten times as long on virtual machines that give memory back.
FEW_COLUMNS = 64


def are_cheap(pack: Pack) -> bool:
    """Tell whether the kernel values of examples cost less to compute than to keep."""
    rows = [part.X for key, part in pack.parts.items() if key == KEY]  # type: ignore[attr-defined]
    is_small = all(not is_sparse(X) and X.shape[1] <= FEW_COLUMNS for X in rows)
    return bool(rows) and len(pack.parts) == 1 and is_small
