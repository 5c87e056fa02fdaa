"""The prediction game: what classes cost, and who pays it."""

from functools import reduce
from itertools import combinations, product
from math import floor, log2
from operator import or_

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Perceptron
from kerneltron.theory.bounds import separable_bound
from kerneltron.theory.concept_classes import (
    ConceptClass,
    conjunctions,
    decision_lists,
    decision_trees,
    monotone_conjunctions,
)
from kerneltron.theory.games import Orthonormal, WorstCase, play
from kerneltron.theory.version_spaces import Halving, Optimal
from kerneltron.theory.worst_cases import halving_mistakes, optimal_mistakes, vc_dimension

CLASSES = {
    "monotone conjunctions": monotone_conjunctions(3),
    "conjunctions": conjunctions(3),
    "decision lists": decision_lists(3),
    "decision trees": decision_trees(3, 2),
}
some_concepts = st.integers(1, 5).flatmap(
    lambda points: st.builds(
        ConceptClass, st.just(points), st.sets(st.integers(0, 2**points - 1), min_size=1, max_size=14)
    )
)


# -- classes, against lists of formulas -------------------------------------------------------------------


def table(rule, n):
    """Return the concept of a function of n bits, as a number."""
    return reduce(or_, (bool(rule(bits[::-1])) << p for p, bits in enumerate(product((0, 1), repeat=n))))


def test_conjunctions_are_those_of_all_literals():
    literals = [(bit, value) for bit in range(3) for value in (0, 1)]
    some = [chosen for size in range(7) for chosen in combinations(literals, size)]
    rules = {
        table(lambda x, chosen=chosen: all(x[bit] == value for bit, value in chosen), 3) for chosen in some
    }
    assert sorted(rules) == conjunctions(3).concepts
    monotone = [chosen for chosen in some if all(value for _, value in chosen)]
    rules = {table(lambda x, chosen=chosen: all(x[bit] for bit, _ in chosen), 3) for chosen in monotone}
    assert sorted(rules) == monotone_conjunctions(3).concepts


def test_decision_lists_of_two_bits_are_all_functions_but_two():
    xor = table(lambda x: x[0] ^ x[1], 2)
    assert decision_lists(2).concepts == sorted(set(range(16)) - {xor, 15 - xor})


def test_small_decision_lists_are_trees_and_trees_grow_to_all_functions():
    assert set(decision_trees(3, 2).concepts) <= set(decision_lists(3).concepts)
    assert len(decision_trees(3, 7)) == 256
    assert len(decision_trees(3, 0)) == 2


@pytest.mark.parametrize("make", [conjunctions, monotone_conjunctions, decision_lists])
def test_too_many_bits_are_refused(make):
    with pytest.raises(ValueError, match="n=6 must be from 1 to 5"):
        make(6)


def test_concepts_must_be_there_and_have_points():
    with pytest.raises(ValueError, match="at least one concept"):
        ConceptClass(2, [])
    with pytest.raises(ValueError, match="from 0 to 3"):
        ConceptClass(2, [4])


# -- numbers, against slow definitions ----------------------------------------------------------------------


def labels(concept, points):
    return tuple(concept >> point & 1 for point in points)


def slow_vc(concepts):
    subsets = (s for size in range(concepts.points + 1) for s in combinations(range(concepts.points), size))
    return max(len(s) for s in subsets if len({labels(c, s) for c in concepts.concepts}) == 2 ** len(s))


def slow_littlestone(alive, points):
    """The value of the game: the adversary shows, the learner predicts, the adversary answers."""
    values = [0]
    for point in range(points):
        sides = [[c for c in alive if c >> point & 1 == label] for label in (0, 1)]
        if all(sides):
            yes, no = (slow_littlestone(side, points) for side in sides)
            values.append(min(max(yes, 1 + no), max(1 + yes, no)))
    return max(values)


