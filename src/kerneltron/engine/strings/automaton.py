"""The suffix automaton of a string, after Blumer and others (1985): one walk for each other string.

A state stands for substrings that end at the same places of the string, each a suffix of the next longer one:
those of more than lengths[links[s]] and at most lengths[s] symbols, each of which occurs counts[s] times. The
state links[s] holds the next shorter suffixes.

With W[n], the weights of the lengths 1 to n together, the suffixes of a substring of n symbols in state s,
itself among them, weigh

    sums[s] + counts[s] W[n],    sums[s] = (the suffixes in links[s]) - counts[s] W[lengths[links[s]]]

where each weighs as often as it occurs: that is all a walk has to add at each symbol.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.strings.encoded import EncodedStrings
from kerneltron.engine.strings.transitions import (
    Transitions,
    clear,
    connect,
    copy,
    enter,
    follow,
    redirect,
)

LINK, LENGTH = COUNT, SUM = np.uintp(0), np.uintp(1)  # the columns of States.ways and States.values


class States(NamedTuple):
    """The states of an automaton; a string of n > 0 symbols has at most 2 n, and 3 n edges."""

    ways: Integers  # links and lengths, side by side: one line of the cache, not two
    values: Floats  # counts and sums
    order: Integers  # the states by their lengths
    ends: Integers  # one number per length
    local: Integers  # the symbols of the string, numbered from 0; by code + 1, as a code may be -1; else -1


@inlined
def number_symbols(strings: EncodedStrings, i: int, states: States) -> None:
    """Give the symbols of string i numbers, in the order in which they come."""
    known = 0
    for p in range(strings.starts[i], strings.starts[i + 1]):
        place = np.uintp(strings.codes[p] + 1)
        if states.local[place] < 0:
            states.local[place] = known
            known += 1


@inlined
def forget_symbols(strings: EncodedStrings, i: int, states: States) -> None:
    """Let no symbol have a number."""
    for p in range(strings.starts[i], strings.starts[i + 1]):
        states.local[np.uintp(strings.codes[p] + 1)] = -1


@inlined
def extend(transitions: Transitions, states: States, known: int, last: int, symbol: int) -> int:
    """Add a symbol after state `last`: the new state is `known`. Return how many states there are then."""
    ways = states.ways
    new = known
    known += 1
    enter(transitions, new)
    ways[np.uintp(new), LENGTH] = ways[np.uintp(last), LENGTH] + 1
    states.values[np.uintp(new), COUNT] = 1.0
    ways[np.uintp(new), LINK] = 0
    state = last
    target = follow(transitions, state, symbol)
    while target < 0:
        connect(transitions, state, symbol, new)
        state = ways[np.uintp(state), LINK]
        if state < 0:
            return known
        target = follow(transitions, state, symbol)
    if ways[np.uintp(target), LENGTH] != ways[np.uintp(state), LENGTH] + 1:
        # The longer ones of the target's substrings do not end here: those that do get a state of their own.
        clone = known
        known += 1
        enter(transitions, clone)
        copy(transitions, target, clone)
        ways[np.uintp(clone), LENGTH] = ways[np.uintp(state), LENGTH] + 1
        states.values[np.uintp(clone), COUNT] = 0.0
        ways[np.uintp(clone), LINK] = ways[np.uintp(target), LINK]
        ways[np.uintp(target), LINK] = clone
        ways[np.uintp(new), LINK] = clone
        while state >= 0 and follow(transitions, state, symbol) == target:
            redirect(transitions, state, symbol, clone)
            state = ways[np.uintp(state), LINK]
    else:
        ways[np.uintp(new), LINK] = target
    return known


@inlined
def sort_by_length(states: States, known: int, longest: int) -> None:
    """Write the states to `order`, the shortest first."""
    ends, order = states.ends, states.order
    for length in range(longest + 1):
        ends[np.uintp(length)] = 0
    for state in range(known):
        ends[np.uintp(states.ways[np.uintp(state), LENGTH])] += 1
    total = 0
    for length in range(longest + 1):
        total += ends[np.uintp(length)]
        ends[np.uintp(length)] = total
    for state in range(known):
        end = np.uintp(states.ways[np.uintp(state), LENGTH])
        ends[end] -= 1
        order[np.uintp(ends[end])] = state


@inlined
def sum_up(states: States, known: int, W: Floats) -> float:
    """Fill in how often all substrings occur, and return the weight of what the string shares with itself."""
    ways, values = states.ways, states.values
    total = 0.0
    for place in range(known - 1, 0, -1):
        state = np.uintp(states.order[np.uintp(place)])
        link, count = np.uintp(ways[state, LINK]), values[state, COUNT]
        values[link, COUNT] += count
        total += count * count * (W[np.uintp(ways[state, LENGTH])] - W[np.uintp(ways[link, LENGTH])])
    return total


@inlined
def prepare(states: States, known: int, W: Floats) -> None:
    """Fill in `sums`."""
    ways, values = states.ways, states.values
    values[0, COUNT] = values[0, SUM] = 0.0  # the empty string is not counted
    for place in range(1, known):
        state = np.uintp(states.order[np.uintp(place)])
        link = np.uintp(ways[state, LINK])
        more = values[link, COUNT] - values[state, COUNT]
        values[state, SUM] = values[link, SUM] + more * W[np.uintp(ways[link, LENGTH])]


@inlined
def build(transitions: Transitions, states: States, strings: EncodedStrings, i: int) -> int:
    """Build the automaton of string i, without counts and sums, and return how many states it has."""
    number_symbols(strings, i, states)
    clear(transitions, 2 * (strings.starts[i + 1] - strings.starts[i]) + 1)
    enter(transitions, 0)
    states.ways[0, LINK], states.ways[0, LENGTH], states.values[0, COUNT] = -1, 0, 0.0
    known, last = 1, 0
    for p in range(strings.starts[i], strings.starts[i + 1]):
        symbol = states.local[np.uintp(strings.codes[p] + 1)]
        new = known
        known = extend(transitions, states, known, last, symbol)
        last = new
    sort_by_length(states, known, strings.starts[i + 1] - strings.starts[i])
    return known


@inlined
def walk(transitions: Transitions, states: States, strings: EncodedStrings, j: int, W: Floats) -> float:
    """Return the weight of all substrings that string j and that of the automaton have in common."""
    total = 0.0
    state = length = 0  # of the longest suffix of what was read that the automaton knows
    for p in range(strings.starts[j], strings.starts[j + 1]):
        symbol = states.local[np.uintp(strings.codes[p] + 1)]
        if symbol < 0:
            state = length = 0
            continue
        target = follow(transitions, state, symbol)
        while target < 0:  # the first state knows every symbol that has a number
            state = states.ways[np.uintp(state), LINK]
            length = states.ways[np.uintp(state), LENGTH]
            target = follow(transitions, state, symbol)
        state = target
        length += 1
        place = np.uintp(state)
        total += states.values[place, SUM] + states.values[place, COUNT] * W[np.uintp(length)]
    return total


@compiled
def common_substrings(
    transitions: Transitions,
    states: States,
    rows: EncodedStrings,
    others: EncodedStrings,
    first: int,
    end: int,
    W: Floats,
    out: Floats,
) -> None:
    """Write the weight of what string i of `rows` and string j of `others` share to out[i, j]."""
    for i in range(first, end):
        known = build(transitions, states, rows, i)
        sum_up(states, known, W)
        prepare(states, known, W)
        for j in range(out.shape[1]):
            out[i, j] = walk(transitions, states, others, j, W)
        forget_symbols(rows, i, states)


@compiled
def own_substrings(
    transitions: Transitions,
    states: States,
    rows: EncodedStrings,
    first: int,
    end: int,
    W: Floats,
    out: Floats,
) -> None:
    """Write the weight of what string i shares with itself to out[i]: no walk is needed."""
    for i in range(first, end):
        out[i] = sum_up(states, build(transitions, states, rows, i), W)
        forget_symbols(rows, i, states)


@compiled
def most_symbols(strings: EncodedStrings, last: Integers) -> int:
    """Return how many different symbols a string has at most; `last`, by code + 1, is -1."""
    most = 0
    for i in range(strings.starts.size - 1):
        found = 0
        for p in range(strings.starts[i], strings.starts[i + 1]):
            place = np.uintp(strings.codes[p] + 1)
            if last[place] != i:
                last[place] = i
                found += 1
        most = max(most, found)
    return most
