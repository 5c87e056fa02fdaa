"""One spam filter for everyone and for each one: hashed words, and hashed pairs of user and word.

Users do not agree on what spam is. A global filter averages them; with `cross=["user*text"]` the same linear
learner has weights of its own for each user, in the same slots. All filters are set to the same false
positives (1 % of all wanted test mail), and what counts is the spam that they let through.

Users without training mail gain in two ways: the weights of words alone are less those of the few who label
most; and where the wanted mail of others needs no room among the false positives, the one threshold is lower
for all. The row "0, set apart", with a threshold for these users alone, shows the first without the second.

Run as `python -m kerneltron.experiments.personal [--picture PATH]`.
"""

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from rich.console import Console
from rich.progress import track
from rich.table import Table

from kerneltron import Hasher, LogisticRegression
from kerneltron._types import Anything, Floats, Integers
from kerneltron.datasets.mail import VOCABULARY, Corpus, Mail, generate_mail, records

FALSE_POSITIVES = 0.01
BITS = (10, 12, 14, 16, 18, 20, 22, 24)
WIDE = 22  # bits of the filters that are compared user by user
GROUPS = (0, 1, 16, 64, 256)  # training mails of a user, at least this many and less than the next
PASSES = 3

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


class Results(NamedTuple):
    """What came out."""

    sizes: list[int]  # users in each group
    pairs: int  # distinct user-word pairs in the training mail
    unhashed: Missed
    globally: dict[int, Missed]  # by bits
    personally: dict[int, Missed]
    settings: dict[str, Setting]


def unhashed(mail: Mail) -> Any:
    """Return one column per word."""
    ones = np.ones(mail.words.size, np.float32)
    return sp.csr_matrix((ones, mail.words, mail.starts), shape=(mail.users.size, VOCABULARY))


def hashed(mails: Sequence[Records], bits: int, *, personal: bool) -> Parts:
    """Return hashed words of mail, and pairs of user and word if they are to be personal."""
    words = Hasher(bits=bits, columns={"user": "ignore", "text": "text"})
    pairs = Hasher(bits=bits, cross=["user*text"])
    return Parts(*((pairs if personal else words).transform(mail) for mail in mails))


def train(parts: Parts, corpus: Corpus, settings: Sequence[Setting]) -> Filter:
    """Train a filter with each setting; return the one that misses least of the validation mail."""
    learners = [_learner(setting).fit(parts.training, corpus.training.labels) for setting in settings]
    scores = [learner.decision_function(parts.validation) for learner in learners]
    best = int(np.argmin([missed_share(score, corpus.validation.labels) for score in scores]))
    return Filter(learners[best].decision_function(parts.test), settings[best])


def _learner(setting: Setting) -> LogisticRegression:
    return LogisticRegression(learning_rate=setting.rate, l2=setting.l2, passes=PASSES, random_state=0)


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
        [float(passed[group & (labels == 1)].mean()) for group in groups],
        [float(1 - passed[group & (labels == 0)].mean()) for group in groups],
        missed_share(scores[new], labels[new]),
    )


def run(
    corpus: Corpus,
    bits: Sequence[int] = BITS,
    wide: int = WIDE,
    settings: Sequence[Setting] = SETTINGS,
    show: Any = iter,
) -> Results:
    """Train all filters; those of other sizes learn with the settings that are best for the wide ones."""
    mails = [records(corpus.training), records(corpus.validation), records(corpus.test)]
    plain = train(Parts(*map(unhashed, corpus[:3])), corpus, settings)
    best = {
        personal: train(hashed(mails, wide, personal=personal), corpus, settings)
        for personal in (False, True)
    }
    found: dict[bool, dict[int, Missed]] = {False: {}, True: {}}
    for size, personal in show([(size, personal) for size in bits for personal in (False, True)]):
        done = best[personal]
        if size != wide:
            done = train(hashed(mails, size, personal=personal), corpus, [done.setting])
        found[personal][size] = judge(done.scores, corpus)
    mail = corpus.training
    pairs = np.unique(np.repeat(mail.users, np.diff(mail.starts)) * VOCABULARY + mail.words)
    return Results(
        [np.unique(corpus.test.users[group]).size for group in groups_of(corpus)],
        pairs.size,
        judge(plain.scores, corpus),
        found[False],
        found[True],
        {"unhashed": plain.setting, "global": best[False].setting, "personal": best[True].setting},
    )


