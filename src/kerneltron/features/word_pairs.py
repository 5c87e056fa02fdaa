"""Pairs of words that stand near each other, in their order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kerneltron.engine.strings.hashing import hash_pairs
from kerneltron.features._spans import Spans
from kerneltron.kernels.bags import Found
from kerneltron.kernels.parameters import whole
from kerneltron.kernels.ragged import Ragged
from kerneltron.kernels.strings.reading import Symbols
from kerneltron.kernels.strings.runs import run_starts


@dataclass(eq=False, repr=False)
class WordPairs(Spans):
    """Count ordered pairs of words (w_i, w_j) with i < j <= i + window, named "likes_cake".

    What a bag of words cannot tell apart differs here. Words between the two do not matter, nor how far they
    are apart within the window. Time and memory are O(words window).

    An example is a text, whose words are those that `Hasher` finds, or a list of tokens, text or numbers,
    which are taken as they are. `fit` learns which features there are, and `transform` drops others. To have
    single words as well, join this and `NGrams(1, 1)` by scikit-learn's `make_union`.

    Parameters
    ----------
    window
        How far apart two words may stand: 1 for neighbours alone.
    lowercase
        Bring texts to lower case.

    Examples
    --------
    >>> from kerneltron.features import WordPairs
    >>> likings = ["John likes cake and hates carrots", "John likes carrots and hates cake"]
    >>> pairs = WordPairs(1).fit(likings)
    >>> names = pairs.get_feature_names_out()
    >>> first, second = pairs.transform(likings).toarray().astype(bool)
    >>> names[first & ~second].tolist(), names[second & ~first].tolist()
    (['likes_cake', 'cake_and', 'hates_carrots'], ['likes_carrots', 'carrots_and', 'hates_cake'])
    """

    window: int = 2
    lowercase: bool = True

    def _check(self) -> None:
        whole("window", self.window, 1)

    def _lengths(self) -> tuple[int, int]:
        return 2, int(self.window) + 1

    def _find(self, symbols: Ragged[Symbols], shortest: int, longest: int) -> Found:
        starts = run_starts(symbols.lengths, shortest, longest)
        ids = np.empty(starts[-1], np.uint64)
        hash_pairs(symbols.flat.ids, symbols.starts, longest - 1, ids)
        return Found(ids, starts)

    def _name(self, run: Sequence[str]) -> str:
        return f"{run[0]}_{run[-1]}"
