"""One learner per film, in small."""

import json

import numpy as np
import pytest

from kerneltron.datasets import generate_ratings
from kerneltron.experiments import ratings
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.ratings import BASELINES, LEAKED, LEARNED, RULES, TRUTH

STARS = np.array([[5, 1, 0, 4], [3, 2, 4, 0], [5, 5, 4, 0], [2, 0, 3, 0]])


@pytest.fixture(scope="module")
def results():
    drawn = generate_ratings(users=360, films=30, rated=0.4, seed=0)
    return ratings.run(drawn.ratings.matrix().toarray(), RULES[0], drawn.truth)


def test_learners_beat_means_and_nobody_beats_who_knows_the_truth(results):
    found = {who: errors.overall for who, errors in results.errors.items()}
    for mean in ("film mean", "user mean", "film and user mean"):
        assert found[LEARNED] < found[mean] - 0.03
    honest = [found[who] for who in (*BASELINES, LEARNED)]
    assert min(honest) > found[TRUTH]


def test_the_own_column_is_a_leak_that_beats_the_truth(results):
    assert results.errors[LEAKED].overall < results.errors[TRUTH].overall < results.errors[LEARNED].overall


def test_thumbs_by_either_rule():
    four, median = (ratings.thumbs(STARS, 3, rule) for rule in RULES)
    assert four.least.tolist() == [4, 4, 4, 4]
    assert median.least.tolist() == [5, 2, 4, 4]
    assert median.answers(median.stars_test).tolist() == [[-1, 0, -1, 0]]
    np.testing.assert_allclose(four.means, [13 / 3, 8 / 3, 4, 4])
    np.testing.assert_allclose(four.deviations(STARS[3:]), [[2 - 13 / 3, 0, -1, 0]])


def test_a_film_that_nobody_rated_has_the_mean_of_all():
    data = ratings.thumbs(np.array([[5, 0], [2, 0], [3, 4]]), 2, RULES[1])
    assert data.means.tolist() == [3.5, 3.5]
    assert data.least.tolist() == [4, 4]


@pytest.mark.parametrize("baseline", BASELINES.values(), ids=list(BASELINES))
def test_baselines_do_not_look_at_the_rating_that_they_tell(baseline):
    rng = np.random.default_rng(0)
    stars = rng.integers(0, 6, (40, 6))
    data = ratings.thumbs(stars, 30, RULES[0])
    scores = baseline(data)
    for film in range(6):
        other = data.stars_test.copy()
        other[:, film] = np.where(other[:, film] > 0, 6 - other[:, film], 0)
        np.testing.assert_allclose(baseline(data._replace(stars_test=other))[:, film], scores[:, film])


@pytest.mark.parametrize("leak", [False, True])
def test_learners_look_at_it_only_where_they_leak(leak):
    stars = np.random.default_rng(0).integers(0, 6, (60, 5))
    data = ratings.thumbs(stars, 45, RULES[0])
    other = data.stars_test.copy()
    other[:, 2] = np.where(other[:, 2] > 0, 6 - other[:, 2], 0)
    before, after = (
        ratings.learn(each, ("Linear()", 0.1), leak=leak)[:, 2]
        for each in (data, data._replace(stars_test=other))
    )
    assert np.allclose(before, after) != leak


def test_neighbours_follow_the_textbook():
    stars = np.random.default_rng(1).integers(0, 6, (30, 5))
    data = ratings.thumbs(stars, 24, RULES[0])
    told = ratings.item_neighbours(data)
    deviations = data.deviations(data.stars)
    for user, film in ((0, 1), (3, 4), (5, 0)):
        above = below = 0.0
        for other in range(5):
            if other == film or data.stars_test[user, other] == 0:
                continue
            x, z = deviations[:, film], deviations[:, other]
            n = np.sum((data.stars[:, film] > 0) & (data.stars[:, other] > 0))
            weight = x @ z / np.sqrt((x @ x) * (z @ z)) * n / (n + 10)
            above += weight * (data.stars_test[user, other] - data.means[other])
            below += abs(weight)
        assert told[user, film] == pytest.approx(data.means[film] + above / below - data.least[film] + 0.5)


def test_errors_are_counted_where_thumbs_are_known():
    data = ratings.thumbs(STARS, 3, RULES[0])  # of whom the last, with thumbs down for films 0 and 2, is told
    found = ratings.judge(np.array([[1.0, 1.0, -1.0, 1.0]]), data)
    assert found.overall == 0.5
    assert found.few == 0.5  # all have fewer raters than there are films
    assert np.isnan(found.many)


@pytest.mark.slow
def test_the_experiment_has_numbers_tables_and_a_picture():
    outcome = ratings.reproduce(Asked(quick=True))
    json.dumps(outcome.figures)
    assert [table.row_count for table in outcome.tables] == [7, 7]
    assert len(outcome.pictures["ratings"]().axes) == 2
    assert "leaves u.data out" in outcome.notes[-1]
    assert "No u.data" in ratings.notes({}, Asked())[-1]


def test_a_file_of_ratings_is_taken_by_its_most_rated_films(tmp_path, monkeypatch):
    (tmp_path / "movielens").mkdir()
    lines = [
        f"{user}\t{film}\t{1 + (user + film) % 5}\t0"
        for user in range(1, 7)
        for film in range(1, 5)
        if user >= film
    ]
    (tmp_path / "movielens" / "u.data").write_text("\n".join(lines) + "\n")
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    monkeypatch.setattr(ratings, "FILMS", 2)
    assert sorted((ratings.of_file(Asked()) > 0).sum(axis=0)) == [5, 6]
    assert ratings.of_file(Asked(full=True)).shape == (6, 4)
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path / "nowhere"))
    assert ratings.of_file(Asked()) is None