def group_names() -> list[str]:
    """Return what the groups are called."""
    names = [
        f"{least}" if most == least + 1 else f"{least} to {most - 1}" for least, most in pairwise(GROUPS)
    ]
    return [*names, f"{GROUPS[-1]} or more"]


def tables(results: Results, wide: int = WIDE) -> list[Table]:
    """Lay the results out: by training mails of a user, and by bits."""
    before, after = results.globally[wide], results.personally[wide]
    users = Table(title=f"Spam let through, 2^{wide} slots, 1 % false positives", title_justify="left")
    for column in ("training mails", "users", "global", "personal", "change", "false positives"):
        users.add_column(column, justify="right")
    rows = zip(
        group_names(),
        results.sizes,
        before.groups,
        after.groups,
        zip(before.false_positives, after.false_positives, strict=True),
        strict=True,
    )
    for name, size, old, new, wrong in rows:
        shown = f"{100 * wrong[0]:.2f} and {100 * wrong[1]:.2f} %"
        users.add_row(name, f"{size:,}", *_change(old, new), shown)
    users.add_section()
    users.add_row("all", f"{sum(results.sizes):,}", *_change(before.overall, after.overall), "1 %")
    users.add_row("0, set apart", f"{results.sizes[0]:,}", *_change(before.alone, after.alone), "1 %")

    bits = Table(title=f"By slots; unhashed {100 * results.unhashed.overall:.1f} %", title_justify="left")
    for column in ("bits", "pairs a slot", "global", "personal", "change"):
        bits.add_column(column, justify="right")
    for size, done in results.globally.items():
        many = f"{results.pairs / 2**size:,.2f}"
        bits.add_row(f"{size}", many, *_change(done.overall, results.personally[size].overall))
    return [users, bits]


def _change(before: float, after: float) -> tuple[str, str, str]:
    return f"{100 * before:.1f} %", f"{100 * after:.1f} %", f"{100 * (after / before - 1):+.0f} %"


def curves(
    results: Results, wide: int = WIDE
) -> tuple[dict[str, list[float]], list[str], dict[str, dict[int, float]]]:
    """Return what the picture shows: spam let through by group, the groups, and by bits."""
    filters = {"hashed, global": results.globally, "hashed, personal": results.personally}
    by_user = {name: found[wide].groups for name, found in filters.items()}
    by_bits = {
        name: {size: missed.overall for size, missed in found.items()} for name, found in filters.items()
    }
    return by_user, group_names(), by_bits | {"unhashed, global": {0: results.unhashed.overall}}


def main() -> None:
    """Print the tables and, if asked, save the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", type=Path, help="save a picture of the tables here")
    parser.add_argument("--users", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--vouched", type=float, default=100, help="mails that a spammer's account vouches for"
    )
    arguments = parser.parse_args()
    console, progress = Console(), Console(stderr=True)
    corpus = generate_mail(users=arguments.users, seed=arguments.seed, vouched=arguments.vouched)
    results = run(corpus, show=lambda work: track(work, "Learning", console=progress, transient=True))
    for table in tables(results):
        console.print(table)
    chosen = ", ".join(f"{name} {rate:g} and {l2:g}" for name, (rate, l2) in results.settings.items())
    console.print(
        f"{corpus.training.users.size:,} training mails, {corpus.test.users.size:,} test mails, "
        f"{results.pairs:,} distinct user-word pairs; rate and l2: {chosen}"
    )
    if arguments.picture:
        from kerneltron.plots.personal import draw_personal

        arguments.picture.parent.mkdir(parents=True, exist_ok=True)
        figure = draw_personal(*curves(results), results.pairs)
        figure.savefig(arguments.picture)
        console.print(f"Picture saved as {arguments.picture}")


if __name__ == "__main__":
    main()
