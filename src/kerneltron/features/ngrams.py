"""Runs of neighbouring words."""

from collections.abc import Sequence
from dataclasses import dataclass

from kerneltron.features._spans import Spans
from kerneltron.kernels.bags import Found
from kerneltron.kernels.parameters import whole
from kerneltron.kernels.ragged import Ragged
from kerneltron.kernels.strings.reading import Symbols
from kerneltron.kernels.strings.runs import find_runs


@dataclass(eq=False, repr=False)
class NGrams(Spans):
    """Count runs of `shortest` to `longest` neighbouring words: w_i ... w_(i+n-1), named "likes_cake".

    An example is a text, whose words are those that `Hasher` finds, or a list of tokens, text or numbers,
    which are taken as they are. Time and memory are O(words (longest - shortest + 1)). `fit` learns which
    features there are, and `transform` drops others; where they are too many, take `Hasher(ngrams=2)`.

    Parameters
    ----------
    shortest, longest
        How many words a run has, at least and at most.
    lowercase
        Bring texts to lower case.

    Examples
    --------
    >>> from kerneltron.features import NGrams
    >>> ngrams = NGrams(1, 2)
    >>> ngrams.fit_transform(["John likes cake", "cake likes John"]).toarray()
    array([[1., 1., 1., 1., 1., 0., 0.],
           [1., 0., 1., 0., 1., 1., 1.]])
    >>> ngrams.get_feature_names_out().tolist()
    ['john', 'john_likes', 'likes', 'likes_cake', 'cake', 'cake_likes', 'likes_john']
    """

    shortest: int = 1
    longest: int = 2
    lowercase: bool = True

    def _check(self) -> None:
        whole("shortest", self.shortest, 1)
        whole("longest", self.longest, 1)
        if self.longest < self.shortest:
            raise ValueError(f"longest={self.longest} must be at least shortest={self.shortest}.")

    def _lengths(self) -> tuple[int, int]:
        return int(self.shortest), int(self.longest)

    def _find(self, symbols: Ragged[Symbols], shortest: int, longest: int) -> Found:
        return find_runs(symbols, shortest, longest)

    def _name(self, run: Sequence[str]) -> str:
        return "_".join(run)
