"""What kernel values cost: little for short rows of numbers; and when threads are worth it."""

from kerneltron._validate import is_sparse
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.vectors import KEY, vectors

# Rows of at most this many numbers are compared in a nanosecond or two. To keep a value takes as long, in
# memory that was not used before, and ten times as long on virtual machines that give memory back.
FEW_COLUMNS = 64
# Multiplications that are worth a thread for each core: about 0.1 ms. To wake a thread takes some 50
# microseconds on an idle machine; with 2**25 ten passes over MNIST take 2.32 s in place of 2.25.
SHARED = 2**22


def are_dense(pack: Pack) -> bool:
    """Return whether the examples are dense rows of numbers and nothing else: products are all they cost."""
    return len(pack.parts) == 1 and KEY in pack.parts and not is_sparse(vectors(pack).X)


def are_cheap(pack: Pack) -> bool:
    """Return whether the kernel values of examples cost less to compute than to keep."""
    return are_dense(pack) and vectors(pack).width <= FEW_COLUMNS


def are_worth_threads(pack: Pack, values: int) -> bool:
    """Return whether to share this many kernel values of dense rows between the cores."""
    return are_dense(pack) and values * max(vectors(pack).width, FEW_COLUMNS) >= SHARED


def resident_size(pack: Pack) -> int:
    """Return the bytes that a comparison with all examples reads, where reading is most of what it costs."""
    return int(vectors(pack).X.nbytes) if are_dense(pack) else 0
