"""The generator of mail, and the personalised spam filter in small."""

import numpy as np
import pytest

from kerneltron.datasets.mail import BULK, LETTER, SPAM, generate_mail, records, taken
from kerneltron.experiments import personal
from kerneltron.experiments.personal import Setting

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpus():
    return generate_mail(users=800, seed=0)


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
    counts = np.sort(np.bincount(corpus.training.users, minlength=800))
    assert np.mean(counts == 0) > 0.3
    assert counts[-80:].sum() > 0.5 * counts.sum()


def test_spammers_vouch_for_spam_in_training_only(corpus):
    vouched = corpus.truth.vouches[corpus.training.users]
    assert 0 < vouched.mean() < 0.1
    assert set(corpus.training.sources[vouched]) == {SPAM}
    assert corpus.training.labels[vouched].mean() < 0.05
    assert not corpus.truth.vouches[corpus.test.users].any()
    without = generate_mail(users=800, seed=0, vouched=0)
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
    above = scores > personal.threshold(scores, labels)
    assert above[labels == 0].mean() == pytest.approx(0.01, abs=1e-4)
    assert personal.missed_share(scores, labels) == 1 - above[labels == 1].mean()


@pytest.fixture(scope="module")
def results(corpus):
    settings = [Setting(0.003, 0.0), Setting(0.03, 0.0), Setting(0.1, 0.03)]
    return personal.run(corpus, bits=(8, 18, 20), wide=20, settings=settings)


def test_personal_features_catch_more_spam(results):
    before, after = results.globally[20], results.personally[20]
    assert after.overall < 0.75 * before.overall
    assert after.groups[0] < 0.9 * before.groups[0]  # also for users without any training mail


def test_the_more_a_user_labels_the_more_is_gained(results):
    before, after = results.globally[20], results.personally[20]
    gains = [1 - new / old for old, new in zip(before.groups, after.groups, strict=True)]
    assert gains[1] < gains[2] < gains[3]
    assert gains[0] < gains[3]


def test_hashing_costs_nothing_where_slots_abound_and_much_where_pairs_crowd(results):
    assert abs(results.globally[20].overall - results.unhashed.overall) < 0.03
    assert results.pairs > 1000 * 2**8
    assert results.personally[8].overall > results.personally[18].overall > results.personally[20].overall


def test_tables_and_picture_show_all_of_it(results):
    users, bits = personal.tables(results, wide=20)
    assert users.row_count == len(personal.GROUPS) + 2
    assert bits.row_count == 3
    from kerneltron.plots.personal import draw_personal

    figure = draw_personal(*personal.curves(results, wide=20), results.pairs)
    assert [len(axes.get_legend().get_texts()) for axes in figure.axes] == [2, 3]
