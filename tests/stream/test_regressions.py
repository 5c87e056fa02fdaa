"""Faults of streams and of the command line that were met once, and must not come back."""

import io
import os
from pathlib import Path

import pytest

import kerneltron
from kerneltron.cli.running import run
from kerneltron.explaining.streams import explain_model
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.cache import Cache
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.delimited import Csv
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.names import Names
from kerneltron.stream.reader import Reader
from kerneltron.stream.sources import ends_of, opened
from kerneltron.stream.zstandard_frames import ZstandardFrames
from kerneltron.training import windows
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.streaming import StreamTraining

zstandard = pytest.importorskip("zstandard")

EXAMPLES = "label,text\n" + "spam,win a prize\nham,see you there\n" * 20


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    path = tmp_path / "messages.csv"
    path.write_text(EXAMPLES)
    return path


def packed(size: int = 200_000) -> tuple[bytes, bytes]:
    """Return bytes that do not compress well, so that they fill several blocks, and their compressed form."""
    whole = os.urandom(size).hex().encode()
    return whole, zstandard.ZstdCompressor().compress(whole)


def unpacked(compressed: bytes) -> bytes:
    return io.BufferedReader(ZstandardFrames(io.BytesIO(compressed), zstandard.ZstdDecompressor())).read()


def test_frames_come_back_one_behind_the_other() -> None:
    whole, compressed = packed()
    assert unpacked(compressed) == whole
    assert unpacked(compressed + compressed) == whole + whole
    assert unpacked(b"") == b""


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_cut_frame_is_refused_wherever_it_is_cut(share: float, tmp_path: Path) -> None:
    _, compressed = packed()
    path = tmp_path / "cut.csv.zst"
    path.write_bytes(compressed + compressed[: int(share * len(compressed))])
    with opened(str(path)) as source, pytest.raises(InputError, match="cut off while compressed"):
        source.read(10_000_000)


def test_a_file_that_is_shortened_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mail.csv"
    path.write_bytes(b"x" * 1_000_000)
    with opened(str(path)) as source:
        assert len(source.read(100_000)) == 100_000
        os.truncate(path, 200_000)
        with pytest.raises(InputError, match="became shorter"):
            source.read(1_000_000)


