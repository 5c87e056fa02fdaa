"""Who will like a film: one learner per film, all of which share one Gram matrix.

Stars become thumbs by one of two rules: up from four stars on, or up from the film's own median on (of those
who rated it in training). A film is learned from those who rated it; what is known of a user is how far the
stars for each of the other films are from that film's mean, and 0 where there are none. The film's own column
holds the answer, so `ManyTasks` leaves it out; a row with the leak shows what would be believed otherwise.
The learners are tested on other users, whose thumb for a film is told from their stars for the others.

Beside them are the mean of the film, the mean of the user, both together, and item neighbours. Of generated
ratings the truth is known: nobody can expect to be right more often than who knows all tastes.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import ManyTasks, PassiveAggressive
from kerneltron._types import Anything, Floats, Integers
from kerneltron.datasets.folder import VARIABLE
from kerneltron.datasets.ratings import GeneratedRatings, generate_ratings, load_ratings
from kerneltron.experiments.experiment import Asked, Comparison, Outcome

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RULES = ("at least 4 stars", "at least the film's median")
TRAINING = 2 / 3  # of the users
VALIDATION = 1 / 4  # of these, where settings are chosen
PASSES = 3
# The kernel and C of all learners: the best on validation users is taken.
SETTINGS = (("Linear()", 0.003), ("Linear()", 0.01), ("Linear()", 0.03), ("Gaussian(8.0)", 1.0))
SHRINK = 10  # raters that two films must share until half of their correlation is believed
FILMS = 300  # of a file, those with the most raters, unless everything is asked for
GENERATED, FILE = "generated", "u.data"  # sources of ratings
LEARNED, LEAKED, TRUTH = "one learner per film", "with its own column, a leak", "who knows all tastes"


class Thumbs(NamedTuple):
    """Ratings of users to learn from and of users to test on, and what follows from them."""

    stars: Integers  # (users, films), 0 where there are none
    stars_test: Integers
    least: Integers  # stars of each film from which on a thumb is up
    means: Floats  # of the stars of each film, in training

    def answers(self, stars: Integers) -> Integers:
        """Return +1 and -1, and 0 where there is no rating."""
        return np.where(stars == 0, 0, np.where(stars >= self.least, 1, -1))

    def deviations(self, stars: Integers) -> Floats:
        """Return how far stars are from the film's mean, 0 where there are none."""
        return np.where(stars > 0, stars - self.means, 0.0)


class Errors(NamedTuple):
    """Shares of wrong thumbs: of all, and of films with fewer raters in training than columns, and others."""

    overall: float
    few: float
    many: float


class Results(NamedTuple):
    """What came out of one source of ratings and one rule."""

    films: int
    few: int  # films with fewer raters than there are columns
    ups: float  # the share of thumbs that are up
    setting: tuple[str, float]
    errors: dict[str, Errors]


def thumbs(stars: Integers, training: int, rule: str) -> Thumbs:
    """Let the first users be those to learn from."""
    mine = stars[:training]
    counts = np.maximum((mine > 0).sum(axis=0), 1)
    overall = mine[mine > 0].mean()
    means = np.where(mine.any(axis=0), mine.sum(axis=0) / counts, overall)
    least = np.full(stars.shape[1], 4)
    if rule == RULES[1]:
        least = np.array([np.ceil(np.median(film[film > 0])) if film.any() else 4 for film in mine.T], int)
    return Thumbs(mine, stars[training:], least, means)


def learn(data: Thumbs, setting: tuple[str, float], *, leak: bool = False) -> Floats:
    """Train all learners; return their scores of the users to test on."""
    kernel, C = setting
    learner = PassiveAggressive(
        kernel=kernel, C=C, passes=PASSES, hypothesis="average", representation="dual", random_state=0
    )
    tasks = ManyTasks(learner, exclude_own_column=not leak)
    tasks.fit(data.deviations(data.stars), data.answers(data.stars))
    return tasks.decision_function(data.deviations(data.stars_test))


def choose(data: Thumbs, rule: str) -> tuple[str, float]:
    """Return the setting that errs least on some of the users to learn from, learned from the others."""
    inner = thumbs(data.stars, round((1 - VALIDATION) * len(data.stars)), rule)
    return min(SETTINGS, key=lambda setting: judge(learn(inner, setting), inner).overall)


