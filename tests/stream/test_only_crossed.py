"""Namespaces that crosses see, and that are no features by themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Hasher, Perceptron, load, save
from kerneltron.stream.hashing import Hashing
from tests.oracle.hashed import features

WORDS = st.lists(st.sampled_from(["win", "a", "prize", "now"]), max_size=4)


@settings(deadline=None)  # it may compile
@given(
    user=st.sampled_from(["ann", "bob"]),
    words=WORDS,
    only=st.sampled_from([(), ("user",), ("text",), ("user", "text")]),
    binary=st.booleans(),
    copies=st.sampled_from([1, 2]),
    ngrams=st.sampled_from([1, 2]),
)
def test_rows_are_those_of_the_oracle(user, words, only, binary, copies, ngrams):
    hashing = Hashing(
        bits=8, cross=("user*text",), only_crossed=only, binary=binary, copies=copies, ngrams=ngrams
    )
    hasher = Hasher(
        bits=8, cross=["user*text"], only_crossed=list(only), binary=binary, copies=copies, ngrams=ngrams
    )
    row = hasher.transform([{"user": user, "text": " ".join(words)}]).toarray()[0]
    wanted = np.zeros(256, np.float32)
    spaces = [
        ("user", [(f"user^{user}", 1.0)], False),
        ("text", [(f"text^{word}", 1.0) for word in words], True),
    ]
    for slot, value in features(spaces, hashing).items():
        wanted[slot] = value
    np.testing.assert_allclose(row, wanted, rtol=1e-6)


def test_a_user_who_writes_nothing_has_no_features():
    hasher = Hasher(cross=["user*text"], only_crossed=["user"])
    assert hasher.transform([{"user": "ann", "text": ""}]).nnz == 0
    assert Hasher(cross=["user*text"]).transform([{"user": "ann", "text": ""}]).nnz == 1


@pytest.mark.parametrize(
    ("only", "error", "message"),
    [("user", TypeError, "give a list"), (["sender"], ValueError, "'sender', which is in no pair of cross")],
)
def test_what_is_wrong_is_named(only, error, message):
    with pytest.raises(error, match=message):
        Hasher(cross=["user*text"], only_crossed=only).transform([{"user": "ann", "text": "hello"}])


def test_settings_of_earlier_versions_stay_as_they_were():
    assert "only_crossed" not in Hashing(cross=("user*text",)).to_json()
    crossed = Hashing(cross=("user*text",), only_crossed=("user",))
    assert Hashing.from_json(crossed.to_json()) == crossed
    assert crossed.differences(Hashing(cross=("user*text",)))


def test_a_saved_pipeline_goes_on_leaving_users_out(tmp_path):
    from sklearn.pipeline import make_pipeline

    mails = [{"user": user, "text": text} for user in ("ann", "bob") for text in ("a prize", "a letter")]
    hasher = Hasher(
        bits=10, cross=["user*text"], only_crossed=["user"], columns={"user": "user", "text": "text"}
    )
    pipeline = make_pipeline(hasher, Perceptron(passes=5)).fit(mails, [1, 0, 0, 1])
    save(pipeline, tmp_path / "mail.model")
    loaded = load(tmp_path / "mail.model")
    np.testing.assert_array_equal(loaded.decision_function(mails), pipeline.decision_function(mails))
    assert list(loaded[0].only_crossed) == ["user"]


def test_the_command_line_names_pairs_and_no_users(tmp_path, call_command):
    path, model = tmp_path / "mail.csv", tmp_path / "mail.model"
    path.write_text("label,user,text\n" + "".join(f"{i % 2},u{i % 3},a prize {i}\n" for i in range(12)))
    for option in ("", "--only-crossed user"):
        code, _, error = call_command(
            f"train {path} --cross user*text --role user=user {option} --names -o {model}"
        )
        assert code == 0, error
        _, said, _ = call_command(f"explain {model} --top 200")
        assert "user^u0*text^prize" in said
        assert ("user^u0" in said.split()) == (not option)
