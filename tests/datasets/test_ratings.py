"""Ratings: the generator keeps its promises, and the reader names what is wrong."""

import gzip

import numpy as np
import pytest

from kerneltron.datasets import generate_ratings, load_ratings
from kerneltron.datasets.ratings import STARS

GOOD = "196\t242\t3\t881250949\n"


@pytest.fixture(scope="module")
def drawn():
    return generate_ratings(users=800, films=60, rated=0.3, seed=1)


def test_the_same_seed_gives_the_same_ratings():
    one, same, other = (generate_ratings(users=30, films=10, seed=seed).ratings for seed in (3, 3, 4))
    for first, second in zip(one, same, strict=True):
        np.testing.assert_array_equal(first, second)
    assert not np.array_equal(one.stars, other.stars[: one.stars.size])


def test_stars_are_as_probable_as_the_truth_says(drawn):
    (users, films, stars), truth = drawn
    for least in range(2, STARS + 1):
        said = truth.probability(users, films, np.full(users.size, least))
        assert abs(said.mean() - np.mean(stars >= least)) < 0.01
        sure = said > 0.9
        assert abs(said[sure].mean() - np.mean(stars[sure] >= least)) < 0.01
    np.testing.assert_array_equal(truth.probability(users, films, np.ones_like(stars)), 1.0)


def test_tastes_matter_more_than_quality_and_leniency(drawn):
    (users, films, _), truth = drawn
    common = (truth.of_users[users] * truth.of_films[films]).sum(axis=1)
    assert np.var(common) > np.var(truth.quality[films] + truth.leniency[users])


def test_a_pair_is_rated_once_and_popularity_differs_much(drawn):
    ratings = drawn.ratings
    matrix = ratings.matrix()
    assert matrix.nnz == ratings.stars.size
    assert matrix.max() == STARS
    raters = np.sort(np.bincount(ratings.films))
    assert raters[-1] > 5 * raters[0]
    assert 0.15 < ratings.stars.size / (800 * 60) <= 0.3


@pytest.mark.parametrize("wrong", [{"users": 0}, {"films": 0}, {"factors": 0}, {"rated": 1.5}])
def test_sizes_are_checked(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        generate_ratings(**{"users": 5, "films": 5, "seed": 0, **wrong})


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("folder", ["movielens", "ml-100k"])
def test_a_file_is_found_and_read(tmp_path, monkeypatch, folder, packed):
    (tmp_path / folder).mkdir()
    content = (GOOD + "22\t377\t1\t878887116\n196\t377\t5\t1\n22\t377\t2\t2\n").encode()
    path = tmp_path / folder / ("u.data" + ".gz" * packed)
    path.write_bytes(gzip.compress(content) if packed else content)
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    # User 22 comes first, film 242 comes first, and the later rating of the same pair counts.
    assert load_ratings().matrix().toarray().tolist() == [[0, 2], [3, 5]]
    assert load_ratings(tmp_path / folder).stars.size == 3


@pytest.mark.parametrize(
    "line",
    ["1\t2\t3", "1\t2\t3\t4\t5", "1\t2\t6\t4", "1\t2\t0\t4", "1\t2\tfour\t4", "1 2 3 4", "", "1\t2\t3.5\t4"],
)
def test_a_damaged_line_is_named(tmp_path, line):
    (tmp_path / "u.data").write_text(GOOD + line + "\n" + GOOD)
    with pytest.raises(
        ValueError, match=r"u\.data, line 2: .* is not user, item, rating from 1 to 5 and time"
    ):
        load_ratings(tmp_path)


def test_missing_and_empty_files_are_named(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"Neither u\.data\.gz nor u\.data is in .*MovieLens 100K"):
        load_ratings(tmp_path)
    (tmp_path / "u.data").write_text("")
    with pytest.raises(ValueError, match=r"u\.data is empty"):
        load_ratings(tmp_path)
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="`movielens` or `ml-100k`"):
        load_ratings()
