"""What this processor can do."""

from functools import cache

import llvmlite.binding as llvm


@cache
def features() -> frozenset[str]:
    """Return the names of its instructions beyond the basic ones; none where LLVM cannot tell."""
    try:
        return frozenset(name for name, is_there in llvm.get_host_cpu_features().items() if is_there)
    except RuntimeError:
        return frozenset()
