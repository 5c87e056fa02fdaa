"""Patterns of one's own over trees, chunked sentences and graphs, counted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin

from kerneltron._types import Anything
from kerneltron.features._counted import examples_of
from kerneltron.features._patterns.chunks import ChunkMatcher, parse_chunks
from kerneltron.features._patterns.graphs import GraphMatcher, parse_graph
from kerneltron.features._patterns.labels import Abstraction
from kerneltron.features._patterns.syntax import QUOTED, PatternSyntaxError
from kerneltron.features._patterns.trees import TreeMatcher, parse_tree
from kerneltron.kernels.ragged import starts_of

# How each kind of example is called, its patterns are read, and are looked for.
KINDS: Mapping[str, tuple[Callable[[str], Any], Callable[[Any, Abstraction], Any]]] = {
    "trees": (parse_tree, TreeMatcher),
    "chunked sentences": (parse_chunks, ChunkMatcher),
    "graphs": (parse_graph, GraphMatcher),
}


@dataclass(eq=False, repr=False)
class Patterns(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Count where patterns are found in trees, in chunked sentences or in graphs: a column for each pattern.

    The syntax of the patterns says what the examples are:

    - `(S (NP *) ... (VP (VB join)))`: trees, as the kernels over trees take them. Where children are listed
      there must be just these; nothing is said of what is below `*`, `join` or `(NP)`. Counted are the nodes
      of the tree where the top of the pattern is found.
    - `[NP which *] [PP of] [NP ... submarine]`: sentences such as "[NP Which type] [PP of] [NP submarine] did
      he buy", or lists of words and pairs (label, words). `[NP]` is a chunk of any words, a word outside of
      brackets a word outside of chunks. A pattern may begin and end anywhere: counted are the places where
      it begins.
    - `C-N-O`: graphs, as the kernels over graphs take them; a path of three nodes. A node with a mark can be
      met again, so that `C#1-C-C-C-C-C-#1` is a ring and `C#a-N, #a-O, #a-*` is C with three neighbours. More
      edges between the nodes do no harm. Counted are the different places, sets of nodes and edges: `C-C`
      is found once in ethane, though it can be laid on it in two ways.

    In all of them `*` is any one label, `VB*` one that begins with VB, `NN|NNP` one of two, and what stands
    in double quotes means itself: `"*"`. In trees and sentences `...` is any number of children, chunks or
    words, also none.

    A tree or sentence takes time in proportion to its nodes, and at each of them to the parts of patterns
    that are found there, whatever gaps they have. On a graph every way to lay the pattern is tried.

    Parameters
    ----------
    patterns
        Texts, all over the same kind of examples.
    lemma
        What becomes of words (leaves of trees, words of sentences) before they are compared: a function or a
        dict, which leaves other words as they are. Patterns are written as what it makes.
    abstract
        Likewise for labels: of inner nodes of trees, of chunks, and of nodes of graphs.
    lowercase
        Compare words in lower case, also those of patterns; `lemma` then gets them so.

    Examples
    --------
    >>> from kerneltron.features import Patterns
    >>> lemma = {"joins": "join", "joined": "join"}
    >>> joining = Patterns(["[NP John] [VP ... join]", "[NP] ... [NP]"], lemma=lemma)
    >>> sentences = ["[NP John] [VP will join]", "[NP John] [VP joins]", "[NP John] [VP joined] [NP us]"]
    >>> joining.transform(sentences).toarray()
    array([[1., 0.],
           [1., 0.],
           [1., 1.]])
    >>> Patterns(["C-O", "*-C-*"]).transform([([(0, 1), (1, 2)], ["C", "C", "O"])]).toarray()
    array([[1., 1.]])
    """

    patterns: Sequence[str]
    lemma: Any = None
    abstract: Any = None
    lowercase: bool = True

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Check the parameters; X and y are not looked at."""
        self._matcher()
        return self

    def transform(self, X: Any) -> Any:
        """Return a CSR matrix of counts with a row for each example and a column for each pattern.

        Parameters
        ----------
        X
            A sequence of examples, of the kind that the patterns are for.
        """
        counts = list(self._matcher().counts(examples_of(X)))
        entries = [entry for row in counts for entry in sorted(row.items()) if entry[1]]
        columns, values = np.array(entries, np.int64).reshape(-1, 2).T
        starts = starts_of([sum(map(bool, row.values())) for row in counts])
        shape = len(counts), len(self.patterns)
        return sp.csr_matrix((values.astype(np.float64), columns, starts), shape=shape)

    def get_feature_names_out(self, input_features: Any = None) -> Anything:
        """Return the patterns."""
        return np.array(list(self.patterns), dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        return tags

    def _matcher(self) -> Any:
        """Return what looks for the patterns; raise where one is none."""
        means = Abstraction(self.lemma, self.abstract, self.lowercase)
        means.check()
        if isinstance(self.patterns, str):
            raise TypeError(f"patterns is a single text: give [{self.patterns!r}].")
        if not isinstance(self.patterns, Sequence | np.ndarray):
            raise TypeError(f"patterns={self.patterns!r} is not a list of texts.")
        kinds: dict[str, int] = {}
        parsed: dict[str, Any] = {}
        for number, text in enumerate(self.patterns):
            if not isinstance(text, str):
                raise TypeError(f"patterns[{number}] is {text!r}, not a text such as '(NP *)' or 'C-O'.")
            if text in parsed:
                raise ValueError(f"patterns[{number}], {text!r}, is there before.")
            kind = kind_of(text)
            kinds.setdefault(kind, number)
            try:
                parsed[text] = KINDS[kind][0](text)
            except PatternSyntaxError as error:
                raise PatternSyntaxError(text, error.column, error.reason, f"patterns[{number}]") from None
        self._check_kinds(kinds)
        return KINDS[next(iter(kinds))][1](list(parsed.values()), means)

    def _check_kinds(self, kinds: Mapping[str, int]) -> None:
        if not kinds:
            raise ValueError("patterns is empty: there must be at least one.")
        if len(kinds) > 1:
            (one, first), (other, second) = list(kinds.items())[:2]
            raise ValueError(
                f"patterns[{first}] is for {one} and patterns[{second}] for {other}: each kind of examples "
                "needs Patterns of its own."
            )
        if "graphs" in kinds and self.lemma is not None:
            raise ValueError("lemma is for words, and graphs have none: give abstract.")


def kind_of(text: str) -> str:
    """Return the kind of examples that a pattern is for, by its brackets.

    Examples
    --------
    >>> [kind_of(text) for text in ("(NP *)", "[NP *]", "C-O")]
    ['trees', 'chunked sentences', 'graphs']
    """
    unquoted = QUOTED.sub('""', text)
    if unquoted.lstrip().startswith("("):
        return "trees"
    return "chunked sentences" if "[" in unquoted or "]" in unquoted else "graphs"
