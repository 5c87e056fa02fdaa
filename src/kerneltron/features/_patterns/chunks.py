"""Patterns over chunked sentences: [NP which *] [PP of] [NP *]."""

import re
import reprlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from kerneltron.features._patterns.automaton import CHUNK, WORD, Automaton, Sought, bits_of
from kerneltron.features._patterns.labels import Abstraction
from kerneltron.features._patterns.syntax import Source, Token

TOKEN = re.compile(r"\[|\]|[^\s\[\]]+")
GIVE = 'give text as "[NP Which type] [PP of] [NP submarine]", or a list of words and pairs (label, words)'


class Chunk(NamedTuple):
    """Neighbouring words under one label."""

    label: str
    words: Sequence[str]


Sentence: TypeAlias = list[Chunk | str]  # chunks, and words outside of them


def read_sentence(x: Any, name: str = "the sentence") -> Sentence:
    """Return the chunks of a sentence and the words outside of them; errors call it by this name.

    Examples
    --------
    >>> read_sentence("[NP Which type] of [NP submarine]")
    [Chunk(label='NP', words=['Which', 'type']), 'of', Chunk(label='NP', words=['submarine'])]
    """
    if isinstance(x, str):
        return _read_text(x, name)
    if not isinstance(x, list | tuple):
        raise TypeError(f"{name} is {reprlib.repr(x)}, which is not a chunked sentence: {GIVE}.")
    return [_element(element, f"{name}[{place}]") for place, element in enumerate(x)]


def _read_text(text: str, name: str) -> Sentence:
    sentence: Sentence = []
    words: list[str] | None = None  # of the chunk that is open: its label, then its words
    opened = 0
    for match in TOKEN.finditer(text):
        token, where = match.group(), f"{name}, character {match.start()}"
        if token == "[":
            if words is not None:
                raise ValueError(f"{where}: a chunk begins inside the one of character {opened}.")
            words, opened = [], match.start()
        elif token == "]":
            if words is None:
                raise ValueError(f"{where}: ']' closes no chunk; remove it, or add a '[' before.")
            if not words:
                raise ValueError(f"{where}: the chunk has no label; write it after the '['.")
            sentence.append(Chunk(words[0], words[1:]))
            words = None
        else:
            (sentence if words is None else words).append(token)
    if words is not None:
        raise ValueError(f"{name}, character {opened}: this '[' is not closed; add a ']' behind its words.")
    return sentence


def _element(element: Any, name: str) -> Chunk | str:
    if isinstance(element, str):
        return element
    if isinstance(element, list | tuple) and len(element) == 2:
        label, words = element
        is_list = isinstance(words, list | tuple) and all(isinstance(word, str) for word in words)
        if isinstance(label, str) and is_list:
            return Chunk(label, words)
    raise TypeError(
        f"{name} is {reprlib.repr(element)}: give a word, or a pair of a label and a list of words."
    )


def parse_chunks(text: str) -> list[Sought | None]:
    """Return the row of chunks and words that a pattern asks for.

    Examples
    --------
    >>> [len(chunk.row) for chunk in parse_chunks("[NP which *] [PP of]")]
    [2, 1]
    """
    source = Source(text, "[]")
    row: list[Sought | None] = []
    inside: list[Sought | None] | None = None
    opened = source.tokens[0]
    tokens = iter(source.tokens)
    for token in tokens:
        if token.text == "[" and token.is_sign:
            if inside is not None:
                raise source.error(token.column, "a chunk begins inside another one.")
            opened, inside = token, []
            label = _label(source, token, next(tokens, None))
        elif token.text == "]" and token.is_sign:
            if inside is None:
                raise source.error(token.column, "']' closes no chunk.")
            row.append(Sought(label, CHUNK, inside or None))
            inside = None
        else:
            item = None if source.is_gap(token) else Sought(source.label(token), WORD)
            (row if inside is None else inside).append(item)
    if inside is not None:
        raise source.error(opened.column, "this chunk is not closed.")
    for end, verb in ((0, "begins"), (-1, "ends")):
        if row[end] is None:
            raise source.error(source.tokens[end].column, f"a pattern {verb} anywhere: leave out the '...'.")
    return row


def _label(source: Source, opened: Token, token: Token | None) -> Any:
    if token is None or token.is_sign or source.is_gap(token):
        raise source.error(opened.column, "a chunk begins with a label, which may be '*'.")
    return source.label(token)


class ChunkMatcher:
    """Counts at how many places of a sentence each pattern begins: in how many ways does not matter."""

    def __init__(self, rows: Sequence[Sequence[Sought | None]], means: Abstraction) -> None:
        # Sentences are read from their end, so that a pattern is found where it begins.
        self._automaton = Automaton([], [row[::-1] for row in rows], means)
        self._numbers = {end: number for number, end in enumerate(self._automaton.ends)}
        self._ends = sum(self._numbers)

    def counts(self, X: Sequence[Any]) -> Iterator[Counter[int]]:
        """Yield how often each pattern, by its number, is found in each sentence."""
        for place, x in enumerate(X):
            yield Counter(self._hits(read_sentence(x, f"X[{place}]")))

    def _hits(self, sentence: Sentence) -> list[int]:
        """Return the numbers of the patterns that are found, as often as they are."""
        automaton = self._automaton
        places, numbers = automaton.begins, []
        for element in reversed(sentence):
            places = automaton.read([self._found(element)], places)
            numbers += [self._numbers[end] for end in bits_of(places & self._ends)]
            places |= automaton.begins
        return numbers

    def _found(self, element: Chunk | str) -> int:
        """Return which of the sought words or chunks an element is."""
        automaton = self._automaton
        if isinstance(element, str):
            return automaton.found(element, WORD, 0)
        words = (automaton.found(word, WORD, 0) for word in element.words)
        return automaton.found(element.label, CHUNK, automaton.read(words, automaton.begins))
