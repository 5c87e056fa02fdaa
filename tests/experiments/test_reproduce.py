"""Experiments by name: found, run, saved, read again, and laid out as a page."""

import ast
import json
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

import kerneltron
from kerneltron.experiments import page, running, saved, saving
from kerneltron.experiments.catalogue import ENTRIES, EXPERIMENTS, Entry
from kerneltron.experiments.experiment import INCOMPARABLE, KINDS, MEMORY, THEORY, Asked, Comparison, Outcome
from kerneltron.experiments.joining import joined
from kerneltron.experiments.markdown import markdown
from kerneltron.experiments.molecules import generated as generated_networks
from kerneltron.experiments.origins import ORIGINS, advice
from kerneltron.experiments.running import MissingData, Reproduced, run

HOME = Path(kerneltron.__file__).parent / "experiments"
EVIL = '<script>alert("x")</script> & | `_'


def picture():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1, 1))
    figure.subplots().plot([0, 1], [1, 0])
    return figure


def outcome(label="a tree", pictures=1):
    table = Table("learner", "error", title=f"Errors of {label}".replace("[", "("))
    table.add_row(label.replace("[", "("), "[bold]3.1[/]")
    return Outcome(
        comparisons=[
            Comparison(label, 5.3, 6.12, spread=0.2, reason=f"{label} got other rows."),
            Comparison("too good", 0.1, 6.12),
            Comparison("not published", float("nan")),
        ],
        tables=[table],
        pictures={f"picture {number}": picture for number in range(pictures)},
        notes=[f"Of {label}."],
        figures={"errors": (0.5, float("inf"))},
    )


def reproduced(name="digits", asked=Asked(), **options):  # noqa: B008 - an immutable tuple
    entry = EXPERIMENTS.get(name, Entry(name, "none", f"about {name}"))
    return Reproduced(entry, asked, outcome(**options), 1.26)


# -- finding and running --------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_module_has_one_way_to_be_run(entry):
    path = HOME / f"{entry.module}.py"
    functions = {node.name: node for node in ast.parse(path.read_text()).body if hasattr(node, "args")}
    assert ast.unparse(functions["reproduce"].args) == "asked: Asked"
    assert "main" not in functions
    assert "__main__" not in path.read_text()


def test_names_are_told_apart_and_their_data_have_an_origin():
    assert len(EXPERIMENTS) == len(ENTRIES)
    assert {data for entry in ENTRIES for data in (*entry.data, *entry.optional)} <= set(ORIGINS)


@pytest.mark.parametrize(
    ("name", "nearest"), [("spma", "'spam'"), ("SPAM", "'spam'"), ("persnal-mail", "'personal-mail'")]
)
def test_an_unknown_name_is_refused_with_the_nearest(name, nearest):
    with pytest.raises(ValueError, match=f"no experiment '{name}': did you mean {nearest}"):
        run(name, Asked())


def test_an_unknown_name_that_is_like_no_other_is_refused_too():
    with pytest.raises(ValueError, match=r"no experiment 'qqq'\. --list shows all"):
        run("qqq", Asked())


