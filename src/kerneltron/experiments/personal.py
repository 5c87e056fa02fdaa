"""One spam filter for everyone and for each one: hashed words, and hashed pairs of user and word.

Users do not agree on what spam is. A global filter averages them; with `cross=["user*text"]` the same linear
learner has weights of its own for each user, in the same slots. A filter of one's own, for each user, has
nothing else. All filters are set to the same false positives (1 % of all wanted test mail), and what counts
is the spam that they let through.

Users without training mail gain in two ways: the weights of words alone are less those of the few who label
most; and where the wanted mail of others needs no room among the false positives, the one threshold is lower
for all. The row "0, set apart", with a threshold for these users alone, shows the first without the second.
In a second world no spammer vouches for his own mail: there is then less for personal weights to keep apart.

Weinberger, Dasgupta, Langford, Smola and Attenberg, Feature hashing for large scale multitask learning
(2009).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron.datasets.mail import VOCABULARY, Corpus, generate_mail, records
from kerneltron.experiments.experiment import INCOMPARABLE, Asked, Comparison, Outcome
from kerneltron.experiments.personal_filters import (
    GLOBAL,
    GROUPS,
    PAIRED,
    PERSONAL,
    SETTINGS,
    Missed,
    Setting,
    distinct_pairs,
    groups_of,
    hashed,
    judge,
    of_ones_own,
    train,
    unhashed,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OWN = "one's own"
WORLDS = ("spammers vouch for their mail", "nobody vouches for spam")
NEAR = 0.01  # of all spam: as near as a hashed filter is to the unhashed one where it has converged


class Size(NamedTuple):
    """How much is learned from."""

    users: int
    bits: tuple[int, ...]
    wide: int  # bits of the filters that are compared user by user
    settings: Sequence[Setting] = SETTINGS
    corpora: int = 3  # of each world, from different seeds


FEW = tuple(Setting(*pair) for pair in ((0.01, 0.0), (0.03, 0.0), (0.03, 0.03), (0.1, 0.03)))
QUICK = Size(200, (10, 16), 16, FEW[:2], 1)
STANDARD = Size(800, (10, 12, 14, 16, 18, 20, 22), 20, FEW)
FULL = Size(2500, (10, 12, 14, 16, 18, 20, 22, 24), 22)

# Of the published study, and of one of our corpora: what it is called, theirs.
PUBLISHED_SIZES = {
    "mails": "3.2 million",
    "different tokens": "40 million",
    "users": "430,000",
    "features after personalisation": "16 trillion",
}


class Results(NamedTuple):
    """What came out of one corpus, or is the mean of several."""

    sizes: list[int]  # users in each group
    counts: dict[str, int]  # as those of the published study
    pairs: int  # distinct user-word pairs in the training mail
    unhashed: Missed
    globally: dict[int, Missed]  # by bits
    personally: dict[int, Missed]
    paired: Missed  # personal, without the bare user, with as many bits as the widest that are compared
    own: Missed
    settings: dict[str, Setting]


def run(corpus: Corpus, size: Size) -> Results:
    """Train all filters; those of other sizes learn with the settings that are best for the wide ones."""
    mails = [records(corpus.training), records(corpus.validation), records(corpus.test)]
    plain = train(unhashed(corpus), corpus, size.settings)
    own = train(of_ones_own(corpus), corpus, size.settings, shared=False)
    kinds = (GLOBAL, PERSONAL, PAIRED)
    best = {kind: train(hashed(mails, size.wide, kind), corpus, size.settings) for kind in kinds}
    found: dict[str, dict[int, Missed]] = {GLOBAL: {}, PERSONAL: {}}
    for bits, kind in [(bits, kind) for bits in size.bits for kind in found]:
        done = best[kind]
        if bits != size.wide:
            done = train(hashed(mails, bits, kind), corpus, [done.setting])
        found[kind][bits] = judge(done.scores, corpus)
    users = corpus.truth.vouches.size
    words = np.unique(corpus.training.words).size
    return Results(
        [np.unique(corpus.test.users[group]).size for group in groups_of(corpus)],
        dict(
            zip(PUBLISHED_SIZES, (corpus.training.users.size, words, users, (users + 1) * words), strict=True)
        ),
        distinct_pairs(corpus.training),
        judge(plain.scores, corpus),
        found[GLOBAL],
        found[PERSONAL],
        judge(best[PAIRED].scores, corpus),
        judge(own.scores, corpus),
        {"unhashed": plain.setting, OWN: own.setting, **{kind: each.setting for kind, each in best.items()}},
    )


def averaged(results: Sequence[Results], wide: int) -> Results:
    """Return the means over corpora of filters with `wide` bits; users are added up."""
    first = results[0]
    return first._replace(
        sizes=np.sum([each.sizes for each in results], axis=0).tolist(),
        unhashed=_mean([each.unhashed for each in results]),
        globally={wide: _mean([each.globally[wide] for each in results])},
        personally={wide: _mean([each.personally[wide] for each in results])},
        paired=_mean([each.paired for each in results]),
        own=_mean([each.own for each in results]),
    )


def _mean(missed: Sequence[Missed]) -> Missed:
    """Return the means of all shares; a group that a corpus does not have is left out."""
    return Missed(
        float(np.mean([each.overall for each in missed])),
        np.nanmean([each.groups for each in missed], axis=0).tolist(),
        np.nanmean([each.false_positives for each in missed], axis=0).tolist(),
        float(np.mean([each.alone for each in missed])),
    )


def group_names() -> list[str]:
    """Return what the groups are called."""
    names = [
        f"{least}" if most == least + 1 else f"{least} to {most - 1}" for least, most in pairwise(GROUPS)
    ]
    return [*names, f"{GROUPS[-1]} or more"]


def gain(before: float, after: float) -> float:
    """Return how much less spam is let through, in %."""
    return 100 * (1 - after / before)


def users_table(world: str, results: Results, wide: int) -> Table:
    """Lay the filters out by training mails of a user."""
    before, after = results.globally[wide], results.personally[wide]
    out = Table(
        title=f"Spam let through in %, 2^{wide} slots, 1 % false positives; {world}", title_justify="left"
    )
    for column in (
        "training mails",
        "users",
        GLOBAL,
        PERSONAL,
        "change",
        "no bare user",
        OWN,
        "false positives",
    ):
        out.add_column(column, justify="right")
    rows = zip(
        group_names(), results.sizes, before.groups, after.groups, results.paired.groups, results.own.groups,
        before.false_positives, after.false_positives, strict=True,
    )  # fmt: skip
    for name, size, old, new, paired, own, wrong, wrong_after in rows:
        shown = f"{100 * wrong:.2f} and {100 * wrong_after:.2f} %"
        out.add_row(name, f"{size:,}", *_cells(old, new, paired, own), shown)
    out.add_section()
    missed = (before, after, results.paired, results.own)
    out.add_row("all", f"{sum(results.sizes):,}", *_cells(*(each.overall for each in missed)), "1 %")
    out.add_row("0, set apart", f"{results.sizes[0]:,}", *_cells(*(each.alone for each in missed)), "1 %")
    return out


def _cells(before: float, after: float, paired: float, own: float) -> list[str]:
    shares = [f"{100 * share:.1f}" for share in (before, after, paired, own)]
    return [*shares[:2], f"{-gain(before, after):+.0f} %", *shares[2:]]


def bits_table(results: Results) -> Table:
    """Lay the filters out by the number of slots."""
    out = Table(title=f"By slots; unhashed {100 * results.unhashed.overall:.1f} %", title_justify="left")
    for column in ("bits", "pairs per slot", GLOBAL, PERSONAL, "change"):
        out.add_column(column, justify="right")
    for bits, done in results.globally.items():
        after = results.personally[bits].overall
        cells = (f"{100 * done.overall:.1f}", f"{100 * after:.1f}", f"{-gain(done.overall, after):+.0f} %")
        out.add_row(f"{bits}", f"{results.pairs / 2**bits:,.2f}", *cells)
    return out


def sizes_table(results: Results) -> Table:
    """Lay the size of the published study beside ours."""
    out = Table(title="What is learned from", title_justify="left")
    for column in ("", "published", "ours"):
        out.add_column(column, justify="right")
    for name, published in PUBLISHED_SIZES.items():
        out.add_row(name, published, f"{results.counts[name]:,}")
    return out


def converged(results: Results) -> int | None:
    """Return the least number of bits from which on the global filter is as good as without hashing."""
    near = [
        bits
        for bits, done in results.globally.items()
        if abs(done.overall - results.unhashed.overall) <= NEAR
    ]
    return min(near, default=None)


def gains(results: Sequence[Results], wide: int, share: Callable[[Missed], float]) -> list[float]:
    """Return for each corpus how much less spam personal filters let through, in % of the global one's."""
    return [gain(share(each.globally[wide]), share(each.personally[wide])) for each in results]


