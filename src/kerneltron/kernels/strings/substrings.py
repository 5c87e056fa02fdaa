"""Substrings of all lengths, by suffix automata."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.strings.automaton import States, common_substrings, most_symbols, own_substrings
from kerneltron.engine.strings.encoded import EncodedStrings
from kerneltron.engine.strings.transitions import Edges, Table, Transitions
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import positive, whole
from kerneltron.kernels.strings.strings import Strings, both_sides, fill, strings
from kerneltron.kernels.threads import in_threads

MOST_SYMBOLS, MOST_ENTRIES = 64, 2**24  # of a table of transitions; a larger one is a hash of edges
FEW_SYMBOLS = 32  # in all strings: so few that it does not pay to count those of each string
BUILDING = 4  # symbols that are walked in the time in which one is added to an automaton


@dataclass(frozen=True, repr=False)
class Substrings(Kernel):
    """k(x, z) = sum over all non-empty strings s of decay^|s| occ_x(s) occ_z(s).

    Every substring of whatever length is a feature, and counts as often as it occurs. The suffix automaton of
    one string knows how often each of its substrings occurs, and the other is walked through it once: a value
    costs O(|x| + |z|), and k(x, x) O(|x|). An automaton, which is not kept, takes 100 to 160 bytes
    per symbol.

    Parameters
    ----------
    decay
        What a further symbol multiplies the weight of a substring by, above 0 and at most 1.
    max_length
        The longest substrings that count, or None for all.

    References
    ----------
    Vishwanathan and Smola (2003), Fast kernels for string and tree matching.
    Blumer and others (1985), The smallest automaton recognizing the subwords of a text.

    Examples
    --------
    >>> from kerneltron.kernels import Substrings
    >>> Substrings()(["aba"], ["ab", "ba", "b", "c"])  # a twice, b, ab; a twice, b, ba; b; nothing
    array([[4., 4., 1., 0.]])
    >>> Substrings(decay=0.5)(["aba"], ["ab"])  # 2/2 + 1/2 + 1/4
    array([[1.75]])
    """

    decay: float = 1.0
    max_length: int | None = None

    domain = "strings"

    def __post_init__(self) -> None:
        positive("decay", self.decay)
        if self.decay > 1:
            raise ValueError(f"decay={self.decay!r} must be at most 1.")
        if self.max_length is not None:
            whole("max_length", self.max_length, 1)

    def _fill(self, pack: Pack, X: Any) -> None:
        fill(pack, X)

    def _enter(self, pack: Pack, X: Any) -> None:
        """Fill the pack; bounds on k(x, x) need no automaton, which costs as much as three walks."""
        self._fill(pack, X)
        n = float(strings(pack).longest)
        most, least = n * (n + 1) * (2 * n + 1) / 6, float(self.decay)  # of n equal symbols, of one
        pack.largest = max(pack.largest, most, 1 / least)

    def _diag(self, pack: Pack) -> Floats:
        part = strings(pack)
        if self not in part.squares:
            part.squares[self] = self._squares(part)
        return part.squares[self].copy()

    def _squares(self, part: Strings) -> Floats:
        encoded, squares = part.encoded(), np.empty(len(part))
        automata = _EmptyAutomata(encoded, len(part.vocabulary))
        W = self._weights(automata.longest)

        def work(first: int, end: int) -> None:
            own_substrings(*automata.make(), encoded, first, end, W, squares)

        in_threads(work, len(part))
        return squares

    def _block(self, pair: Pair) -> Floats:
        left, right = both_sides(pair)
        is_turned = _cost(right, left) < _cost(left, right)
        rows, others = (right, left) if is_turned else (left, right)
        block = np.empty((rows.starts.size - 1, others.starts.size - 1))
        automata = _EmptyAutomata(rows, len(strings(pair.left).vocabulary))
        W = self._weights(automata.longest)

        def work(first: int, end: int) -> None:
            common_substrings(*automata.make(), rows, others, first, end, W, block)

        in_threads(work, len(block))
        return np.ascontiguousarray(block.T if is_turned else block, pair.dtype)

    def _weights(self, longest: int) -> Floats:
        """Return W[n], what substrings of 1 to n symbols, one of each length, weigh together."""
        most = longest if self.max_length is None else min(longest, int(self.max_length))
        if self.decay == 1:  # its powers would take half as long as an automaton
            W: Floats = np.minimum(np.arange(longest + 1.0), most)
            return W
        weights = float(self.decay) ** np.arange(longest + 1.0)
        weights[0] = weights[most + 1 :] = 0.0
        return np.cumsum(weights)


def _cost(rows: EncodedStrings, others: EncodedStrings) -> int:
    """Return about how many symbols are walked, where the automata are those of `rows`."""
    return BUILDING * int(rows.starts[-1]) + (rows.starts.size - 1) * int(others.starts[-1])


class _EmptyAutomata:
    """Arrays that hold the automaton of any of these strings."""

    def __init__(self, encoded: EncodedStrings, symbols: int) -> None:
        self.longest, self.symbols = int(np.diff(encoded.starts).max(initial=0)), symbols
        self.width = symbols + int(encoded.codes.min(initial=0) < 0)
        if symbols > FEW_SYMBOLS:
            self.width = most_symbols(encoded, np.full(symbols + 1, -1, np.int64))

    def make(self) -> tuple[Transitions, States]:
        """Return new arrays, for a thread of its own."""
        size = 2 * self.longest + 2
        states = States(
            np.empty((size, 2), np.int32),
            np.empty((size, 2)),
            np.empty(size, np.int32),
            np.empty(self.longest + 1, np.int32),
            np.full(self.symbols + 1, -1, np.int32),
        )
        if self.width <= MOST_SYMBOLS and self.width * size <= MOST_ENTRIES:
            return Table(np.empty(size * self.width, np.int32), self.width), states
        edges = 3 * self.longest + 1
        sources, symbols, targets, older = (np.empty(edges, np.int32) for _ in range(4))
        slots = np.empty(1 << (2 * edges - 1).bit_length(), np.int32)
        heads, made = np.empty(size, np.int32), np.zeros(1, np.int64)
        return Edges(sources, symbols, targets, older, heads, slots, made), states
