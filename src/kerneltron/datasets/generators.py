"""Data whose truth is known, to see whether a learner finds it and how close it comes to the best error.

Binary labels are -1 and +1, as in the formulas. The truth is drawn first, so it depends on the seed and not
on n. For test examples, hold out a part of the rows: the same seed with another n may repeat them.
"""

from collections.abc import Sequence
from math import exp, inf, pi, sqrt
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import scipy.sparse as sp
from scipy.integrate import quad
from scipy.special import expit, logsumexp

from kerneltron._types import Anything, Floats, Integers

Truth = TypeVar("Truth")

# Each class of documents is this many times as frequent as the one before; two classes are 80:20 and 99:1.
PRIORS = {"uniform": 1.0, "skewed": 1 / 4, "extreme": 1 / 99}
DRAWS = 20_000  # documents for the error of the best predictor: a standard error of at most 0.004


class Generated(NamedTuple, Generic[Truth]):
    """Examples, the error that no predictor can beat, and where they came from.

    `truth.predict` is the predictor that makes this error.
    """

    X: Any  # a matrix, dense or CSR
    y: Anything
    bayes_error: float
    truth: Truth
    standard_error: float = 0.0  # of `bayes_error`, where it was estimated by drawing examples


class Halfspace(NamedTuple):
    """Positive where <w, x> + b > 0."""

    w: Floats
    b: float = 0.0
    margin: float = 0.0  # no row comes closer
    radius: float = inf  # no row is longer

    def predict(self, X: Any) -> Integers:
        """Return the likelier label of each row."""
        return np.where(X @ self.w + self.b > 0, 1, -1)


class Disjunction(NamedTuple):
    """Positive where one of the relevant attributes is there."""

    relevant: Integers

    def predict(self, X: Any) -> Integers:
        """Return the likelier label of each row."""
        return np.where(np.asarray(X[:, self.relevant].sum(axis=1)).ravel() > 0, 1, -1)


class Multinomial(NamedTuple):
    """A class, then words drawn one after the other from its distribution."""

    priors: Floats
    words: Floats  # (classes, vocabulary)

    def posterior(self, X: Any) -> Floats:
        """Return the probability of each class given the counts of each row."""
        with np.errstate(divide="ignore"):  # a prior may be 0
            joint = X @ np.log(self.words).T + np.log(self.priors)
        return np.exp(joint - logsumexp(joint, axis=1, keepdims=True))  # type: ignore[no-any-return]

    def predict(self, X: Any) -> Integers:
        """Return the likeliest class of each row."""
        return self.posterior(X).argmax(axis=1)  # type: ignore[no-any-return]


def separable(n: int, *, d: int, margin: float, seed: int, radius: float = 1.0) -> Generated[Halfspace]:
    """Draw rows with y <w, x> >= margin for a unit vector w, half of them positive.

    x = y s w + sqrt(radius^2 - s^2) v, where v is a random unit vector orthogonal to w, and s is the height
    of a random point of the sphere above its equator, squeezed into [margin, radius]: in many dimensions
    most rows are near the margin. The first row is y margin w, so no unit vector attains more.

    Parameters
    ----------
    n
        Number of rows.
    d
        Number of columns.
    margin
        The least y <w, x>, above 0.
    seed
        What is drawn at random follows from it.
    radius
        Length of the rows, except of the first, which has the length `margin`.

    Examples
    --------
    >>> X, y, _, truth, _ = separable(100, d=5, margin=0.2, seed=0)
    >>> f"{min(y * (X @ truth.w)):.3f}"
    '0.200'
    """
    check_sizes(n=n, d=d)
    if not 0 < margin <= radius:
        raise ValueError(f"margin={margin!r} must be above 0 and at most radius={radius!r}.")
    rng = np.random.default_rng(seed)
    w = _direction(rng, d)
    y = rng.permutation(np.where(np.arange(n) % 2, 1, -1))
    points = rng.standard_normal((n, d))
    height = points @ w / np.linalg.norm(points, axis=1)
    flat = points - np.outer(points @ w, w)
    v = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), np.finfo(float).tiny)
    s = np.minimum(margin + (radius - margin) * np.abs(height), radius)
    X = np.outer(y * s, w) + np.sqrt((radius - s) * (radius + s))[:, np.newaxis] * v
    X[0] = y[0] * margin * w
    return Generated(X, y, 0.0, Halfspace(w, 0.0, margin, radius))