def film_mean(data: Thumbs) -> Floats:
    """Score by the thumbs of others for the same film."""
    return np.broadcast_to(data.answers(data.stars).mean(axis=0), data.stars_test.shape)


def user_mean(data: Thumbs) -> Floats:
    """Score by the mean of the user's stars for other films, beside what the film's thumb needs."""
    overall = float(data.stars[data.stars > 0].mean())
    return overall + _mean_of_others(data.stars_test - overall, data.stars_test > 0) - data.least + 0.5


def film_and_user_mean(data: Thumbs) -> Floats:
    """Score by the film's mean, and by how far the user's stars for other films are from theirs."""
    deviations = data.deviations(data.stars_test)
    return data.means + _mean_of_others(deviations, data.stars_test > 0) - data.least + 0.5


def _mean_of_others(values: Floats, known: Anything) -> Floats:
    """Return for each entry the mean of the other known ones in its row, 0 if there are none."""
    there: Floats = np.where(known, values, 0.0)
    others = np.maximum(known.sum(axis=1, keepdims=True) - known, 1)
    return (there.sum(axis=1, keepdims=True) - there) / others  # type: ignore[no-any-return]


def item_neighbours(data: Thumbs) -> Floats:
    """Score by the user's deviations on other films, weighted by how much these correlate with the film.

    The correlation of two films with n common raters is multiplied by n / (n + 10).
    """
    deviations, known = data.deviations(data.stars), (data.stars > 0).astype(float)
    products, common = deviations.T @ deviations, known.T @ known
    lengths = np.sqrt(np.diag(products))
    likeness = products / np.maximum(np.outer(lengths, lengths), 1e-12) * common / (common + SHRINK)
    np.fill_diagonal(likeness, 0.0)
    weights = (data.stars_test > 0).astype(float) @ np.abs(likeness)
    told = data.deviations(data.stars_test) @ likeness / np.maximum(weights, 1e-12)
    return data.means + told - data.least + 0.5  # type: ignore[no-any-return]


BASELINES: Mapping[str, Callable[[Thumbs], Floats]] = {
    "film mean": film_mean,
    "user mean": user_mean,
    "film and user mean": film_and_user_mean,
    "item neighbours": item_neighbours,
}


def judge(scores: Floats, data: Thumbs) -> Errors:
    """Return the shares of wrong thumbs among those that are known."""
    answers = data.answers(data.stars_test)
    wrong, known = (scores > 0) != (answers > 0), answers != 0
    few = np.broadcast_to(few_raters(data), known.shape)
    return Errors(*(_share(wrong[known & films]) for films in (np.ones_like(few), few, ~few)))


def few_raters(data: Thumbs) -> Anything:
    """Tell for each film whether fewer users rated it, in training, than there are columns."""
    return (data.stars > 0).sum(axis=0) < data.stars.shape[1]  # type: ignore[no-any-return]


def _share(wrong: Anything) -> float:
    return float(wrong.mean()) if wrong.size else float("nan")


def least_error(data: Thumbs, truth: Any) -> Errors:
    """Return the error that is to be expected of who knows all tastes, but not the moods."""
    users, films = np.nonzero(data.stars_test)
    up = truth.probability(users + len(data.stars), films, data.least[films])
    wrong, few = np.minimum(up, 1 - up), few_raters(data)[films]
    return Errors(_share(wrong), _share(wrong[few]), _share(wrong[~few]))


def run(stars: Integers, rule: str, truth: Any = None) -> Results:
    """Train all learners by one rule, and compare them."""
    data = thumbs(stars, round(TRAINING * len(stars)), rule)
    setting = choose(data, rule)
    errors = {name: judge(baseline(data), data) for name, baseline in BASELINES.items()}
    errors[LEARNED] = judge(learn(data, setting), data)
    errors[LEAKED] = judge(learn(data, setting, leak=True), data)
    if truth is not None:
        errors[TRUTH] = least_error(data, truth)
    answers = data.answers(data.stars_test)
    return Results(
        stars.shape[1],
        int(few_raters(data).sum()),
        float((answers[answers != 0] > 0).mean()),
        setting,
        errors,
    )