SHARES: dict[str, Callable[[Missed], float]] = {
    "all users": lambda missed: missed.overall,
    f"users with {GROUPS[-1]} or more training mails": lambda missed: missed.groups[-1],
    "users without training mail": lambda missed: missed.groups[0],
    "users without training mail, threshold of their own": lambda missed: missed.alone,
}
PUBLISHED_GAINS = (30.0, 65.0, 20.0, None)  # at most, in the study
STUDY = "Weinberger et al. (2009)"
UP_TO = "our mail is generated, and the published gain is 'up to' this: they compare in kind, not in size."


def comparisons(vouched: Sequence[Results], honest: Sequence[Results], wide: int) -> list[Comparison]:
    """Put our gains beside the published ones; in the second world nobody published any."""
    found = []
    for (who, share), published in zip(SHARES.items(), PUBLISHED_GAINS, strict=True):
        for world, results in zip(WORLDS, (vouched, honest), strict=True):
            each = gains(results, wide, share)
            is_published = published is not None and results is vouched
            found.append(
                Comparison(
                    f"personal instead of global, {world}: {who}",
                    float(np.mean(each)),
                    published if is_published else None,
                    unit="% less spam",
                    spread=float(np.std(each, ddof=1)) if len(each) > 1 else None,
                    higher_is_better=True,
                    reason=UP_TO if is_published else "",
                    source=STUDY if is_published else "",
                    kind=INCOMPARABLE,
                )
            )
    return found