def test_missing_data_are_named_with_where_they_come_from(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    with pytest.raises(MissingData, match=r"^adult: .*LIBSVM data sets.* folder a9a .*KERNELTRON_DATA"):
        run("adult", Asked())
    monkeypatch.delenv("KERNELTRON_DATA")
    with pytest.raises(MissingData, match=r"^adult: KERNELTRON_DATA is not set.*LIBSVM"):
        run("adult", Asked())


def test_a_colon_in_a_path_cuts_no_message_and_no_dot_is_doubled(tmp_path, monkeypatch):
    folder = tmp_path / "odd: one"
    folder.mkdir()
    monkeypatch.setenv("KERNELTRON_DATA", str(folder))
    with pytest.raises(MissingData) as caught:
        run("spam", Asked())
    message = str(caught.value)
    assert f"nor spambase.data is in {folder}/spambase. spambase.data is at UCI" in message
    assert message.endswith("; or unset that to have it downloaded from OpenML.")
    assert ".." not in message.replace("...", "")


def test_a_failed_download_says_what_to_do_once(monkeypatch):
    def reproduce(asked):
        raise OSError("It could not be downloaded (no network). Put it elsewhere.")

    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    monkeypatch.setattr(import_module("kerneltron.experiments.spambase"), "reproduce", reproduce)
    with pytest.raises(MissingData) as caught:
        run("spam", Asked())
    assert str(caught.value) == "spam: It could not be downloaded (no network). Put it elsewhere."
    assert "unset" not in advice("spambase")


@pytest.mark.parametrize("error", [PermissionError(13, "denied", "spambase.data"), OSError(5, "broken")])
def test_a_disk_that_fails_is_not_called_missing_data(monkeypatch, error):
    def reproduce(asked):
        raise error

    monkeypatch.setattr(import_module("kerneltron.experiments.spambase"), "reproduce", reproduce)
    with pytest.raises(OSError, match=r"denied|broken"):
        run("spam", Asked())
    with pytest.raises(OSError, match=r"denied|broken"):
        joined(["one"], reproduce)


def test_parts_without_data_are_said_with_where_they_come_from(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    module = import_module("kerneltron.experiments.molecules")
    monkeypatch.setitem(module.PROBLEMS, "networks", lambda: generated_networks(30))
    done = run("graphs", Asked(quick=True))
    assert list(done.outcome.figures) == ["networks"]
    for wanted in ("Left out: NCI1.", "Left out: MUTAG.", f"is in {tmp_path}/graphs/NCI1.", "TUDatasets"):
        assert wanted in done.lacking
    assert done.outcome.notes[-1] == done.lacking


def test_parts_of_one_that_has_none_are_refused():
    with pytest.raises(ValueError, match="digits has no parts: leave --only nine out"):
        run("digits", Asked(parts=("nine",)))


def test_what_is_asked_for_is_handed_on_and_the_time_is_measured(monkeypatch):
    module = import_module("kerneltron.experiments.digits")
    asked = []
    monkeypatch.setattr(module, "reproduce", lambda given: asked.append(given) or outcome())
    ticks = iter((10.0, 12.5))
    monkeypatch.setattr(running, "perf_counter", lambda: next(ticks))
    done = run("digits", Asked(quick=True, seed=3))
    assert asked == [done.asked] == [Asked(quick=True, seed=3)]
    assert done.seconds == 2.5


# -- saving and reading ---------------------------------------------------------------------------------


def test_what_is_saved_is_read_again(tmp_path):
    content = saving.saved_to(tmp_path, reproduced())
    assert saved.read_all(tmp_path) == [json.loads((tmp_path / "digits.json").read_text())] == [content]
    assert content["command"] == "kerneltron reproduce digits"
    assert content["seconds"] == 1.3
    first, second, third = content["comparisons"]
    assert (first["verdict"], second["verdict"], third["ours"]) == ("better", "suspiciously better", None)
    assert first["difference"] == pytest.approx(-0.82)
    assert content["figures"] == {"errors": [0.5, None]}
    assert content["tables"][0]["rows"] == [["a tree", "3.1"]]


@pytest.mark.parametrize(
    ("count", "names"),
    [
        (0, ["digits.json"]),
        (1, ["digits.json", "digits.png"]),
        (2, ["digits-picture-0.png", "digits-picture-1.png", "digits.json"]),
    ],
)
def test_pictures_are_saved_by_name(tmp_path, count, names):
    content = saving.saved_to(tmp_path, reproduced(pictures=count))
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert sorted(content["pictures"].values()) == names[: -1 if count > 1 else None][-count or 2 :]
    assert all(path.read_bytes().startswith(saved.PNG) for path in tmp_path.glob("*.png"))


def test_the_same_results_are_the_same_bytes(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        saving.saved_to(tmp_path / folder, reproduced())
    for name in ("digits.json", "digits.png"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert str(tmp_path) not in (tmp_path / "one" / "digits.json").read_text()


def test_results_are_saved_without_pictures_where_nothing_can_draw(tmp_path, monkeypatch):
    monkeypatch.setattr(saving, "find_spec", lambda name: None)
    content = saving.saved_to(tmp_path, reproduced())
    assert [path.name for path in tmp_path.iterdir()] == ["digits.json"]
    assert "need matplotlib" in content["notes"][-1]
    assert saved.read_all(tmp_path) == [content]


def test_nothing_is_saved_of_where_the_data_are(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    done = reproduced()
    done = done._replace(outcome=done.outcome._replace(notes=[f"Neither a nor b is in {tmp_path}/mnist."]))
    assert saving.contents(done)["notes"] == ["Neither a nor b is in KERNELTRON_DATA/mnist."]


@pytest.mark.parametrize(
    ("folder", "note"),
    [
        ("/", "Neither a/b nor c is in /data/mnist."),
        ("/data", "It is in /database and in /other/data/mnist."),
        ("data", "All data are in more data/mnist/data/x, not here."),
    ],
)
def test_words_that_are_not_paths_of_the_data_stay(monkeypatch, folder, note):
    monkeypatch.setenv("KERNELTRON_DATA", folder)
    done = reproduced()
    done = done._replace(outcome=done.outcome._replace(notes=[note]))
    assert saving.contents(done)["notes"] == [note.replace("more data", "more KERNELTRON_DATA")]


def test_pictures_that_are_not_drawn_any_more_are_removed_and_others_are_not(tmp_path):
    (tmp_path / "digits-mine.png").write_bytes(b"")
    saving.saved_to(tmp_path, reproduced(pictures=2))
    saving.saved_to(tmp_path, reproduced(pictures=1))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "digits-mine.png",
        "digits.json",
        "digits.png",
    ]


@pytest.mark.parametrize(
    ("before", "after", "is_refused"),
    [
        (Asked(), Asked(quick=True), True),
        (Asked(), Asked(parts=("a",)), True),
        (Asked(parts=("b",)), Asked(parts=("a",)), True),
        (Asked(parts=("a",)), Asked(parts=("a",)), False),
        (Asked(quick=True), Asked(parts=("a",)), False),
        (Asked(quick=True), Asked(quick=True), False),
        (Asked(parts=("a",)), Asked(), False),
        (Asked(full=True), Asked(seed=1), False),
    ],
)
def test_lesser_results_do_not_replace_whole_ones(tmp_path, before, after, is_refused):
    saving.saved_to(tmp_path, reproduced(asked=before, pictures=0))
    if is_refused:
        with pytest.raises(ValueError, match=r"digits.json has the results of `kerneltron reproduce digits"):
            saving.check_replaceable(tmp_path, "digits", after)
    else:
        saving.check_replaceable(tmp_path, "digits", after)


def test_a_caption_is_shown_in_place_of_a_title(tmp_path):
    done = reproduced()
    done = done._replace(outcome=done.outcome._replace(captions={"picture 0": "It falls, then rises."}))
    text = page.page([saving.saved_to(tmp_path, done)], tmp_path)
    assert '<img alt="It falls, then rises."' in text
    assert "<figcaption>It falls, then rises.</figcaption>" in text


def test_a_quick_run_is_not_judged():
    content = saving.contents(reproduced(asked=Asked(quick=True)))
    assert {each["verdict"] for each in content["comparisons"]} == {""}


def test_a_picture_that_cannot_be_drawn_leaves_the_old_results(tmp_path):
    before = saving.saved_to(tmp_path, reproduced())
    broken = reproduced()._replace(outcome=outcome()._replace(pictures={"broken": lambda: 1 / 0}))
    with pytest.raises(ZeroDivisionError):
        saving.saved_to(tmp_path, broken)
    assert saved.read_all(tmp_path) == [before]


SOUND = json.dumps(saving.contents(reproduced()))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not JSON"),
        ("[1, 2", "is not JSON"),
        ("\udcff".encode("utf-8", "surrogateescape"), "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[1, 2]", "not a result of `kerneltron reproduce`"),
        ('{"name": "digits"}', "not a result of `kerneltron reproduce`"),
        (SOUND.replace('"format": 2', '"format": 1'), "has format 1"),
        (SOUND.replace('"tables"', '"tabels"'), "is damaged: 'tables' is missing"),
        (SOUND.replace('"published": 6.12', '"published": 1e999'), "is damaged: 'comparisons'"),
        (SOUND.replace('"published": 6.12', '"published": NaN'), "is damaged: 'comparisons'"),
        (SOUND.replace('"seconds": 1.3', f'"seconds": {10**400}'), "is damaged: 'seconds'"),
        (SOUND.replace('"3.1"', "3.1"), "is damaged: 'tables'"),
        (SOUND.replace('["learner", "error"]', '["learner"]'), "is damaged: 'tables'"),
        (SOUND.replace('"pictures": {}', '"pictures": {"a": "../b.png"}'), "is damaged: 'pictures'"),
    ],
)
def test_damaged_and_foreign_results_are_named(tmp_path, text, reason):
    path = tmp_path / "digits.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=reason) as error:
        saved.read_all(tmp_path)
    assert str(path) in str(error.value)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from([key for key in saved.PARTS if key != "pictures"]), plain)
def test_a_part_of_another_kind_is_refused_or_laid_out(tmp_path_factory, key, value):
    folder = tmp_path_factory.getbasetemp()
    path = folder / "digits.json"
    path.write_text(json.dumps(json.loads(SOUND) | {key: value}))
    try:
        results = [saved.read(path)]
    except ValueError:
        return
    assert_well_formed(page.page(results, folder))
    markdown(results, "table.md")


def test_a_picture_that_is_gone_or_none_is_named(tmp_path):
    saving.saved_to(tmp_path, reproduced())
    results = saved.read_all(tmp_path)
    (tmp_path / "digits.png").write_bytes(b"GIF89a")
    with pytest.raises(ValueError, match=r"digits.png is not a PNG picture: make it again with `kerneltron"):
        page.page(results, tmp_path)
    (tmp_path / "digits.png").unlink()
    with pytest.raises(ValueError, match=r"digits.png cannot be read"):
        page.page(results, tmp_path)


# -- the page -------------------------------------------------------------------------------------------

EMPTY = {"meta", "img", "br"}


class Reader(HTMLParser):
    """Reads a page: which tags are open, and what texts it shows."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def assert_well_formed(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_holds_all_and_needs_nothing_else(tmp_path):
    saving.saved_to(tmp_path, reproduced("spam", pictures=2))
    saving.saved_to(tmp_path, reproduced("digits", asked=Asked(quick=True)))
    text = page.page(saved.read_all(tmp_path), tmp_path)
    reader = assert_well_formed(text)
    shown = " ".join(reader.texts)
    assert shown.index("digits: handwritten") < shown.index("spam: a tree")  # as in the catalogue
    for wanted in (
        "kerneltron reproduce spam",
        "5.30 ± 0.20 %",
        "6.12 %",
        "-0.82",
        "Of a tree.",
        "not to be",
    ):
        assert wanted in shown
    assert shown.count("much better than published") == 1  # the quick run is not judged
    images = [attributes["src"] for tag, attributes in reader.tags if tag == "img"]
    assert len(images) == 3
    assert all(source.startswith("data:image/png;base64,") for source in images)
    assert not any(tag in ("script", "link") for tag, _ in reader.tags)
    assert shown.count("quick: not to be believed") == 3  # in the contents, and beside each comparison
    links = [attributes["href"] for tag, attributes in reader.tags if tag == "a"]
    assert {link.removeprefix("#") for link in links} <= {
        attributes["id"] for _, attributes in reader.tags if "id" in attributes
    }


def test_every_text_is_escaped(tmp_path):
    done = reproduced(EVIL.replace("/", "-"), label=EVIL)
    done = done._replace(outcome=done.outcome._replace(pictures={EVIL: picture}), entry=done.entry)
    named = done._replace(entry=done.entry._replace(name="strange", brief=EVIL))
    content = saving.saved_to(tmp_path, named) | {"command": EVIL, "kerneltron": EVIL}
    text = page.page([content], tmp_path)
    reader = assert_well_formed(text)
    assert not any(tag == "script" for tag, _ in reader.tags)
    assert sum(data.count("<script>") for data in reader.texts) >= 8
    assert any(attributes.get("alt") == EVIL for _, attributes in reader.tags)


def test_numbers_stand_at_the_right_and_words_do_not():
    table = {
        "title": "",
        "head": ["way", "error", "size"],
        "rows": [["a", "3.1 ± 0.2", "1,228"], ["b", "", "-"]],
    }
    kinds = [
        dict(found).get("class")
        for tag, found in assert_well_formed(page._laid_out(table)).tags
        if tag == "td"
    ]
    assert kinds == [None, "number", "number"] * 2


def test_markdown_has_a_row_for_each_comparison_and_no_broken_cell():
    results = [saving.contents(reproduced("spam", label=EVIL)), saving.contents(reproduced("digits"))]
    results.append(results[-1] | {"comparisons": [], "brief": "pictures"})
    text = markdown(results, "a|b`.md")
    summed, *sections = text.split("\n## ")
    head, line, *rows = (line for line in summed.splitlines() if line.startswith("|"))
    assert rows.pop() == "| `kerneltron reproduce digits` | 1 | pictures |  |  |  |  |  |"
    assert len(rows) == 4
    for row in (head, line, *rows):
        assert row.replace(r"\|", "").count("|") == 9
    assert rows[0].startswith("| `kerneltron reproduce spam` | 1 | \\<script\\>")
    assert rows[1].startswith("|  |  | too good | 6.12 % | 0.10 % | -6.02 | suspiciously better |")
    assert [section.split("\n")[0] for section in sections] == ["spam", "digits", "digits"]
    assert "| not published | - |" in sections[1]
    assert "- a tree: a tree got other rows." in sections[1]
    assert "- too good: much better than published" in sections[1]
    assert "- Of a tree." in sections[1]


def test_markdown_says_how_it_was_made_and_what_was_quick():
    usual = [saving.contents(reproduced(entry.name)) for entry in ENTRIES if not entry.is_long]
    assert "Made by `kerneltron reproduce --all` and `kerneltron report -o x.md`" in markdown(usual, "x.md")
    assert "Made by the commands of the table" in markdown(usual[1:], "x.md")
    assert "quick: not" not in markdown(usual, "x.md")
    quick = [saving.contents(reproduced("spam", asked=Asked(quick=True)))]
    assert "| `kerneltron reproduce spam --quick` (quick: not to be believed) |" in markdown(quick, "x.md")


def test_nothing_in_markdown_acts_on_a_terminal():
    text = markdown([saving.contents(reproduced("spam", label="a\x1b[31m\u202eb"))], "x.md")
    assert "\x1b" not in text
    assert "\u202e" not in text


# -- verdicts -------------------------------------------------------------------------------------------


@given(
    st.floats(0, 100), st.floats(0.1, 99.9), st.floats(0, 50), st.none() | st.floats(0, 100), st.booleans()
)
def test_far_fewer_errors_are_suspicious_however_close_is_meant(ours, published, spread, close, is_accuracy):
    errors = (100 - ours, 100 - published) if is_accuracy else (ours, published)
    found = Comparison("x", ours, published, spread=spread, close=close, higher_is_better=is_accuracy).verdict
    is_too_good = errors[0] < errors[1] * (2 / 3) and errors[1] - errors[0] > spread
    assert (found == "suspiciously better") == is_too_good
    if not is_too_good and found != "as published":
        assert (found == "better") == (errors[0] < errors[1])


@pytest.mark.parametrize(
    ("kind", "verdicts"),
    [
        (THEORY, ["as theory says", "unlike theory"]),
        (MEMORY, ["", ""]),
        (INCOMPARABLE, ["not comparable"] * 2),
    ],
)
def test_only_what_was_published_and_compares_is_judged(kind, verdicts):
    found = [Comparison("x", ours, 6.0, kind=kind) for ours in (6.1, 0.5)]
    assert [each.verdict for each in found] == verdicts
    assert (found[0].difference is None) == (kind != THEORY)


def test_numbers_that_nothing_stands_beside_stay_out_of_the_summary(tmp_path):
    text = page.page([saving.saved_to(tmp_path, reproduced("digits"))], tmp_path)
    summed, section = text.split("<section", 1)
    assert "not published" not in summed
    assert "not published" in section
    assert "too good" in summed


@pytest.mark.parametrize("kind", KINDS)
def test_a_source_is_shown_on_the_page(tmp_path, kind):
    compared = Comparison("x", 6.0, 6.1, source="Author (1999), table 3", kind=kind)
    done = reproduced()._replace(outcome=Outcome([compared]))
    text = page.page([saving.saved_to(tmp_path, done)], tmp_path)
    assert text.count(f"<td>{'theory: ' if kind == THEORY else ''}Author (1999), table 3</td>") == 1
