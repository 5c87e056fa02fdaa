"""The mail of many users who do not agree on what spam is, drawn from a known truth.

>>> corpus = generate_mail(users=50, seed=0)
>>> record = records(corpus.test)[0]
>>> record["user"], record["text"].split()[:3]
('user0', ['w0', 'w3', 'w4'])
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron.datasets.generators import check_between, check_sizes

LETTER, SPAM, BULK = 0, 1, 2  # sources of mail
SHARES = (0.4, 0.3, 0.3)  # of all mail
LETTER_TOPICS, SPAM_TOPICS, LISTS = 40, 20, 100
OWN_TOPICS, OWN_LISTS = 3, 5  # that a user gets mail about
VOCABULARY, COMMON = 20_000, 200  # the most frequent words belong to no topic
TOPIC_WORDS = 200
LENGTH = 40  # words of a mail
TOPICAL = 0.4  # the share of them that are of its topic
SLIPS = 0.01  # of all labels
NEVER_LABELS = 0.3  # of all users
VOUCHERS = 0.01  # of all accounts
MOST_MAILS = 1000  # of one user


class Taste(NamedTuple):
    """The truth behind the labels."""

    popularity: Floats  # of each list: the probability that a user wants it
    wants: Anything  # (users, lists), true where a user wants a list
    vouches: Anything  # of each account: whether it is a spammer's
    campaigns: Integers  # of each account: the topic of spam that it would vouch for


class Mail(NamedTuple):
    """Mails: mail i of user users[i] has the distinct words words[starts[i]:starts[i + 1]]."""

    users: Integers
    labels: Integers  # 1 is spam, to this user
    sources: Integers
    words: Integers
    starts: Integers


class Corpus(NamedTuple):
    """Labelled mail, in a random order, and later mail of the same users, whether they label any or not."""

    training: Mail
    validation: Mail
    test: Mail
    truth: Taste


class _World(NamedTuple):
    """What mails are drawn from."""

    taste: Taste
    topics: Integers  # words of each topic: of letters, of spam, and of lists
    own_topics: Integers  # of each user
    own_lists: Integers


def generate_mail(*, users: int, seed: int, volume: float = 60.0, vouched: float = 100.0) -> Corpus:
    """Draw the mail of some users, and what they call spam.

    Letters are wanted, plain spam is not, and bulk mail (newsletters, offers) comes from lists that some want
    and others call spam. It is assumed that

    - on most lists most users agree: the popularity of a list is drawn from Beta(0.15, 0.15), and each user
      wants it with that probability;
    - a user gets five of the hundred lists, so there is something to learn from a few labels;
    - mailboxes are of very different size (log-normal, median `volume`, sigma 1.2), and users label very
      different shares of theirs: 30 % nothing, others a share drawn from Beta(1/2, 1). So the labels come
      from few users for the most part. Mail to validate and to test on follows the size of the mailbox, not
      the labels;
    - 1 % of the accounts belong to spammers: they send themselves one of the twenty kinds of spam, and call
      about `vouched` such mails wanted. They have no part in validation and test;
    - every hundredth label is a slip;
    - a mail has about 40 words, four in ten of its topic, the others of the language, both after
      Zipf; topics share words. Features are the words that appear, not how often.

    Parameters
    ----------
    users
        Number of accounts.
    seed
        The same seed gives the same mail.
    volume
        Median number of mails of a mailbox in the time of training; a tenth of it comes to validate on,
        and a fifth to test on.
    vouched
        Mean number of mails that a spammer's account vouches for; 0 makes a world without such accounts.
    """
    check_sizes(users=users)
    check_between("volume", volume, 0, np.inf)
    check_between("vouched", vouched, 0, np.inf)
    random = np.random.default_rng(seed)
    world = _draw_world(random, users)
    vouches = world.taste.vouches
    volumes = volume * random.lognormal(0.0, 1.2, users)
    shares = np.where(random.random(users) < NEVER_LABELS, 0.0, random.beta(0.5, 1.0, users))
    labelled = random.poisson(np.where(vouches, vouched, shares * volumes))
    shown = np.where(vouches, 0, random.poisson(volumes / 10))
    later = np.where(vouches, 0, np.maximum(random.poisson(volumes / 5), 1))
    training, validation, test = (
        _draw_mail(random, world, np.minimum(counts, MOST_MAILS)) for counts in (labelled, shown, later)
    )
    shuffled = taken(training, random.permutation(training.users.size))
    return Corpus(shuffled, validation, test, world.taste)


def taken(mail: Mail, chosen: Integers) -> Mail:
    """Return some of the mails, in the given order."""
    lengths = np.diff(mail.starts)[chosen]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(mail.starts[:-1][chosen] - starts[:-1], lengths) + np.arange(starts[-1])
    known = (mail.users[chosen], mail.labels[chosen], mail.sources[chosen])
    return Mail(*known, mail.words[places], starts)


def records(mail: Mail) -> list[dict[str, str]]:
    """Return each mail as a dict of user and text."""
    names = [f"w{word}" for word in range(VOCABULARY)]
    words = [names[word] for word in mail.words.tolist()]
    bounds = mail.starts.tolist()
    return [
        {"user": f"user{user}", "text": " ".join(words[start:stop])}
        for user, start, stop in zip(mail.users.tolist(), bounds[:-1], bounds[1:], strict=True)
    ]


def _draw_world(random: np.random.Generator, users: int) -> _World:
    popularity = random.beta(0.15, 0.15, LISTS)
    taste = Taste(
        popularity,
        random.random((users, LISTS)) < popularity,
        random.random(users) < VOUCHERS,
        random.integers(0, SPAM_TOPICS, users),
    )
    topics = LETTER_TOPICS + SPAM_TOPICS + LISTS
    return _World(
        taste,
        COMMON + _choices(random, topics, VOCABULARY - COMMON, TOPIC_WORDS),
        _choices(random, users, LETTER_TOPICS, OWN_TOPICS),
        _choices(random, users, LISTS, OWN_LISTS),
    )


def _choices(random: np.random.Generator, rows: int, among: int, count: int) -> Integers:
    """Return rows of `count` different numbers below `among`."""
    return np.array([random.choice(among, count, replace=False) for _ in range(rows)])


def _draw_mail(random: np.random.Generator, world: _World, counts: Integers) -> Mail:
    users = np.repeat(np.arange(counts.size), counts)
    n = users.size
    taste, vouched = world.taste, world.taste.vouches[users]
    sources = np.where(vouched, SPAM, random.choice(3, n, p=SHARES))
    lists = world.own_lists[users, random.integers(0, OWN_LISTS, n)]
    labels = np.where(sources == BULK, ~taste.wants[users, lists], (sources == SPAM) & ~vouched)
    labels ^= random.random(n) < SLIPS
    campaigns = np.where(vouched, taste.campaigns[users], random.integers(0, SPAM_TOPICS, n))
    topics = np.choose(
        sources,
        [
            world.own_topics[users, random.integers(0, OWN_TOPICS, n)],
            LETTER_TOPICS + campaigns,
            LETTER_TOPICS + SPAM_TOPICS + lists,
        ],
    )
    rows = np.repeat(np.arange(n), np.maximum(random.poisson(LENGTH, n), 1))
    of_topic = world.topics[topics[rows], _zipf(random, rows.size, TOPIC_WORDS)]
    words = np.where(random.random(rows.size) < TOPICAL, of_topic, _zipf(random, rows.size, VOCABULARY))
    pairs = np.unique(rows * VOCABULARY + words)  # a word counts once per mail
    starts = np.searchsorted(pairs, np.arange(n + 1) * VOCABULARY)
    return Mail(users, labels.astype(np.int64), sources, pairs % VOCABULARY, starts)


def _zipf(random: np.random.Generator, size: int, among: int) -> Integers:
    """Draw numbers below `among`, k with a probability proportional to 1 / (k + 1)."""
    total = np.cumsum(1 / np.arange(1, among + 1))
    drawn: Integers = np.searchsorted(total, random.random(size) * total[-1])
    return np.minimum(drawn, among - 1)
