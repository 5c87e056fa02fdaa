from .hasher import Hasher as Hasher
from .ngrams import NGrams as NGrams
from .patterns import Patterns as Patterns
from .substructures import Substructures as Substructures
from .word_pairs import WordPairs as WordPairs

__all__ = [
    "Hasher",
    "NGrams",
    "Patterns",
    "Substructures",
    "WordPairs",
]
