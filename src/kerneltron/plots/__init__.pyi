from .boundary import BoundaryDisplay as BoundaryDisplay
from .counter_example import draw_counter_example as draw_counter_example
from .errors import draw_errors as draw_errors
from .expansion import ExpansionDisplay as ExpansionDisplay
from .gram import GramDisplay as GramDisplay
from .hashing import Deviation as Deviation
from .hashing import draw_hashing as draw_hashing
from .learning_curves import LearningCurvesDisplay as LearningCurvesDisplay
from .lemmas import LemmasDisplay as LemmasDisplay
from .lift import LiftDisplay as LiftDisplay
from .mistakes import MistakesDisplay as MistakesDisplay
from .mixing import draw_mixing as draw_mixing
from .personal import draw_personal as draw_personal
from .progressive_error import ProgressiveErrorDisplay as ProgressiveErrorDisplay
from .run import RunDisplay as RunDisplay
from .separator import SeparatorDisplay as SeparatorDisplay
from .support_images import SupportImagesDisplay as SupportImagesDisplay
from .weights import WeightsDisplay as WeightsDisplay

__all__ = [
    "BoundaryDisplay",
    "Deviation",
    "ExpansionDisplay",
    "GramDisplay",
    "LearningCurvesDisplay",
    "LemmasDisplay",
    "LiftDisplay",
    "MistakesDisplay",
    "ProgressiveErrorDisplay",
    "RunDisplay",
    "SeparatorDisplay",
    "SupportImagesDisplay",
    "WeightsDisplay",
    "draw_counter_example",
    "draw_errors",
    "draw_hashing",
    "draw_mixing",
    "draw_personal",
]
