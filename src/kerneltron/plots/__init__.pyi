from .boundary import BoundaryDisplay as BoundaryDisplay
from .counter_example import draw_counter_example as draw_counter_example
from .dimensions import DimensionsDisplay as DimensionsDisplay
from .errors import draw_errors as draw_errors
from .expansion import ExpansionDisplay as ExpansionDisplay
from .games import GamesDisplay as GamesDisplay
from .gram import GramDisplay as GramDisplay
from .hashing import Deviation as Deviation
from .hashing import TailDisplay as TailDisplay
from .hashing import draw_hashing as draw_hashing
from .hypotheses import HypothesesDisplay as HypothesesDisplay
from .learning_curves import LearningCurvesDisplay as LearningCurvesDisplay
from .lemmas import LemmasDisplay as LemmasDisplay
from .lift import LiftDisplay as LiftDisplay
from .mistakes import MistakesDisplay as MistakesDisplay
from .mixing import draw_mixing as draw_mixing
from .overfitting import OverfittingDisplay as OverfittingDisplay
from .personal import PersonalDisplay as PersonalDisplay
from .personal import SlotsDisplay as SlotsDisplay
from .personal import draw_personal as draw_personal
from .progressive_error import ProgressiveErrorDisplay as ProgressiveErrorDisplay
from .ratings import RatingsDisplay as RatingsDisplay
from .regret import RegretDisplay as RegretDisplay
from .run import RunDisplay as RunDisplay
from .scaling import ScalingDisplay as ScalingDisplay
from .separator import SeparatorDisplay as SeparatorDisplay
from .support_images import SupportImagesDisplay as SupportImagesDisplay
from .weights import WeightsDisplay as WeightsDisplay
from .winnow import GrowthDisplay as GrowthDisplay

__all__ = [
    "BoundaryDisplay",
    "Deviation",
    "DimensionsDisplay",
    "ExpansionDisplay",
    "GamesDisplay",
    "GramDisplay",
    "GrowthDisplay",
    "HypothesesDisplay",
    "LearningCurvesDisplay",
    "LemmasDisplay",
    "LiftDisplay",
    "MistakesDisplay",
    "OverfittingDisplay",
    "PersonalDisplay",
    "ProgressiveErrorDisplay",
    "RatingsDisplay",
    "RegretDisplay",
    "RunDisplay",
    "ScalingDisplay",
    "SeparatorDisplay",
    "SlotsDisplay",
    "SupportImagesDisplay",
    "TailDisplay",
    "WeightsDisplay",
    "draw_counter_example",
    "draw_errors",
    "draw_hashing",
    "draw_mixing",
    "draw_personal",
]
