"""The generator of mail, and the personalised spam filter in small."""

import json

import numpy as np
import pytest

from kerneltron.datasets.mail import BULK, LETTER, SPAM, generate_mail, records, taken
from kerneltron.experiments import personal, personal_filters
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.personal import Size
from kerneltron.experiments.personal_filters import GLOBAL, GROUPS, PAIRED, PERSONAL, Setting

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpus():
    return generate_mail(users=500, seed=0)


def test_the_same_seed_gives_the_same_mail():
    one, same, other = (generate_mail(users=40, seed=seed) for seed in (3, 3, 4))
    for first, second in zip(one.training, same.training, strict=True):
        np.testing.assert_array_equal(first, second)
    assert one.training.words.size != other.training.words.size


def test_labels_are_the_users_own(corpus):
    mail, wants = corpus.test, corpus.truth.wants
    assert abs(mail.labels[mail.sources == SPAM].mean() - 0.99) < 0.005
    assert abs(mail.labels[mail.sources == LETTER].mean() - 0.01) < 0.005
    bulk = mail.sources == BULK
    # Somebody's spam is another one's newsletter, and what is wanted follows the taste.
    unwanted = 1 - wants[mail.users[bulk]].mean(axis=1)
    assert np.corrcoef(mail.labels[bulk], unwanted)[0, 1] > 0
    assert 0.2 < mail.labels[bulk].mean() < 0.8


def test_labels_come_from_few_users_and_many_users_have_none(corpus):
    counts = np.sort(np.bincount(corpus.training.users, minlength=500))
    assert np.mean(counts == 0) > 0.3
    assert counts[-50:].sum() > 0.5 * counts.sum()


def test_spammers_vouch_for_spam_in_training_only(corpus):
    vouched = corpus.truth.vouches[corpus.training.users]
    assert 0 < vouched.mean() < 0.1
    assert set(corpus.training.sources[vouched]) == {SPAM}
    assert corpus.training.labels[vouched].mean() < 0.05
    assert not corpus.truth.vouches[corpus.test.users].any()
    without = generate_mail(users=500, seed=0, vouched=0)
    assert not without.truth.vouches[without.training.users].any()


def test_words_are_distinct_and_follow_their_mail(corpus):
    mail = corpus.test
    few = taken(mail, np.array([5, 2]))
    assert few.users.tolist() == mail.users[[5, 2]].tolist()
    texts = [record["text"].split() for record in records(few)]
    expected = mail.words[mail.starts[5] : mail.starts[6]]
    assert texts[0] == [f"w{word}" for word in expected]
    assert all(len(set(text)) == len(text) for text in texts)


def test_the_threshold_lets_one_percent_of_wanted_mail_be_taken_for_spam():
    random = np.random.default_rng(0)
    scores, labels = random.normal(size=20_000), random.integers(0, 2, 20_000)
    above = scores > personal_filters.threshold(scores, labels)
    assert above[labels == 0].mean() == pytest.approx(0.01, abs=1e-4)
    assert personal_filters.missed_share(scores, labels) == 1 - above[labels == 1].mean()


@pytest.fixture(scope="module")
def results(corpus):
    settings = [Setting(0.01, 0.0), Setting(0.03, 0.0)]
    return personal.run(corpus, Size(500, (8, 18, 20), 20, settings))


@pytest.mark.soak
def test_personal_features_catch_more_spam(results):
    before, after = results.globally[20], results.personally[20]
    assert after.overall < 0.75 * before.overall
    assert after.groups[0] < 0.9 * before.groups[0]  # also for users without any training mail


@pytest.mark.soak
def test_the_more_a_user_labels_the_more_is_gained(results):
    before, after = results.globally[20], results.personally[20]
    gains = [1 - new / old for old, new in zip(before.groups, after.groups, strict=True)]
    assert max(gains) == gains[-1]
    assert gains[-1] > 0.5


