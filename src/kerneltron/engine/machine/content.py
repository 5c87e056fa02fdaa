"""What the machine code is made of: the engine's source."""

from functools import cache
from hashlib import sha256
from pathlib import Path

ENGINE = Path(__file__).parent.parent
# Raised when what a door needs of Python and NumPy changes: where fields stand, which functions there are.
ABI = 2


@cache
def engine_digest() -> str:
    """Return the digest of the engine's source when this process began with it."""
    return digest_now()


def digest_now() -> str:
    """Return a digest of all files that end up in machine code; takes 4 ms."""
    digest = sha256()
    for path in sorted((*ENGINE.rglob("*.py"), ENGINE.parent / "_types.py")):
        if path.is_file():  # not what an editor leaves behind
            digest.update(path.relative_to(ENGINE.parent).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def is_as_it_was() -> bool:
    """Return whether the engine's source is still what this process began with.

    After an edit or a `git checkout`, modules that are imported later are others than the digest says.
    """
    try:
        return digest_now() == engine_digest()
    except OSError:
        return False