def slow_halving(alive, points):
    values = [0]
    for point in range(points):
        sides = [[c for c in alive if c >> point & 1 == label] for label in (0, 1)]
        if all(sides):
            predicted = int(len(sides[1]) >= len(sides[0]))
            values += [(label != predicted) + slow_halving(sides[label], points) for label in (0, 1)]
    return max(values)


@settings(max_examples=60, deadline=None)
@given(some_concepts)
def test_worst_cases_are_those_of_slow_definitions_and_stand_in_order(concepts):
    found = vc_dimension(concepts), optimal_mistakes(concepts), halving_mistakes(concepts)
    slow = (
        slow_vc(concepts),
        slow_littlestone(concepts.concepts, concepts.points),
        slow_halving(concepts.concepts, concepts.points),
    )
    assert found == slow
    assert list(found) == sorted(found)
    assert found[-1] <= log2(len(concepts))


def test_all_four_numbers_can_differ():
    lists = decision_lists(3)
    assert (vc_dimension(lists), optimal_mistakes(lists), halving_mistakes(lists)) == (4, 5, 6)
    assert log2(len(lists)) > 6.5


# -- players ------------------------------------------------------------------------------------------------


def test_the_perceptron_pays_all_of_its_bound():
    for n in (1, 4, 7, 100):
        played = play(Perceptron(hypothesis="last", fit_intercept=False), Orthonormal(n**-0.5))
        assert played.mistakes == len(played.y) == n
        u = played.y @ played.X / np.sqrt(n)
        margin = np.min(played.y * (played.X @ u))
        assert np.linalg.norm(u) == pytest.approx(1)
        assert floor(separable_bound(1.0, margin) + 1e-9) == played.mistakes


def test_a_margin_that_no_example_can_have_is_refused():
    with pytest.raises(ValueError, match=r"margin=1.5 must be above 0 and at most 1"):
        Orthonormal(1.5)


@pytest.mark.parametrize("name", CLASSES)
def test_nobody_makes_fewer_mistakes_against_the_worst_case_than_the_best_learner(name):
    concepts = CLASSES[name]
    X, least = concepts.bits(3), optimal_mistakes(concepts)
    for learner in (Optimal(concepts), Halving(concepts), Perceptron(hypothesis="last")):
        adversary = WorstCase(concepts, X)
        played = play(learner, adversary)
        assert played.mistakes == len(played.y) >= least
        assert played.mistakes == least or not isinstance(learner, Optimal)
        points = played.X.astype(int) @ [1, 2, 4]
        honest = [
            c
            for c in concepts.concepts
            if all((c >> p & 1) == (v > 0) for p, v in zip(points, played.y, strict=True))
        ]
        assert honest  # some concept agrees with all that the adversary said
        assert len(honest) == adversary.space.bit_count()


class Truthful:
    """Shows drawn points and tells the truth of a drawn concept."""

    def __init__(self, concepts, X, seed):
        self.rng = np.random.default_rng(seed)
        self.concept = concepts.concepts[self.rng.integers(len(concepts))]
        self.X, self.left = np.asarray(X, float), 30

    def show(self):
        self.left -= 1
        self.point = self.rng.integers(len(self.X))
        return self.X[self.point] if self.left else None

    def answer(self, score):
        return 1 if self.concept >> int(self.point) & 1 else -1


@pytest.mark.parametrize("name", CLASSES)
def test_no_sequence_costs_more_than_the_worst_case(name):
    concepts = CLASSES[name]
    X = concepts.bits(3)
    for seed in range(20):
        assert play(Optimal(concepts), Truthful(concepts, X, seed)).mistakes <= optimal_mistakes(concepts)
        assert play(Halving(concepts), Truthful(concepts, X, seed)).mistakes <= halving_mistakes(concepts)


def test_labels_that_no_concept_agrees_with_are_refused():
    learner = Halving(monotone_conjunctions(2))
    with pytest.raises(ValueError, match="No concept of the class agrees"):
        learner.partial_fit([[1, 1]], [-1])


def test_a_game_ends_after_the_rounds_that_were_asked_for():
    assert len(play(Perceptron(), Orthonormal(0.1), rounds=3).y) == 3
