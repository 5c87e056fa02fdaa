"""The experiments `games` and `bounds`, in small."""

import json

import pytest

from kerneltron.experiments import bounds, games
from kerneltron.experiments.experiment import AS_THEORY, Asked


@pytest.fixture(scope="module")
def played():
    return games.reproduce(Asked(quick=True))


def test_everybody_pays_what_cannot_be_avoided(played):
    figures = played.figures
    for each in figures["classes"].values():
        assert each["vc_dimension"] <= each["optimal"] <= each["halving"]
    for name, game in figures["games"].items():
        assert game["bound"] == figures["classes"][name]["optimal"] == game["mistakes"]["best learner"]
        assert min(game["mistakes"].values()) == game["bound"]
    for game in figures["orthonormal"].values():
        assert set(game["mistakes"].values()) == {game["bound"]}


def test_games_can_be_printed_drawn_and_saved(played):
    assert [comparison.verdict for comparison in played.comparisons] == [AS_THEORY]
    assert [table.row_count for table in played.tables] == [5, 2, 5]
    assert len(played.pictures["worst-cases"]().axes) == 1
    assert json.loads(json.dumps(played.figures)) == played.figures


def test_mistakes_stay_as_the_dimension_grows_and_the_bound_grows_with_the_bits():
    outcome = bounds.reproduce(Asked(quick=True))
    embeddings, runs = outcome.figures["dimensions"], outcome.figures["conjunctions"]
    assert len({each["mistakes"] for each in embeddings}) == 1
    assert {each["last_pass"] for each in embeddings} == {0}
    assert all(0 < each["mistakes"] <= each["bound"] for each in (*embeddings, *runs))
    assert [run["bound"] for run in runs] == [5 * 2 ** run["n"] for run in runs]
    assert [comparison.verdict for comparison in outcome.comparisons] == [AS_THEORY]
    assert [table.row_count for table in outcome.tables] == [len(embeddings), len(runs)]
    assert len(outcome.pictures["bounds"]().axes) == 2
    json.dumps(outcome.figures)