def generated(asked: Asked) -> GeneratedRatings:
    """Draw ratings; the users are in a random order."""
    if asked.quick:
        return generate_ratings(users=240, films=40, rated=0.3, seed=asked.seed)
    users, films = (1500, 300) if asked.full else (750, 150)
    return generate_ratings(users=users, films=films, rated=0.15, seed=asked.seed)


def of_file(asked: Asked) -> Integers | None:
    """Return the stars of u.data, users in a random order, or None if there is no such file."""
    try:
        stars = load_ratings().matrix().toarray()
    except FileNotFoundError:
        return None
    films = np.sort(np.argsort(-(stars > 0).sum(axis=0), kind="stable")[: None if asked.full else FILMS])
    chosen: Integers = stars[np.random.default_rng(asked.seed).permutation(len(stars))][:, films]
    return chosen


def table(name: str, results: Results) -> Table:
    """Lay the errors out."""
    title = f"{name}: wrong thumbs in %, of which {100 * results.ups:.0f} % are up"
    out = Table(title=title, title_justify="left")
    out.add_column("told by")
    for column in ("all films", "fewer raters than columns", "more"):
        out.add_column(column, justify="right")
    for who, errors in results.errors.items():
        out.add_row(who, *("-" if np.isnan(error) else f"{100 * error:.1f}" for error in errors))
    return out


def comparisons(name: str, results: Results) -> list[Comparison]:
    """Return our errors, which nobody published."""
    return [Comparison(f"{name}: {who}", 100 * errors.overall) for who, errors in results.errors.items()]


def notes(found: Mapping[str, Results], asked: Asked) -> list[str]:
    """Say what a reader needs beside the numbers."""
    said = [
        f"Stars become thumbs by the rule that each table names. {100 * TRAINING:.0f} % of the users are "
        "learned from, the others are tested on; a film is learned from those who rated it. All films share "
        "one matrix of inner products, of which each leaves its own column out.",
        *(
            f"{name}: {results.few} of {results.films} films have fewer raters than columns. All learners "
            f"have the kernel {results.setting[0]} and C={results.setting[1]:g}, the best of {len(SETTINGS)} "
            "settings on a quarter of the users to learn from."
            for name, results in found.items()
        ),
        "A learner that sees its film's own column seems to make "
        + " and ".join(
            f"{100 * (each.errors[LEARNED].overall - each.errors[LEAKED].overall):.1f}"
            for each in found.values()
        )
        + " points fewer errors: it has read the answer, which no new user has given.",
    ]
    if asked.quick:
        said.append("A quick run leaves u.data out.")
    elif not any(name.startswith(FILE) for name in found):
        said.append(
            f"No {FILE}: put that of MovieLens 100K into `movielens` in the folder that {VARIABLE} names."
        )
    return said


def picture(found: Mapping[str, Results]) -> "Figure":
    """Draw one panel per source and rule."""
    from kerneltron.plots.ratings import RatingsDisplay, draw_ratings

    def display(results: Results) -> RatingsDisplay:
        shares = {who: errors.overall for who, errors in results.errors.items() if who != TRUTH}
        truth = results.errors.get(TRUTH)
        return RatingsDisplay(shares, least=truth and truth.overall, ours=LEARNED, leaked=LEAKED)

    return draw_ratings({name: display(results) for name, results in found.items()})


def reproduce(asked: Asked) -> Outcome:
    """Tell thumbs from thumbs, by both rules."""
    ratings, truth = generated(asked)
    sources: dict[str, tuple[Integers, Any]] = {GENERATED: (ratings.matrix().toarray(), truth)}
    file = None if asked.quick else of_file(asked)
    if file is not None:
        sources[FILE] = file, None
    work = [(source, rule) for source in sources for rule in RULES]
    found = {
        f"{source}, {rule}": run(sources[source][0], rule, sources[source][1])
        for source, rule in asked.show(work, "Films")
    }
    return Outcome(
        [each for name, results in found.items() for each in comparisons(name, results)],
        [table(name, results) for name, results in found.items()],
        {"ratings": lambda: picture(found)},
        notes(found, asked),
        {name: _plain(results) for name, results in found.items()},
    )


def _plain(results: Results) -> dict[str, Any]:
    errors = {who: each._asdict() for who, each in results.errors.items()}
    return {**results._asdict(), "errors": errors}
