from .bounds import best_delta as best_delta
from .bounds import delta_bound as delta_bound
from .bounds import deviation as deviation
from .bounds import inseparable_bound as inseparable_bound
from .bounds import separable_bound as separable_bound
from .bounds import vector_bound as vector_bound
from .certificates import Certificate as Certificate
from .certificates import Certificates as Certificates
from .concept_classes import ConceptClass as ConceptClass
from .concept_classes import conjunctions as conjunctions
from .concept_classes import decision_lists as decision_lists
from .concept_classes import decision_trees as decision_trees
from .concept_classes import monotone_conjunctions as monotone_conjunctions
from .dimensions import conjunction_bound as conjunction_bound
from .dimensions import embedded as embedded
from .games import Orthonormal as Orthonormal
from .games import Played as Played
from .games import WorstCase as WorstCase
from .games import play as play
from .hashing import distances_tail as distances_tail
from .hashing import hashed_variance as hashed_variance
from .hashing import norm_tail as norm_tail
from .hashing import product_tail as product_tail
from .hindsight import Best as Best
from .hindsight import best_in_hindsight as best_in_hindsight
from .hindsight import full_gradient as full_gradient
from .lemmas import Lemmas as Lemmas
from .lessons import monomials as monomials
from .lessons import positive_diagonal as positive_diagonal
from .lessons import strict_update as strict_update
from .margins import LargestMargin as LargestMargin
from .margins import largest_margin as largest_margin
from .margins import margin_of as margin_of
from .online_to_batch import counted_after as counted_after
from .online_to_batch import mean_vector as mean_vector
from .online_to_batch import used_for as used_for
from .regret import growth_exponent as growth_exponent
from .regret import online_gradient as online_gradient
from .regret import regret as regret
from .regret import scores_before as scores_before
from .worst_cases import halving_mistakes as halving_mistakes
from .worst_cases import optimal_mistakes as optimal_mistakes
from .worst_cases import vc_dimension as vc_dimension

__all__ = [
    "Best",
    "Certificate",
    "Certificates",
    "ConceptClass",
    "LargestMargin",
    "Lemmas",
    "Orthonormal",
    "Played",
    "WorstCase",
    "best_delta",
    "best_in_hindsight",
    "conjunction_bound",
    "conjunctions",
    "counted_after",
    "decision_lists",
    "decision_trees",
    "delta_bound",
    "deviation",
    "distances_tail",
    "embedded",
    "full_gradient",
    "growth_exponent",
    "halving_mistakes",
    "hashed_variance",
    "inseparable_bound",
    "largest_margin",
    "margin_of",
    "mean_vector",
    "monomials",
    "monotone_conjunctions",
    "norm_tail",
    "online_gradient",
    "optimal_mistakes",
    "play",
    "positive_diagonal",
    "product_tail",
    "regret",
    "scores_before",
    "separable_bound",
    "strict_update",
    "used_for",
    "vc_dimension",
    "vector_bound",
]
