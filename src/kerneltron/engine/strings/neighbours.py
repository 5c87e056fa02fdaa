"""Words that differ from the pieces of a string in a few places.

The hash of a word is the sum of a random number for each letter at each place, after Zobrist (1970): another
letter takes a subtraction and an addition, so that neighbours of a piece are hashed in constant time each.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.hash_finalizer import followed_by
from kerneltron.engine.interning import place_of


class Words(NamedTuple):
    """The words that are features."""

    shares: Integers  # of letter c at place p in a hash: (k, letters + 1); letters outside have none
    most: int  # places in which a word and a piece may differ


class Neighbours(NamedTuple):
    """Words that were found in an example, and how often; arrays for the search."""

    ids: Integers
    counts: Floats
    origins: Integers  # the piece in which each was found first, and the number of the neighbour there
    slots: Integers  # a power of two, at least twice as many as words
    places: Integers  # that differ, at most `most`
    letters: Integers  # that stand there
    hashes: Integers


class Progress(NamedTuple):
    """How many words are known, and the origin of the next neighbour."""

    known: int
    origin: int


@compiled
def share_out(letters: Integers, shares: Integers) -> None:
    """Fill in what letter c, the id letters[c], adds to the hash of a word at each place."""
    for p in range(shares.shape[0]):
        for c in range(letters.size):
            shares[p, c] = followed_by(followed_by(np.uint64(0), np.uint64(p)), letters[c])
        shares[p, letters.size] = 0


@inlined
def note(found: Neighbours, known: int, id: np.uint64, origin: int) -> int:
    """Count a word once more, and return how many words are known."""
    slot = place_of(id, found.slots, found.ids)
    if found.slots[slot] < 0:
        found.slots[slot] = known
        found.ids[known] = id
        found.counts[known] = 0.0
        found.origins[known] = origin
        known += 1
    found.counts[np.uintp(found.slots[slot])] += 1.0
    return known


@inlined
def add_last(
    codes: Integers, first: int, depth: int, whole: int, words: Words, found: Neighbours, state: Progress
) -> Progress:
    """Count the words that differ in a last place: these are nearly all, and so this needs no stack."""
    shares, outside, known, origin = words.shares, words.shares.shape[1] - 1, state.known, state.origin
    for place in range(found.places[depth], shares.shape[0]):
        own = codes[first + place]
        rest = found.hashes[depth] - shares[place, own]
        if place >= whole:
            for letter in range(outside):
                if letter != own:
                    known = note(found, known, rest + shares[place, letter], origin)
                    origin += 1
        if own == outside:
            break
    return Progress(known, origin)


@inlined
def advance(codes: Integers, first: int, depth: int, k: int, outside: int, found: Neighbours) -> bool:
    """Go to the next letter or place at this depth, or return False where there is none."""
    places, letters = found.places, found.letters
    while True:
        own = codes[first + places[depth]]
        letters[depth] += 2 if letters[depth] + 1 == own else 1
        if letters[depth] < outside:
            return True
        if own == outside or places[depth] + 1 == k:
            return False
        places[depth] += 1
        letters[depth] = -1


@inlined
def add_neighbours(
    codes: Integers, first: int, origin: int, words: Words, found: Neighbours, known: int
) -> int:
    """Count the words that differ from codes[first:first + k] in few places; return how many are known.

    The piece itself comes first, then from each word those that differ in one more place, further right. A
    letter outside of the alphabet must be replaced before any that stands to the right of it.
    """
    shares, k, outside = words.shares, words.shares.shape[0], words.shares.shape[1] - 1
    places, letters, hashes = found.places, found.letters, found.hashes
    whole, hash = -1, np.uint64(0)  # the last place outside of the alphabet
    for p in range(k):
        hash += shares[p, codes[first + p]]
        whole = p if codes[first + p] == outside else whole
    state = Progress(known, origin)
    if whole < 0:
        state = Progress(note(found, state.known, hash, state.origin), state.origin + 1)
    places[0], letters[0], hashes[0] = 0, -1, hash
    depth = 0 if words.most > 0 else -1
    while depth >= 0:
        if depth + 1 == words.most:
            state = add_last(codes, first, depth, whole, words, found, state)
            depth -= 1
        elif not advance(codes, first, depth, k, outside, found):
            depth -= 1
        else:
            place, letter = places[depth], letters[depth]
            hash = hashes[depth] + shares[place, letter] - shares[place, codes[first + place]]
            if place >= whole:
                state = Progress(note(found, state.known, hash, state.origin), state.origin + 1)
            if place + 1 < k:
                depth += 1
                places[depth], letters[depth], hashes[depth] = place + 1, -1, hash
    return state.known


@compiled
def find_neighbours(
    codes: Integers, first: int, end: int, words: Words, stride: int, found: Neighbours
) -> int:
    """Count all words near the pieces of the string codes[first:end], and return how many words they are.

    An origin is the piece's position times `stride` plus the number of the neighbour.
    """
    found.slots[:] = -1
    known = 0
    for p in range(first, end - words.shares.shape[0] + 1):
        known = add_neighbours(codes, p, (p - first) * stride, words, found, known)
    return known
