"""Dask's collections as shards."""

import dask.array as da
import dask.bag as db
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline

import kerneltron
from kerneltron import cluster
from kerneltron.stream.errors import InputError
from tests.cluster.examples import separable, texts, write_vw

pytestmark = pytest.mark.slow


@pytest.fixture
def lines(tmp_path):
    return write_vw(tmp_path / "a.vw", n=600).read_text().splitlines()


def in_files(lines, folder, parts):
    """Write the lines that each partition of a bag has to a file of its own."""
    size = -(-len(lines) // parts)
    files = [folder / f"{number}.vw" for number in range(parts)]
    for number, file in enumerate(files):
        file.write_text("\n".join(lines[number * size : (number + 1) * size]) + "\n")
    return files


def test_a_bag_of_lines_is_what_files_of_them_are(client, tmp_path, lines):
    logistic = kerneltron.LogisticRegression(learning_rate=2.0, scale=False, random_state=1)
    learner = make_pipeline(kerneltron.Hasher(bits=12), logistic)
    settings = {"rounds": 8, "names": True, "text": False}
    of_bag = cluster.fit(learner, db.from_sequence(lines, npartitions=4), client, **settings)
    of_files = cluster.fit(learner, in_files(lines, tmp_path, 4), client, **settings)
    for name, fitted in (("bag", of_bag), ("files", of_files)):
        kerneltron.save(fitted, tmp_path / f"{name}.model")
    assert (tmp_path / "bag.model").read_bytes() == (tmp_path / "files.model").read_bytes()
    labels = [line.split()[0] for line in lines]
    assert np.mean(of_bag.predict(lines) == np.array(labels)) > 0.9


def test_a_bag_of_lines_in_bytes_and_with_line_ends_is_the_same(client, lines):
    learner = kerneltron.Perceptron(random_state=1)
    bags = [lines, [line + "\r\n" for line in lines], [line.encode() for line in lines]]
    found = [cluster.fit(learner, db.from_sequence(bag, npartitions=3), client)[-1].coef_ for bag in bags]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_dicts_and_data_frames_have_columns(client):
    dd = pytest.importorskip("dask.dataframe")
    labels, rows = texts(600)
    frame = pd.DataFrame({"label": labels, "text": [" ".join(row) for row in rows]})
    learner = kerneltron.Perceptron(random_state=1)
    of_frame = cluster.fit(learner, dd.from_pandas(frame, npartitions=3), client, rounds=8)
    of_dicts = cluster.fit(
        learner, db.from_sequence(frame.to_dict("records"), npartitions=3), client, rounds=8
    )
    examples = frame.drop(columns="label").to_dict("records")
    for fitted in (of_frame, of_dicts):
        assert np.mean(fitted.predict(examples) == frame["label"]) > 0.9
    with pytest.raises(InputError, match="label"):
        cluster.fit(learner, dd.from_pandas(frame.rename(columns={"label": "kind"}), npartitions=3), client)
    named = cluster.fit(
        learner, dd.from_pandas(frame.rename(columns={"label": "kind"}), npartitions=3), client, label="kind"
    )
    assert named.predict(examples[:1]).shape == (1,)


NUMBERS = "label,a,b\n" + "\n".join(f"{'ny'[n % 7 < 3]},{n % 7 * 1000},{n % 5}" for n in range(400)) + "\n"


@pytest.mark.parametrize(
    ("example", "learner", "flags", "more"),
    [
        ("text", "logistic", (), {}),
        ("text", "logistic", ("--no-text", "--bits", 10, "--l2", 0.01), {"text": False}),
        ("numbers", "arow", (), {}),
        ("numbers", "perceptron", ("--no-scale",), {"scale": False}),
    ],
)
def test_it_learns_as_the_command_line_does(client, commands, tmp_path, example, learner, flags, more):
    """What was not given is chosen alike, by a look at the first examples, from files and from bags."""
    path = tmp_path / ("a.csv" if example == "numbers" else "a.vw")
    if example == "numbers":
        path.write_text(NUMBERS)
    else:
        write_vw(path)
    command = ["train", path, "--learner", learner, "--workers", 2, "--shards", 2, "--rounds", 3, "-q"]
    code, _, error = commands(*command, *flags, "-o", tmp_path / "command.model")
    assert code == 0, error
    given = dict(zip(flags[1::2], flags[2::2], strict=True)) if more.get("text") is False else {}
    kinds = {"arow": kerneltron.Arow(), "perceptron": kerneltron.Perceptron()}
    asked = kinds.get(learner) or kerneltron.LogisticRegression(l2=given.get("--l2", 1e-4))
    if given:
        asked = make_pipeline(kerneltron.Hasher(bits=given["--bits"]), asked)
    fitted = cluster.fit(asked, path, client, rounds=3, count=2, **more)
    kerneltron.save(fitted, tmp_path / "python.model")
    assert (tmp_path / "python.model").read_bytes() == (tmp_path / "command.model").read_bytes()
    if example == "text":
        lines = db.from_sequence(path.read_text().splitlines(), npartitions=2)
        of_bag = cluster.fit(asked, lines, client, **more)
        assert of_bag[0].get_params() == fitted[0].get_params()


def test_arrays_in_any_blocks_and_types(client):
    X, y, _ = separable(n=400)
    learner = kerneltron.Perceptron(random_state=1)
    label = np.array(["no", "yes"])[y]
    blocks = da.from_array(X, chunks=(100, 2)), da.from_array(label, chunks=150)
    fitted = cluster.fit(learner, blocks, client, rounds=5)
    assert fitted.classes_.tolist() == ["no", "yes"]
    assert fitted.score(X, label) > 0.95
    assert not hasattr(learner, "learner_"), "what is given is not changed"
    single = cluster.fit(learner, (blocks[0].astype(np.float32), blocks[1]), client, rounds=5)
    assert single.coef_.dtype == np.float32
    sparse = cluster.fit(learner, (blocks[0].rechunk((100, -1)).map_blocks(sp.csr_matrix), blocks[1]), client)
    dense = cluster.fit(learner, (blocks[0].rechunk((100, -1)), blocks[1]), client)
    np.testing.assert_allclose(sparse.decision_function(X), dense.decision_function(X))


def test_large_labels_of_arrays_stay_apart(client):
    X, y, _ = separable(n=200)
    label = np.array([1, 2**63 + 1, 2**63 + 2], np.uint64)[y + (np.arange(200) % 50 == 0)]
    fitted = cluster.fit(
        kerneltron.Perceptron(random_state=1), (da.from_array(X, 100), da.from_array(label, 100)), client
    )
    np.testing.assert_array_equal(fitted.classes_, np.unique(label), strict=True)


def test_what_is_no_line_is_refused(client):
    bag = db.from_sequence([1, 2, 3, 4], npartitions=2)
    with pytest.raises(TypeError, match="a bag of int: give lines of text, or dicts"):
        cluster.fit(kerneltron.Perceptron(), bag, client)


def test_without_a_client_the_current_one_learns(client, lines, tmp_path):
    files = in_files(lines, tmp_path, 2)
    with client.as_current():
        fitted = cluster.fit(kerneltron.Perceptron(random_state=0), files)
    assert fitted[-1].learner_.model.ticks == 600


def test_what_was_interrupted_is_taken_up_with_what_was_chosen(client, tmp_path):
    file, learner = write_vw(tmp_path / "a.vw"), kerneltron.LogisticRegression(random_state=2)
    settings = {"rounds": 3, "count": 2}
    kerneltron.save(cluster.fit(learner, file, client, **settings), tmp_path / "whole.model")

    def stop(training):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cluster.fit(learner, file, client, checkpoint=tmp_path / "some", callback=stop, **settings)
    again = cluster.fit(learner, file, client, checkpoint=tmp_path / "some", resume=True, **settings)
    kerneltron.save(again, tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == (tmp_path / "whole.model").read_bytes()
