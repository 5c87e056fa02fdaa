from .boundary import BoundaryDisplay as BoundaryDisplay
from .counter_example import draw_counter_example as draw_counter_example
from .errors import draw_errors as draw_errors
from .hashing import Deviation as Deviation
from .hashing import draw_hashing as draw_hashing
from .lemmas import LemmasDisplay as LemmasDisplay
from .mistakes import MistakesDisplay as MistakesDisplay
from .mixing import draw_mixing as draw_mixing
from .personal import draw_personal as draw_personal
from .progressive_error import ProgressiveErrorDisplay as ProgressiveErrorDisplay
from .run import RunDisplay as RunDisplay
from .separator import SeparatorDisplay as SeparatorDisplay

__all__ = [
    "BoundaryDisplay",
    "Deviation",
    "LemmasDisplay",
    "MistakesDisplay",
    "ProgressiveErrorDisplay",
    "RunDisplay",
    "SeparatorDisplay",
    "draw_counter_example",
    "draw_errors",
    "draw_hashing",
    "draw_mixing",
    "draw_personal",
]
