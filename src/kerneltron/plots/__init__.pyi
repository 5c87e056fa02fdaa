from .boundary import boundary as boundary
from .errors import draw_errors as draw_errors
from .hashing import Deviation as Deviation
from .hashing import draw_hashing as draw_hashing
from .personal import draw_personal as draw_personal

__all__ = [
    "Deviation",
    "boundary",
    "draw_errors",
    "draw_hashing",
    "draw_personal",
]
