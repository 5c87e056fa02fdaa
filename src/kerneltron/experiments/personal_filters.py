"""Filters for the mail of many users: global, personal, and one's own; and what they let through.

A global filter has a weight for each word. A personal one has these and, in the same slots, a weight for each
pair of user and word. A filter of one's own has pairs alone: what a user's mail teaches helps nobody else.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from kerneltron import Hasher, LogisticRegression
from kerneltron._types import Anything, Floats, Integers
from kerneltron.datasets.mail import VOCABULARY, Corpus, Mail

FALSE_POSITIVES = 0.01
GROUPS = (0, 1, 2, 4, 8, 16, 32, 64)  # training mails of a user, at least this many and less than the next
PASSES = 3
GLOBAL, PERSONAL, PAIRED = "global", "personal", "personal, without the bare user"
COLUMNS = {"user": "user", "text": "text"}

Records = list[dict[str, str]]


class Setting(NamedTuple):
    """Parameters of the learner."""

    rate: float
    l2: float


# The best on the validation mail is taken, for each filter.
SETTINGS = (
    *(Setting(rate, 0.0) for rate in (0.001, 0.003, 0.01, 0.03, 0.1)),
    *(Setting(rate, 0.03) for rate in (0.03, 0.1, 0.3)),
)


class Parts(NamedTuple):
    """The training, validation and test mail of a corpus, each as a matrix."""

    training: Any
    validation: Any
    test: Any


class Filter(NamedTuple):
    """What a filter says of the test mail, and the setting with which it learned best."""

    scores: Floats
    setting: Setting


class Missed(NamedTuple):
    """The spam that a filter lets through: of all users, and of each group; and what it takes for spam."""

    overall: float
    groups: list[float]
    false_positives: list[float]  # in each group, where they are 1 % over all
    alone: float  # spam of users without training mail, with 1 % false positives among these alone


def unhashed(corpus: Corpus) -> Parts:
    """Return one column per word."""
    return Parts(*map(_words, corpus[:3]))


def of_ones_own(corpus: Corpus) -> Parts:
    """Return one column per pair of user and word that the training mail has, and one per user.

    A filter on these has learned nothing about other pairs, and users share nothing.
    """
    known = np.unique(_pairs(corpus.training))
    users = 1 + max(int(mail.users.max(initial=0)) for mail in corpus[:3])
    parts = []
    for mail in corpus[:3]:
        pairs, mails = _pairs(mail), np.arange(mail.users.size)
        places = np.minimum(np.searchsorted(known, pairs), known.size - 1)
        there = known[places] == pairs
        rows = np.concatenate([np.repeat(mails, np.diff(mail.starts))[there], mails])
        columns = np.concatenate([places[there], known.size + mail.users])
        ones = np.ones(rows.size, np.float32)
        parts.append(sp.csr_matrix((ones, (rows, columns)), shape=(mails.size, known.size + users)))
    return Parts(*parts)


def distinct_pairs(mail: Mail) -> int:
    """Count the distinct pairs of user and word."""
    return int(np.unique(_pairs(mail)).size)


def _pairs(mail: Mail) -> Integers:
    return np.repeat(mail.users, np.diff(mail.starts)) * VOCABULARY + mail.words


def _words(mail: Mail) -> Any:
    ones = np.ones(mail.words.size, np.float32)
    return sp.csr_matrix((ones, mail.words, mail.starts), shape=(mail.users.size, VOCABULARY))


def hashed(mails: Sequence[Records], bits: int, kind: str) -> Parts:
    """Return hashed words of mail and, if they are to be personal, pairs of user and word."""
    hashers = {
        GLOBAL: Hasher(bits=bits, columns={"user": "ignore", "text": "text"}),
        PERSONAL: Hasher(bits=bits, columns=COLUMNS, cross=["user*text"]),
        PAIRED: Hasher(bits=bits, columns=COLUMNS, cross=["user*text"], only_crossed=["user"]),
    }
    return Parts(*(hashers[kind].transform(mail) for mail in mails))


def train(parts: Parts, corpus: Corpus, settings: Sequence[Setting], *, shared: bool = True) -> Filter:
    """Train a filter with each setting; return the one that misses least of the validation mail.

    Without a shared intercept, users whose mail has no known column have the score 0.
    """
    learners = [
        LogisticRegression(
            learning_rate=rate,
            l2=l2,
            passes=PASSES,
            fit_intercept=shared,
            scale=False,
            hypothesis="average",
            random_state=0,
        ).fit(parts.training, corpus.training.labels)
        for rate, l2 in settings
    ]
    scores = [learner.decision_function(parts.validation) for learner in learners]
    best = int(np.argmin([missed_share(score, corpus.validation.labels) for score in scores]))
    return Filter(learners[best].decision_function(parts.test), settings[best])


def threshold(scores: Floats, labels: Integers) -> float:
    """Return the least score above which lie no more than 1 % of the mails that are wanted."""
    wanted = np.sort(scores[labels == 0])
    return float(wanted[wanted.size - 1 - int(FALSE_POSITIVES * wanted.size)])


def missed_share(scores: Floats, labels: Integers) -> float:
    """Return the share of spam that is not above the threshold."""
    return float(np.mean(scores[labels == 1] <= threshold(scores, labels)))


def groups_of(corpus: Corpus) -> list[Anything]:
    """Return for each group of users, by their number of training mails, which test mails are theirs."""
    users = 1 + max(corpus.training.users.max(initial=0), corpus.test.users.max(initial=0))
    counts = np.bincount(corpus.training.users, minlength=users)[corpus.test.users]
    return [
        (counts >= least) & (counts < most) for least, most in zip(GROUPS, (*GROUPS[1:], np.inf), strict=True)
    ]


def judge(scores: Floats, corpus: Corpus) -> Missed:
    """Return what a filter lets through."""
    labels, groups = corpus.test.labels, groups_of(corpus)
    passed = scores <= threshold(scores, labels)
    new = groups[0]
    return Missed(
        float(passed[labels == 1].mean()),
        [_share(passed[group & (labels == 1)]) for group in groups],
        [1 - _share(passed[group & (labels == 0)]) for group in groups],
        missed_share(scores[new], labels[new]),
    )


def _share(passed: Anything) -> float:
    return float(passed.mean()) if passed.size else float("nan")