def noisy_logistic(n: int, *, d: int, scale: float, seed: int, b: float = 0.0) -> Generated[Halfspace]:
    """Draw x ~ N(0, I) and P(y = 1 | x) = sigmoid(<w, x> + b), with ||w|| = scale.

    The Bayes error is E[sigmoid(-|s|)], s ~ N(b, scale^2), by quadrature.

    Parameters
    ----------
    n
        Number of rows.
    d
        Number of columns.
    scale
        Length of w, at least 0: the larger, the less noise.
    seed
        What is drawn at random follows from it.
    b
        The intercept.

    Examples
    --------
    >>> f"{noisy_logistic(1000, d=5, scale=3.0, seed=0).bayes_error:.4f}"
    '0.1641'
    """
    check_sizes(n=n, d=d)
    check_between("scale", scale, 0, inf)
    rng = np.random.default_rng(seed)
    w = scale * _direction(rng, d)
    X = rng.standard_normal((n, d))
    y = np.where(rng.random(n) < expit(X @ w + b), 1, -1)

    def error(z: float) -> float:
        return float(expit(-abs(b + scale * z))) * exp(-z * z / 2) / sqrt(2 * pi)

    kink = float(np.clip(-b / scale, -10, 10)) if scale else 0.0
    bayes_error = quad(error, -10, kink)[0] + quad(error, kink, 10)[0]
    return Generated(X, y, bayes_error, Halfspace(w, b))


def multinomial_text(
    n: int,
    *,
    vocabulary: int,
    length: int,
    seed: int,
    classes: int = 2,
    priors: str | Sequence[float] = "uniform",
    concentration: float = 20.0,
) -> Generated[Multinomial]:
    """Draw documents of `length` words as CSR rows of counts.

    The words of class c follow p_c ~ Dirichlet(concentration vocabulary z), z_j proportional to 1 / j as by
    Zipf's law: the larger the concentration, the more the classes are alike. The Bayes error,
    E[1 - max_c P(c | x)], is the mean over 20,000 documents of their own.

    Parameters
    ----------
    n
        Number of documents.
    vocabulary
        Number of different words, the columns.
    length
        Number of words in each document.
    seed
        What is drawn at random follows from it.
    classes
        Number of classes, at least 2.
    priors
        Frequencies of the classes, or "uniform", "skewed" (80:20) or "extreme" (99:1; both go on as a
        geometric series).
    concentration
        How much the classes are alike, above 0.

    Examples
    --------
    >>> data = multinomial_text(100, vocabulary=50, length=40, priors="skewed", seed=0)
    >>> data.X.shape, data.truth.priors
    ((100, 50), array([0.8, 0.2]))
    >>> f"{data.bayes_error:.2f} +- {data.standard_error:.3f}"
    '0.12 +- 0.001'
    """
    check_sizes(n=n, vocabulary=vocabulary, length=length)
    check_between("classes", classes, 2, inf)
    check_between("concentration", concentration, np.finfo(float).eps, inf)
    background = 1 / np.arange(1, vocabulary + 1)
    background /= background.sum()
    rng = np.random.default_rng(seed)
    words = rng.dirichlet(concentration * vocabulary * background, size=classes)
    # Rounding makes some words impossible where the concentration is low, and 0 log 0 is not a number.
    truth = Multinomial(_frequencies(priors, classes), np.maximum(words, np.finfo(float).tiny))
    X, y = _documents(truth, n, length, rng)
    more, _ = _documents(truth, DRAWS, length, np.random.default_rng([seed, 1]))
    errors = 1 - truth.posterior(more).max(axis=1)
    return Generated(X, y, float(errors.mean()), truth, float(errors.std() / sqrt(DRAWS)))


def sparse_target(
    n: int, *, d: int, relevant: int, active: int, seed: int, noise: float = 0.0
) -> Generated[Disjunction]:
    """Draw CSR rows of d attributes, `active` of them 1; y tells whether a relevant one is among these.

    About half of the rows have one of the `relevant` attributes, the others none; the rest of a row is
    drawn from the irrelevant ones. Labels are flipped with probability `noise`, the Bayes error.

    Parameters
    ----------
    n
        Number of rows.
    d
        Number of attributes, the columns.
    relevant
        Number of attributes on which the label depends.
    active
        Number of attributes that are 1 in a row.
    seed
        What is drawn at random follows from it.
    noise
        Probability with which a label is flipped, at most 1/2.

    Examples
    --------
    >>> X, y, _, truth, _ = sparse_target(6, d=1000, relevant=5, active=20, seed=3)
    >>> y, X[:, truth.relevant].sum(axis=1)
    (array([-1, -1,  1,  1, -1, -1]), array([0., 0., 1., 1., 0., 0.]))
    """
    check_sizes(n=n, d=d, relevant=relevant, active=active)
    check_between("relevant", relevant, 1, d - 1)
    check_between("active", active, 1, d - relevant)
    check_between("noise", noise, 0, 0.5)
    rng = np.random.default_rng(seed)
    attributes = rng.permutation(d)
    y = rng.choice([-1, 1], size=n)
    chosen = attributes[relevant + _subsets(rng, n, d - relevant, active)]
    chosen[y > 0, 0] = rng.choice(attributes[:relevant], size=n)[y > 0]
    truth = Disjunction(np.sort(attributes[:relevant]))
    return Generated(_indicators(chosen, d), _flipped(y, noise, rng), noise, truth)