@pytest.mark.parametrize("command", ["train", "convert"])
def test_input_is_not_overwritten(command: str, messages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = messages.with_name("link.csv")
    link.symlink_to(messages)
    for output in (messages, link):
        assert run([command, str(messages), "-o", str(output)]) == 2
        assert "would be overwritten" in capsys.readouterr().err
    assert messages.read_text() == EXAMPLES


def test_predictions_overwrite_neither_input_nor_model(
    messages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = messages.with_name("m.model")
    assert run(["train", str(messages), "-o", str(model)]) == 0
    before = model.read_bytes()
    for output in (messages, model):
        assert run(["predict", str(model), str(messages), "-o", str(output)]) == 2
        assert "would be overwritten" in capsys.readouterr().err
    assert messages.read_text() == EXAMPLES
    assert model.read_bytes() == before


def test_a_missing_test_file_is_told_before_the_training(messages: Path) -> None:
    model = messages.with_name("m.model")
    assert run(["train", str(messages), "-o", str(model), "--test", "nowhere.csv"]) == 2
    assert not model.exists()


def test_a_weight_of_a_class_that_never_comes_is_told(
    messages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = messages.with_name("m.model")
    assert run(["train", str(messages), "-o", str(model), "--class-weight", "sapm=2,ham=1"]) == 0
    assert "no example has the label sapm" in capsys.readouterr().err


def test_an_estimator_is_no_model_of_files_and_the_message_says_so(
    tmp_path: Path, messages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from kerneltron import LogisticRegression

    model = tmp_path / "plain.model"
    LogisticRegression().fit([[0.0], [1.0]], ["a", "b"]).save(model)
    assert run(["predict", str(model), str(messages)]) == 2
    assert "this holds a LogisticRegression" in capsys.readouterr().err


def test_a_cache_that_cannot_be_flushed_is_closed_in_silence() -> None:
    cache = Cache()
    cache._file.write(b"x")  # into the buffer
    with open("/dev/full", "wb") as full:
        os.dup2(full.fileno(), cache._file.fileno())
    del cache


def test_a_number_that_one_byte_does_not_hold_is_cached_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "far.csv"
    path.write_text("label,a,b\n" + "x,1,2\ny,2,1\n" * 20 + "x,1e12,3\n")
    assert run(["train", str(path), "--passes", "2", "-o", str(tmp_path / "m.model")]) == 0
    assert "warning" not in capsys.readouterr().err


@pytest.mark.parametrize(("fraction", "reason"), [("0.0001", "held out"), ("0.9999", "left to learn from")])
def test_early_stopping_with_too_few_examples_says_so(
    fraction: str, reason: str, messages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--early-stopping", "--passes", "3", "--validation-fraction", fraction]
    assert run(["train", str(messages), "-o", str(messages.with_name("m.model")), *options]) == 2
    assert f"no example is {reason}" in capsys.readouterr().err


def test_a_file_changed_at_the_same_size_is_told_from_what_it_was(messages: Path) -> None:
    before = ends_of(str(messages))
    messages.write_text(EXAMPLES.replace("prize", "price"))
    assert ends_of(str(messages)) != before
    messages.write_text(EXAMPLES)
    assert ends_of(str(messages)) == before


@pytest.mark.slow
def test_a_training_is_not_resumed_on_other_examples(
    messages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = messages.with_name("m.model")
    command = ["train", str(messages), "-o", str(model), "--passes", "3", "--checkpoint-every", "1"]
    with monkeypatch.context() as patched:
        patched.setattr(StreamModel, "save", _interrupted)
        assert run(command) == 130
    messages.write_text(EXAMPLES.replace("prize", "price"))
    assert run([*command, "--resume"]) == 2
    assert "the training was begun with sources" in capsys.readouterr().err
    messages.write_text(EXAMPLES)
    assert run([*command, "--resume"]) == 0


def _interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_cross_with_a_column_that_is_not_there_is_refused(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text("label,user,text\na,bob,one two\nb,al,three four\n")
    hashing = Hashing(bits=8, cross=("user*txt",))
    told = "'txt', which is not a column with features: there are 'text', 'user'"
    with pytest.raises(ValueError, match=told):
        list(Reader([str(path)], Csv(), hashing, Labels()).windows())


def test_labels_of_tables_are_the_text_that_they_are(tmp_path):
    path = tmp_path / "agents.csv"
    path.write_bytes(b"label,text\n007,one two\n7,three four\n1e5,five six\n\xfe,x y\n\xff,x y\n")
    labels = Labels()
    assert sum(window.size for window in Reader([str(path)], Csv(), Hashing(bits=8), labels).windows()) == 5
    assert labels.names == ["007", "7", "1e5", "\\xfe", "\\xff"]


def test_more_classes_than_memory_can_mean_are_refused():
    learner = Learner(method("logistic")(random_state=0), 1 << 24)
    with pytest.raises(ValueError, match="100 classes, such as 'c0', times 16,777,216 slots"):
        windows.meet(learner, (f"c{i}" for i in range(100)))


def test_a_loaded_model_of_a_stream_explains_itself_by_names(tmp_path):
    path = tmp_path / "mail.vw"
    path.write_text("spam |text free prize\nham |text lunch noon\n" * 20)
    hashing = Hashing(bits=10)
    names = Names(hashing)
    reader = Reader([str(path)], Vowpal(), hashing, Labels(), watch=names.watch)
    training = StreamTraining(Learner(method("perceptron")(random_state=0), 1024), reader, PassPlan())
    training.run()
    model = StreamModel(training.learner, hashing, Vowpal(), names.index())
    model.save(tmp_path / "mail.model")
    loaded = kerneltron.load(tmp_path / "mail.model")
    assert str(loaded[-1].explain(top=3)) == str(explain_model(model, top=3))
    assert "text^" in str(loaded[-1].explain(loaded[0].transform(["|text free"])))


def test_a_last_column_of_text_may_have_no_name():
    format = JsonLines(Columns(roles={"a": "category", "": "text"}, labelled=False, complete=True))
    assert format.roles == {"a": "category", "": "text"}
