"""What the machine code is made of: the engine's source."""

from functools import cache
from hashlib import sha256
from pathlib import Path

ENGINE = Path(__file__).parent.parent
# Raised when what a door needs of Python and NumPy changes: where fields stand, which functions there are.
ABI = 1


@cache
def engine_digest() -> str:
    """Return a digest of all files that end up in machine code; takes 4 ms."""
    digest = sha256()
    for path in sorted((*ENGINE.rglob("*.py"), ENGINE.parent / "_types.py")):
        digest.update(path.relative_to(ENGINE.parent).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
