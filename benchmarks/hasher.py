"""Texts become hashed rows: our words, beside scikit-learn's."""

from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer

from benchmarks.compare import Work, faster
from benchmarks.measure import take_turns
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron import Hasher
from kerneltron.datasets.mail import generate_mail, records

USERS = 1000
SLOTS = 2**18


def hasher(settings: Settings) -> list[Row]:
    """Measure texts, texts in columns with their crosses, and lists of names."""
    users = USERS // 10 if settings.quick else USERS
    mails = records(generate_mail(users=users, seed=0).training)
    texts = [mail["text"] for mail in mails]
    names = [text.split() for text in texts]
    timings = take_turns(
        {
            "Hasher, texts": lambda _: Hasher().transform(texts),
            "HashingVectorizer": lambda _: HashingVectorizer(n_features=SLOTS, norm=None).transform(texts),
            "Hasher, lists of names": lambda _: Hasher().transform(names),
            "FeatureHasher": lambda _: FeatureHasher(SLOTS, input_type="string").transform(names),
            "Hasher, user*text": lambda _: Hasher(cross=["user*text"]).transform(mails),
        },
        lambda: None,
        settings.repeats,
    )
    work = Work(sum(map(len, names)), "words")
    return [
        faster(timings, "Hasher, texts", "HashingVectorizer", work, Target("at least", 5.0)),
        faster(timings, "Hasher, lists of names", "FeatureHasher", work),
        faster(timings, "Hasher, user*text", "HashingVectorizer", work),
    ]
