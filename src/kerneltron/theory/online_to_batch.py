"""From mistakes to errors: what the mistakes of one pass say about examples that are yet to come.

A perceptron that goes once through m examples, drawn independently of each other, and makes k mistakes on
them passes through the vectors v_0, ..., v_k. Each example is predicted by the vector that was there before
it. So draw one of the vectors by how many examples it was *used for*, and its chance of being wrong about a
new example is k / m, in expectation over samples and draws.

An average, a vote or a draw can also count the vectors *after* each example. The two means differ by
(v_k - v_0) / m, which hardly matters in a long pass; but the equality above is not theirs. Such a draw counts
v_0 = 0 once less, which is always wrong because a score of 0 is a mistake, and v_k once more: its chance of
being wrong is at most k / m, in expectation. Of our hypotheses, "random" draws by what a vector was used for;
"average" and "vote" count after.

Helmbold and Warmuth, On weak learning (1995). Freund and Schapire, Large margin classification using the
perceptron algorithm (1999), section 3.
"""

from collections.abc import Sequence

import numpy as np

from kerneltron._types import Floats, Integers


def used_for(visits: int, mistakes_at: Sequence[int]) -> Integers:
    """Return how many examples each of the vectors v_0, ..., v_k predicted, up to its own mistake.

    Parameters
    ----------
    visits
        Number of examples m, in the order in which they came.
    mistakes_at
        Which of them were mistakes, counted from 1. The next vector begins with the example that follows.

    Examples
    --------
    Ten examples, the first, fourth, eighth and last of which were mistakes: nobody used the last vector.

    >>> used_for(10, [1, 4, 8, 10]).tolist()
    [1, 3, 4, 2, 0]
    """
    return np.diff([0, *_checked(visits, mistakes_at), visits])


def counted_after(visits: int, mistakes_at: Sequence[int]) -> Integers:
    """Return after how many examples each of the vectors v_0, ..., v_k was the current one.

    Parameters
    ----------
    visits, mistakes_at
        As for `used_for`.

    Examples
    --------
    >>> counted_after(10, [1, 4, 8, 10]).tolist()
    [0, 3, 4, 2, 1]
    """
    return np.diff([1, *_checked(visits, mistakes_at), visits + 1])


def mean_vector(vectors: Floats, counts: Integers) -> Floats:
    """Return the mean of the vectors v_0, ..., v_k, one row each, by how often each one counts.

    Parameters
    ----------
    vectors
        v_0, ..., v_k: one row per vector, one column per feature.
    counts
        How often each row counts, at least 0 and not all 0: see `used_for` and `counted_after`.

    Examples
    --------
    The mean that counts after each example is ahead of the other by (v_k - v_0) / m.

    >>> vectors, mistakes_at = np.array([[0.0], [1.0], [3.0]]), [1, 3]
    >>> after = mean_vector(vectors, counted_after(4, mistakes_at))
    >>> used = mean_vector(vectors, used_for(4, mistakes_at))
    >>> after - used, (vectors[-1] - vectors[0]) / 4
    (array([0.75]), array([0.75]))
    """
    return np.asarray(counts @ vectors / counts.sum())


def _checked(visits: int, mistakes_at: Sequence[int]) -> list[int]:
    """Return the mistakes as a list, after a look at their order."""
    places = [int(place) for place in mistakes_at]
    if any(late <= early for early, late in zip([0, *places], [*places, visits + 1], strict=True)):
        raise ValueError(
            f"mistakes_at={places} must be numbers from 1 to visits={visits}, each larger than the one "
            "before it: they say which examples, in the order in which they came, were mistakes."
        )
    return places
