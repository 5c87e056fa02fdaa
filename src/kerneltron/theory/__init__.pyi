from .bounds import best_delta as best_delta
from .bounds import delta_bound as delta_bound
from .bounds import deviation as deviation
from .bounds import inseparable_bound as inseparable_bound
from .bounds import separable_bound as separable_bound
from .bounds import vector_bound as vector_bound
from .certificates import Certificate as Certificate
from .certificates import Certificates as Certificates
from .certificates import certify as certify
from .lemmas import Lemmas as Lemmas
from .margins import LargestMargin as LargestMargin
from .margins import largest_margin as largest_margin
from .margins import margin_of as margin_of

__all__ = [
    "Certificate",
    "Certificates",
    "LargestMargin",
    "Lemmas",
    "best_delta",
    "certify",
    "delta_bound",
    "deviation",
    "inseparable_bound",
    "largest_margin",
    "margin_of",
    "separable_bound",
    "vector_bound",
]