def notes(vouched: Sequence[Results], honest: Sequence[Results], wide: int) -> list[str]:
    """Say what a reader needs beside the numbers."""
    new, new_honest, apart, apart_honest = (
        _with_error(gains(results, wide, share))
        for share in list(SHARES.values())[2:]
        for results in (vouched, honest)
    )
    enough = converged(vouched[0])
    chosen = ", ".join(f"{name} {rate:g} and {l2:g}" for name, (rate, l2) in vouched[0].settings.items())
    return [
        f"Means over {len(vouched)} corpora of each world; filters by slots are of the first.",
        f"Users without training mail gain {new} where spammers vouch for their own mail, and {new_honest} "
        f"where nobody does. With a threshold for these users alone it is {apart} and {apart_honest}: "
        "the rest goes with the threshold, which the mail of others lowers. (After ± is a standard error; a "
        "gain that is not twice as large may be none.)",
        "The global hashed filter is within a point of the unhashed one "
        + (f"from 2^{enough} slots on" if enough else "at none of these sizes")
        + f", with {VOCABULARY:,} words in the language; published: it converges early as the table grows.",
        "A filter of one's own lets all spam of users without training mail through; all filters have one "
        "threshold for all users.",
        f"Rate and l2, the best on validation mail of all users, in the first corpus: {chosen}.",
    ]


def _with_error(each: list[float]) -> str:
    error = f" ± {np.std(each, ddof=1) / np.sqrt(len(each)):.0f}" if len(each) > 1 else ""
    return f"{np.mean(each):.0f}{error} %"


def picture(first: Results, mean: Results, wide: int) -> "Figure":
    """Draw what is let through: by training mails, on average, and by bits, in the first corpus."""
    from kerneltron.plots.personal import PersonalDisplay, SlotsDisplay, draw_personal

    by_user = {
        GLOBAL: mean.globally[wide].groups,
        PERSONAL: mean.personally[wide].groups,
        OWN: mean.own.groups,
    }
    by_bits = {
        name: {bits: missed.overall for bits, missed in found.items()}
        for name, found in ((GLOBAL, first.globally), (PERSONAL, first.personally))
    }
    slots = SlotsDisplay(by_bits, pairs=first.pairs, unhashed=first.unhashed.overall)
    return draw_personal(PersonalDisplay(group_names(), by_user), slots, f"Where {WORLDS[0]}")


def reproduce(asked: Asked) -> Outcome:
    """Train all filters in both worlds."""
    size = QUICK if asked.quick else FULL if asked.full else STANDARD
    narrow = size._replace(bits=(size.wide,))
    work = [(world, number) for world in WORLDS for number in range(size.corpora)]
    worlds: dict[str, list[Results]] = {world: [] for world in WORLDS}
    for world, number in asked.show(work, "Corpora"):
        vouched = 100.0 if world == WORLDS[0] else 0.0
        corpus = generate_mail(users=size.users, seed=asked.seed + number, vouched=vouched)
        is_first = vouched > 0 and number == 0
        worlds[world].append(run(corpus, size if is_first else narrow))
    spoiled, honest = worlds.values()
    first = spoiled[0]
    return Outcome(
        comparisons(spoiled, honest, size.wide),
        [
            *(users_table(world, averaged(each, size.wide), size.wide) for world, each in worlds.items()),
            bits_table(first),
            sizes_table(first),
        ],
        {"personal-mail": lambda: picture(first, averaged(spoiled, size.wide), size.wide)},
        notes(spoiled, honest, size.wide),
        {world: [_plain(results) for results in each] for world, each in worlds.items()},
    )


def _plain(results: Results) -> dict[str, Any]:
    by_bits = {
        name: {str(bits): missed._asdict() for bits, missed in getattr(results, name).items()}
        for name in ("globally", "personally")
    }
    single = {name: getattr(results, name)._asdict() for name in ("unhashed", "paired", "own")}
    return {**results._asdict(), **by_bits, **single}
