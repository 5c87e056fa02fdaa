"""Small social networks without labels: groups of friends who meet, against hubs who collect them.

Labels are -1 and +1. As for `kerneltron.datasets.generators`, hold out a part of the networks to test on.
"""

from math import ceil, inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron.datasets.generators import Generated, check_between, check_sizes

WITHIN = 20.0  # how much likelier two people of one group know each other than two of different groups
CROWDED = 6  # people for each friendship of a newcomer, at least: with fewer all networks are alike


class Hub(NamedTuple):
    """Positive where somebody has at least this many friends."""

    friends: int

    def predict(self, X: Any) -> Integers:
        """Return the label of each network."""
        return np.array([1 if most_friends(edges) >= self.friends else -1 for edges, _ in X], np.int64)


def social_networks(
    n: int, *, seed: int, people: int = 30, friends: int = 2, groups: int = 3, noise: float = 0.0
) -> Generated[Hub]:
    """Draw networks with the same numbers of people and of friendships; half have a hub, on average.

    In a negative network people belong to groups, and friendships are most likely within one (stochastic
    blocks). A positive one grows: every newcomer befriends those who have many friends already, with a
    probability in proportion to their number (preferential attachment). Networks are drawn again until no
    one, or someone, has sqrt(2 people friends) friends: so the label follows from the network, and what
    remains is `noise`, the probability of a wrong label and the error that no predictor can beat.

    Parameters
    ----------
    n
        Number of networks.
    seed
        What they are drawn from.
    people
        Number of nodes of each.
    friends
        Number of friends that a newcomer makes; people have nearly twice as many on average.
    groups
        Number of groups in the negative ones.
    noise
        Probability of a wrong label.

    References
    ----------
    Barabasi and Albert (1999), Emergence of scaling in random networks, Science 286; Holland, Laskey and
    Leinhardt (1983), Stochastic blockmodels, Social Networks 5.

    Examples
    --------
    >>> X, y, _, truth, _ = social_networks(4, seed=0)
    >>> [most_friends(edges) for edges, people in X], truth.friends, y.tolist()
    ([11, 12, 11, 6], 11, [1, 1, 1, -1])
    """
    check_sizes(n=n, friends=friends, groups=groups)
    check_between("people", people, CROWDED * friends, inf)
    check_between("groups", groups, 1, people)
    check_between("noise", noise, 0, 0.5)
    rng = np.random.default_rng(seed)
    truth = Hub(ceil(sqrt(2 * friends * people)))
    y = rng.choice([-1, 1], size=n)
    X = [_network(rng, truth, sign > 0, people, friends, groups) for sign in y]
    return Generated(X, np.where(rng.random(n) < noise, -y, y), noise, truth)


def most_friends(edges: Integers) -> int:
    """Return the largest number of friends that somebody has."""
    return int(np.bincount(edges.ravel()).max())


def _network(
    rng: np.random.Generator, truth: Hub, has_hub: bool, people: int, friends: int, groups: int
) -> tuple[Integers, int]:
    count = friends * people - friends * (friends + 1) // 2
    while True:
        edges = _attached(rng, people, friends) if has_hub else _grouped(rng, people, groups, count)
        if (most_friends(edges) >= truth.friends) == has_hub:
            return rng.permutation(people)[edges], people  # numbers tell nothing


def _attached(rng: np.random.Generator, people: int, friends: int) -> Integers:
    """Return friendships by preferential attachment; those who come first know each other."""
    edges = [(u, v) for v in range(friends + 1) for u in range(v)]
    ends = [end for edge in edges for end in edge]  # somebody comes once for every friend
    for newcomer in range(friends + 1, people):
        chosen: set[int] = set()
        while len(chosen) < friends:
            chosen.add(ends[rng.integers(len(ends))])
        edges += [(friend, newcomer) for friend in sorted(chosen)]
        ends += [end for friend in sorted(chosen) for end in (friend, newcomer)]
    return np.array(edges, np.int64)


def _grouped(rng: np.random.Generator, people: int, groups: int, count: int) -> Integers:
    """Return this many friendships, most of them within groups of about equal size."""
    pairs = np.stack(np.triu_indices(people, 1), axis=1)
    odds = np.where(pairs[:, 0] % groups == pairs[:, 1] % groups, WITHIN, 1.0)
    return pairs[rng.choice(len(pairs), count, replace=False, p=odds / odds.sum())]