@pytest.mark.soak
def test_hashing_costs_nothing_where_slots_abound_and_much_where_pairs_crowd(results):
    assert abs(results.globally[20].overall - results.unhashed.overall) < 0.03
    assert results.pairs > 900 * 2**8
    assert results.personally[8].overall > results.personally[18].overall > results.personally[20].overall


@pytest.mark.soak
def test_a_filter_of_ones_own_needs_mail(results):
    own, personally = results.own, results.personally[20]
    assert own.groups[0] == 1.0
    assert own.groups[-1] < 0.5 * own.groups[1]
    assert own.overall > personally.overall


@pytest.mark.soak
def test_the_user_alone_hardly_matters(results):
    assert abs(results.paired.overall - results.personally[20].overall) < 0.02


def test_users_share_nothing_in_filters_of_their_own(corpus):
    parts = personal_filters.of_ones_own(corpus)
    training = parts.training
    assert training.sum() == corpus.training.words.size + corpus.training.users.size
    first, second = (
        np.flatnonzero(corpus.training.users == user)[0] for user in np.unique(corpus.training.users)[:2]
    )
    assert not set(training[first].indices) & set(training[second].indices)
    strangers = ~np.isin(corpus.test.users, corpus.training.users)
    assert set(np.diff(parts.test.indptr)[strangers]) == {1}  # nothing but who they are, which is not known


def test_kinds_of_features_differ_by_the_pairs_and_the_user():
    mail = [{"user": "ann", "text": "win a prize"}]
    counts = [personal_filters.hashed([mail] * 3, 20, kind).test.nnz for kind in (GLOBAL, PERSONAL, PAIRED)]
    assert counts == [3, 7, 6]


def test_groups_are_those_of_the_study(corpus):
    assert personal.group_names() == [
        "0",
        "1",
        "2 to 3",
        "4 to 7",
        "8 to 15",
        "16 to 31",
        "32 to 63",
        "64 or more",
    ]
    groups = personal_filters.groups_of(corpus)
    assert (np.sum(groups, axis=0) == 1).all()


@pytest.mark.soak
def test_the_global_filter_converges_where_words_no_longer_crowd(results):
    assert personal.converged(results) in (18, 20)
    crowded = results._replace(globally={8: results.globally[8]})
    assert personal.converged(crowded) is None


@pytest.mark.soak
def test_means_are_over_corpora(results):
    other = results._replace(own=results.own._replace(overall=0.0, groups=[0.0] * 7 + [float("nan")]))
    mean = personal.averaged([results, other], 20)
    assert mean.own.overall == results.own.overall / 2
    assert mean.own.groups[0] == results.own.groups[0] / 2
    assert mean.own.groups[-1] == results.own.groups[-1]  # only one of them has such users
    assert mean.sizes == [2 * size for size in results.sizes]
    assert mean.personally[20].alone == results.personally[20].alone


@pytest.mark.soak
def test_without_spammers_users_without_mail_gain_less(results):
    honest = generate_mail(users=500, seed=0, vouched=0)
    mails = [records(mail) for mail in honest[:3]]
    before, after = (
        personal_filters.train(personal_filters.hashed(mails, 20, kind), honest, [results.settings[kind]])
        for kind in (GLOBAL, PERSONAL)
    )
    fair = [personal_filters.judge(each.scores, honest).groups[0] for each in (before, after)]
    spoiled = [each[20].groups[0] for each in (results.globally, results.personally)]
    assert personal.gain(*fair) < personal.gain(*spoiled) - 5


def test_the_experiment_has_numbers_tables_and_a_picture():
    outcome = personal.reproduce(Asked(quick=True))
    json.dumps(outcome.figures)
    assert [table.row_count for table in outcome.tables] == [len(GROUPS) + 2, len(GROUPS) + 2, 2, 4]
    assert [each.published for each in outcome.comparisons] == [30, None, 65, None, 20, None, None, None]
    figure = outcome.pictures["personal-mail"]()
    assert [len(axes.get_legend().get_texts()) for axes in figure.axes] == [3, 3]
