"""Where the states of an automaton go on each symbol: a table where that is small, else a hash of edges.

The functions below are all that the automaton knows of either.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.dispatch import implements
from kerneltron.engine.hash_finalizer import GOLDEN


class Table(NamedTuple):
    """State s goes to targets[s * width + symbol], which is -1 where there is no way."""

    targets: Integers
    width: int  # symbols


class Edges(NamedTuple):
    """Edges in the order in which they were made; `slots` finds one by its source and symbol.

    There is a power of two of slots, at least twice as many as edges; free ones hold -1. heads[s] is the
    latest edge that leaves state s, and `older` leads from there to the others, until -1.
    """

    sources: Integers
    symbols: Integers
    targets: Integers
    older: Integers
    heads: Integers
    slots: Integers
    made: Integers  # how many, in an array of one


Transitions: TypeAlias = Table | Edges


def clear(transitions: Transitions, states: int) -> None:
    """Let there be no edges, and at most this many states."""
    raise NotImplementedError


def enter(transitions: Transitions, state: int) -> None:
    """Let there be a state without edges."""
    raise NotImplementedError


def follow(transitions: Transitions, state: int, symbol: int) -> int:
    """Return where a state goes on a symbol, or -1."""
    raise NotImplementedError


def connect(transitions: Transitions, state: int, symbol: int, target: int) -> None:
    """Let a state that has no way on this symbol go to `target`."""
    raise NotImplementedError


def redirect(transitions: Transitions, state: int, symbol: int, target: int) -> None:
    """Let a state that has a way on this symbol go to `target` instead."""
    raise NotImplementedError


def copy(transitions: Transitions, state: int, clone: int) -> None:
    """Let `clone`, entered now, go wherever `state` goes."""
    raise NotImplementedError


# -- the table: places are unsigned, so that numba does not test for an index counted from the end ---------


@implements(clear, Table)
def clear_table(table: Table, states: int) -> None:
    """Clear all rows at once: quicker than each as it is entered, where they are short."""
    for place in range(states * table.width):
        table.targets[np.uintp(place)] = -1


@implements(enter, Table)
def enter_table(table: Table, state: int) -> None:
    """Do nothing: the row is clear."""


@implements(follow, Table)
def follow_table(table: Table, state: int, symbol: int) -> int:
    """Look it up."""
    target: int = table.targets[np.uintp(state * table.width + symbol)]
    return target


@implements(connect, Table)
def connect_table(table: Table, state: int, symbol: int, target: int) -> None:
    """Write it down."""
    table.targets[np.uintp(state * table.width + symbol)] = target


@implements(redirect, Table)
def redirect_table(table: Table, state: int, symbol: int, target: int) -> None:
    """Write it down."""
    table.targets[np.uintp(state * table.width + symbol)] = target


@implements(copy, Table)
def copy_table(table: Table, state: int, clone: int) -> None:
    """Copy a row."""
    for symbol in range(table.width):
        table.targets[np.uintp(clone * table.width + symbol)] = table.targets[
            np.uintp(state * table.width + symbol)
        ]


# -- the edges ---------------------------------------------------------------------------------------------


def slot_of(edges: Edges, state: int, symbol: int) -> np.uintp:
    """Return the slot of an edge, or the free one where it belongs."""
    raise NotImplementedError


@implements(slot_of, Edges)
def slot_of_edge(edges: Edges, state: int, symbol: int) -> np.uintp:
    """Look from a hash of both on until the edge or a free slot comes."""
    last = np.uint64(edges.slots.size - 1)
    key = (np.uint64(state) << np.uint64(32)) + np.uint64(symbol)
    place = ((key ^ (key >> np.uint64(29))) * GOLDEN >> np.uint64(20)) & last
    edge = edges.slots[np.uintp(place)]
    while edge >= 0 and (edges.sources[np.uintp(edge)] != state or edges.symbols[np.uintp(edge)] != symbol):
        place = (place + np.uint64(1)) & last
        edge = edges.slots[np.uintp(place)]
    return np.uintp(place)


@implements(clear, Edges)
def clear_edges(edges: Edges, states: int) -> None:
    """Free all slots."""
    edges.slots[:] = -1
    edges.made[0] = 0


@implements(enter, Edges)
def enter_edges(edges: Edges, state: int) -> None:
    """Begin an empty list."""
    edges.heads[np.uintp(state)] = -1


@implements(follow, Edges)
def follow_edge(edges: Edges, state: int, symbol: int) -> int:
    """Find the edge."""
    edge = edges.slots[slot_of(edges, state, symbol)]
    target: int = edges.targets[np.uintp(edge)] if edge >= 0 else -1
    return target


@implements(connect, Edges)
def connect_edge(edges: Edges, state: int, symbol: int, target: int) -> None:
    """Make an edge."""
    edge = np.uintp(edges.made[0])
    edges.made[0] += 1
    edges.slots[slot_of(edges, state, symbol)] = edge
    edges.sources[edge], edges.symbols[edge], edges.targets[edge] = state, symbol, target
    edges.older[edge] = edges.heads[np.uintp(state)]
    edges.heads[np.uintp(state)] = edge


@implements(redirect, Edges)
def redirect_edge(edges: Edges, state: int, symbol: int, target: int) -> None:
    """Change the edge."""
    edges.targets[np.uintp(edges.slots[slot_of(edges, state, symbol)])] = target


@implements(copy, Edges)
def copy_edges(edges: Edges, state: int, clone: int) -> None:
    """Make an edge for each in the list of the state."""
    edge = edges.heads[np.uintp(state)]
    while edge >= 0:
        connect(edges, clone, edges.symbols[np.uintp(edge)], edges.targets[np.uintp(edge)])
        edge = edges.older[np.uintp(edge)]
