"""Stars that users give to films: drawn from tastes that are known, or read from a file as MovieLens has it.

>>> ratings, truth = generate_ratings(users=100, films=30, seed=0)
>>> ratings.matrix().shape, sorted(set(ratings.stars.tolist()))
((100, 30), [1, 2, 3, 4, 5])
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from kerneltron._types import Floats, Integers
from kerneltron.datasets.folder import VARIABLE, find, folder_of, lines_of
from kerneltron.datasets.generators import check_between, check_sizes

STARS = 5
FOLDERS = ("movielens", "ml-100k")  # below KERNELTRON_DATA
ADVICE = "u.data is part of MovieLens 100K, https://grouplens.org/datasets/movielens/100k/."
CUTS = np.array([-1.6, -0.7, 0.1, 1.1])  # pleasure between two neighbouring numbers of stars
NOISE = 0.6  # standard deviation of the mood in which a user rates a film


class Ratings(NamedTuple):
    """User users[i] gave film films[i] stars[i] stars; users and films are numbered from 0."""

    users: Integers
    films: Integers
    stars: Integers

    def matrix(self) -> Any:
        """Return a CSR matrix with a row per user and a column per film, 0 where there is no rating."""
        shape = (int(self.users.max(initial=-1)) + 1, int(self.films.max(initial=-1)) + 1)
        return sp.csr_matrix((self.stars, (self.users, self.films)), shape=shape)


class Tastes(NamedTuple):
    """The truth behind drawn ratings: how much user u expects to enjoy film f is mean(u, f)."""

    of_users: Floats  # (users, factors)
    of_films: Floats  # (films, factors)
    leniency: Floats  # of each user
    quality: Floats  # of each film

    def mean(self, users: Integers, films: Integers) -> Floats:
        """Return quality_f + leniency_u + <taste_u, taste_f>."""
        common = (self.of_users[users] * self.of_films[films]).sum(axis=1)
        return self.quality[films] + self.leniency[users] + common  # type: ignore[no-any-return]

    def probability(self, users: Integers, films: Integers, stars: Integers) -> Floats:
        """Return the probability of at least this many stars, from 1 to 5, for each pair."""
        from scipy.stats import norm

        cuts = np.concatenate([[-np.inf], CUTS])[np.asarray(stars) - 1]
        chances: Floats = norm.cdf((self.mean(users, films) - cuts) / NOISE)
        return chances


class GeneratedRatings(NamedTuple):
    """Ratings, and the tastes that they were drawn from."""

    ratings: Ratings
    truth: Tastes


def generate_ratings(
    *, users: int, films: int, seed: int, factors: int = 3, rated: float = 0.2
) -> GeneratedRatings:
    """Draw tastes, and ratings of those films that a user has seen.

    A user enjoys a film by quality + leniency + <taste of the user, taste of the film> + mood, where the mood
    is different every time, N(0, 0.6^2). The two tastes are normal in a few factors (such as suspense,
    romance), with the variance 1 of their product. Stars are cut from that at fixed levels. Films are seen by
    very different numbers of users: the popularity of film k falls with k^-0.8.

    Parameters
    ----------
    users, films
        How many there are.
    seed
        What is drawn at random follows from it.
    factors
        Dimensions of taste, at least 1.
    rated
        The share of all pairs of user and film that are rated, on average.
    """
    check_sizes(users=users, films=films, factors=factors)
    check_between("rated", rated, 0, 1)
    rng = np.random.default_rng(seed)
    truth = Tastes(
        rng.standard_normal((users, factors)),
        rng.standard_normal((films, factors)) / np.sqrt(factors),
        0.4 * rng.standard_normal(users),
        0.4 + 0.4 * rng.standard_normal(films),
    )
    popularity = rng.permutation(np.arange(1.0, films + 1) ** -0.8)
    chances = np.minimum(rated * popularity / popularity.mean(), 1)
    who, what = np.nonzero(rng.random((users, films)) < chances)
    pleasure = truth.mean(who, what) + NOISE * rng.standard_normal(who.size)
    return GeneratedRatings(Ratings(who, what, 1 + np.searchsorted(CUTS, pleasure)), truth)


def load_ratings(folder: str | Path | None = None) -> Ratings:
    """Return the ratings of u.data: a line has user, item, rating and time, with tabs in between.

    Users and films are numbered from 0 in the order of their numbers in the file.

    Parameters
    ----------
    folder
        Where u.data is, packed by gzip or not. None looks into `movielens` and `ml-100k` in the folder that
        the variable KERNELTRON_DATA names.
    """
    return read(find(ratings_folder(folder), "u.data", ADVICE))


def ratings_folder(given: str | Path | None = None) -> Path:
    """Return the folder that is given, or the first one that is there; raise if there is none."""
    places = [folder_of(name, given) for name in FOLDERS]
    for place in places:
        if place is not None and place.is_dir():
            return place
    raise FileNotFoundError(
        f"No folder with ratings: give the folder of u.data, or let {VARIABLE} name a folder with it in "
        f"`{FOLDERS[0]}` or `{FOLDERS[1]}`. {ADVICE}"
    )


def read(path: Path) -> Ratings:
    """Return what a file holds; the later of two ratings of the same film by the same user counts."""
    found: dict[tuple[int, int], int] = {}
    for number, line in enumerate(lines_of(path), 1):
        user, film, stars = _fields(line, f"{path}, line {number}")
        found[user, film] = stars
    if not found:
        raise ValueError(f"{path} is empty: fetch it again. {ADVICE}")
    pairs = np.array(list(found), np.int64)
    users, films = (np.unique(column, return_inverse=True)[1] for column in pairs.T)
    return Ratings(users, films, np.array(list(found.values()), np.int64))


def _fields(line: str, place: str) -> tuple[int, int, int]:
    try:
        user, film, stars, _ = map(int, line.split("\t"))
    except ValueError:
        user = film = stars = 0
    if not 1 <= stars <= STARS:
        raise ValueError(
            f"{place}: {line[:60]!r} is not user, item, rating from 1 to {STARS} and time, whole numbers "
            "with tabs in between."
        )
    return user, film, stars