def dense_target(n: int, *, d: int, active: int, seed: int, noise: float = 0.0) -> Generated[Halfspace]:
    """Draw CSR rows of d attributes, `active` of them 1; y = sign <w, x>, and all of them matter.

    The w_j are uniform in [1, 2], with random signs: about equal, yet no row is without a label. Labels are
    flipped with probability `noise`, the Bayes error.

    Parameters
    ----------
    n
        Number of rows.
    d
        Number of attributes, the columns.
    active
        Number of attributes that are 1 in a row.
    seed
        What is drawn at random follows from it.
    noise
        Probability with which a label is flipped, at most 1/2.

    Examples
    --------
    >>> data = dense_target(1000, d=500, active=20, seed=0, noise=0.1)
    >>> bool(abs(np.mean(data.truth.predict(data.X) != data.y) - 0.1) < 0.03)
    True
    """
    check_sizes(n=n, d=d, active=active)
    check_between("active", active, 1, d)
    check_between("noise", noise, 0, 0.5)
    rng = np.random.default_rng(seed)
    truth = Halfspace(rng.choice([-1, 1], size=d) * rng.uniform(1, 2, size=d))
    X = _indicators(_subsets(rng, n, d, active), d)
    return Generated(X, _flipped(truth.predict(X), noise, rng), noise, truth)


def duplicated(base: Generated[Truth], *, columns: int | Sequence[int], copies: int) -> Generated[Truth]:
    """Repeat some features so that each is there `copies` times: nothing is learned from that.

    The new columns follow those of `base.X`, which `truth` goes on to speak about.

    Parameters
    ----------
    base
        Data of another generator.
    columns
        Which feature, or features, to repeat.
    copies
        How often each of them is there in the end.

    Examples
    --------
    >>> base = noisy_logistic(100, d=3, scale=1.0, seed=0)
    >>> more = duplicated(base, columns=0, copies=10)
    >>> more.X.shape, more.bayes_error == base.bayes_error
    ((100, 12), True)
    """
    check_sizes(copies=copies)
    d = base.X.shape[1]
    chosen = np.atleast_1d(columns)
    if np.any((chosen < 0) | (chosen >= d)):
        raise ValueError(f"columns={columns!r} must be between 0 and {d - 1}: X has {d} columns.")
    index = np.concatenate([np.arange(d), np.tile(chosen, copies - 1)])
    return base._replace(X=base.X[:, index])


def _direction(rng: np.random.Generator, d: int) -> Floats:
    w = rng.standard_normal(d)
    return w / np.linalg.norm(w)


def _subsets(rng: np.random.Generator, n: int, d: int, size: int) -> Integers:
    """Return n subsets of range(d), one row each."""
    return np.stack([rng.choice(d, size, replace=False) for _ in range(n)])


def _indicators(chosen: Integers, d: int) -> Any:
    """Return CSR rows that are 1 in the chosen columns, counting those chosen twice."""
    n, size = chosen.shape
    index_dtype = sp.get_index_dtype(maxval=max(n * size, d))
    starts = np.arange(0, n * size + 1, size, dtype=index_dtype)
    X = sp.csr_array((np.ones(n * size), chosen.ravel().astype(index_dtype), starts), shape=(n, d))
    X.sum_duplicates()
    return X


def _flipped(y: Integers, noise: float, rng: np.random.Generator) -> Integers:
    return np.where(rng.random(len(y)) < noise, -y, y)


def _documents(truth: Multinomial, n: int, length: int, rng: np.random.Generator) -> tuple[Any, Integers]:
    classes, vocabulary = truth.words.shape
    y = rng.choice(classes, size=n, p=truth.priors)
    words = np.empty((n, length), np.int64)
    for c in range(classes):
        words[y == c] = rng.choice(vocabulary, size=(np.sum(y == c), length), p=truth.words[c])
    return _indicators(words, vocabulary), y


def _frequencies(priors: str | Sequence[float], classes: int) -> Floats:
    if isinstance(priors, str):
        if priors not in PRIORS:
            raise ValueError(f"priors={priors!r} is not known. Give numbers or one of {', '.join(PRIORS)}.")
        ratios: Floats = PRIORS[priors] ** np.arange(classes)
        return ratios / ratios.sum()  # type: ignore[no-any-return]
    given = np.asarray(priors, float)
    if given.shape != (classes,) or not (given >= 0).all() or abs(given.sum() - 1) > 1e-9:
        raise ValueError(f"priors={priors!r} must be {classes} numbers, none negative, with the sum 1.")
    return given


def check_between(name: str, value: float, least: float, most: float) -> None:
    """Raise unless a parameter lies between two numbers."""
    if not least <= value <= most:
        raise ValueError(f"{name}={value!r} must be between {least:g} and {most:g}.")


def check_sizes(**sizes: int) -> None:
    """Raise unless all of these are at least 1."""
    for name, value in sizes.items():
        check_between(name, value, 1, inf)
