"""`kerneltron reproduce` and `kerneltron report`: what they print, save and refuse, on made-up results."""

import json
import os
import subprocess
import sys
from io import StringIO
from types import SimpleNamespace

import pytest
from rich.table import Table

from kerneltron.datasets.folder import MissingFileError
from kerneltron.experiments import catalogue, saving
from kerneltron.experiments.catalogue import Entry
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.experiments.running import Reproduced

ENTRIES = (
    Entry("good", "made_up_good", "one that runs"),
    Entry("lacking", "made_up_lacking", "one without its data", ("a9a",)),
    Entry("better", "made_up_better", "one that is too good"),
    Entry("long", "made_up_long", "one that takes hours", is_long=True),
)
FAILING = Entry("failing", "made_up_failing", "one with a mistake in it")
PARTIAL = Entry("partial", "made_up_partial", "one that lacks a part", ("a9a",))
STOPPED = Entry("stopped", "made_up_stopped", "one that is interrupted")


def good(asked):
    table = Table("learner", "error", title="A table")
    table.add_row("a tree", f"{asked.seed}")
    rows = list(asked.show(range(3), "Rows"))
    return Outcome([Comparison("a tree", 9.2, 9.3)], [table], notes=["A note."], figures=rows)


def lacking(asked):
    raise MissingFileError("Neither a9a.gz nor a9a is in /data/a9a", "see elsewhere.")


def partial(asked):
    return Outcome(figures={"one": 1}, left_out={"two": "Neither b.gz nor b is in /data/a9a"})


def better(asked):
    return Outcome([Comparison("an error", 0.1, 9.3)])


def failing(asked):
    return 1 / 0


def stopped(asked):
    raise KeyboardInterrupt


@pytest.fixture
def shell(own_folder, monkeypatch, call_command):
    """Runs a command where there are only experiments of our own."""
    functions = {"long": good, **{f.__name__: f for f in (good, lacking, better, failing, stopped, partial)}}
    entries = (*ENTRIES, FAILING, STOPPED, PARTIAL)
    monkeypatch.setattr(catalogue, "ENTRIES", ENTRIES)
    for entry in entries:
        module = SimpleNamespace(reproduce=functions[entry.name])
        monkeypatch.setitem(sys.modules, f"kerneltron.experiments.{entry.module}", module)
        monkeypatch.setitem(catalogue.EXPERIMENTS, entry.name, entry)
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    monkeypatch.delenv("KERNELTRON_DEBUG", raising=False)
    return call_command


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_an_experiment_prints_tables_comparisons_notes_and_what_it_saved(shell, own_folder):
    code, out, complaints = shell("reproduce good --seed 7")
    assert (code, complaints) == (0, "")
    for wanted in (
        "A table",
        "9.30 %",
        "9.20 %",
        "-0.10",
        "as published",
        "- A note.",
        "reproduced: good.json",
    ):
        assert wanted in out
    saved = json.loads((own_folder / "reproduced" / "good.json").read_text())
    assert saved["command"] == "kerneltron reproduce good --seed 7"
    assert saved["tables"][0]["rows"] == [["a tree", "7"]]
    assert saved["figures"] == [0, 1, 2]


@pytest.mark.parametrize("width", [30, 45, 60, 69, 80, 120])
def test_nothing_is_cut_off_where_a_terminal_is_narrow(width):
    from rich.console import Console

    from kerneltron.cli.outcomes import comparisons_table, print_whole
    from kerneltron.experiments.summary import HEAD, row_of

    error = Comparison("averaged perceptron, 128 passes", 5.941, 8.27, spread=0.53)
    entry = Entry("made", "made_up", "one that is laid out")
    content = saving.contents(Reproduced(entry, Asked(), Outcome([error, error._replace(ours=0.1)]), 1.0))
    console = Console(width=width, file=StringIO())
    print_whole(console, comparisons_table(content, width))
    shown = console.file.getvalue()
    rows = [row_of(each if width >= 70 else {**each, "spread": None}) for each in content["comparisons"]]
    cells = "".join(["made: one that is laid out", *HEAD, *(cell for row in rows for cell in row)])
    for letter in set(cells) - {" "}:
        assert shown.count(letter) >= cells.count(letter)
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= max(width, 69)


def test_a_result_that_is_too_good_is_flagged_with_what_to_check(shell):
    _, out, _ = shell("reproduce better")
    told = " ".join(out.split())
    assert "suspiciously better" in told
    assert "check that no test example was learned from" in told


def test_the_list_says_what_there_is_and_which_data_are_there(shell, own_folder, monkeypatch):
    code, out, _ = shell("reproduce --list")
    assert code == 0
    assert "one that runs" in out
    assert "a9a: missing" in out
    assert "long: left out by --all" in " ".join(out.split())
    (own_folder / "a9a").mkdir()
    monkeypatch.setenv("KERNELTRON_DATA", str(own_folder))
    assert "a9a: there" in shell("reproduce --list")[1]
    assert [entry["name"] for entry in json.loads(shell("reproduce --list --json")[1])] == [
        entry.name for entry in ENTRIES
    ]


def test_all_skips_what_lacks_data_and_says_so(shell, own_folder):
    code, out, complaints = shell("reproduce --all -o there")
    assert code == 0
    assert (
        "kerneltron: skipped: lacking: Neither a9a.gz nor a9a is in /data/a9a. a9a and a9a.t are"
        in complaints
    )
    assert "KERNELTRON_DATA" in complaints
    assert complaints.count("\n") == 1
    assert names(own_folder / "there") == ["better.json", "good.json"]
    assert "one that takes hours" not in out


def test_what_is_named_and_lacks_data_is_refused_and_the_others_are_done(shell, own_folder):
    code, _, complaints = shell("reproduce lacking good -o there")
    assert code == 2
    assert complaints.startswith("kerneltron: error: lacking: Neither a9a.gz")
    assert names(own_folder / "there") == ["good.json"]
    code, _, complaints = shell("reproduce lacking -o there")
    assert code == 2
    assert complaints.startswith("kerneltron: error: lacking: Neither a9a.gz")


def test_parts_that_lack_data_are_said_and_the_others_are_saved(shell, own_folder, monkeypatch):
    code, _, complaints = shell("reproduce partial -o there")
    assert code == 2
    assert complaints.startswith(
        "kerneltron: error: partial: Left out: two. Neither b.gz nor b is in /data/a9a. a9a"
    )
    assert names(own_folder / "there") == ["partial.json"]
    monkeypatch.setattr(catalogue, "ENTRIES", (PARTIAL,))
    code, _, complaints = shell("reproduce --all -o there")
    assert code == 0
    assert complaints.startswith("kerneltron: skipped: partial: Left out: two.")


def test_a_quick_run_does_not_replace_a_whole_one(shell, own_folder):
    shell("reproduce good")
    before = (own_folder / "reproduced" / "good.json").read_bytes()
    code, out, complaints = shell("reproduce better good --quick")
    assert (code, out) == (2, "")
    assert "good.json has the results of `kerneltron reproduce good`, which a quick run would" in complaints
    assert names(own_folder / "reproduced") == ["good.json"]
    assert (own_folder / "reproduced" / "good.json").read_bytes() == before
    assert shell("reproduce good --quick -o elsewhere")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("more", [["--json"], []])
def test_when_nobody_reads_any_more_the_others_do_not_run(tmp_path, more):
    words = ["reproduce", "counter-example", "bounds", "--quick", *more]
    command = [sys.executable, "-m", "kerneltron", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, **pipes) as process:
        process.stdout.close()
        complaints = process.stderr.read()
    assert (process.returncode, complaints) == (0, b"")
    assert "bounds.json" not in names(tmp_path / "reproduced")


def test_work_ends_at_the_next_step_once_nobody_reads(monkeypatch):
    from kerneltron.cli import outcomes
    from kerneltron.cli.standard_streams import Unread

    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        work = outcomes.while_read(range(3))
        assert next(work) == 0
        os.close(reading)
        with pytest.raises(Unread):
            next(work)


def test_a_mistake_in_one_is_a_failure_and_the_others_are_done(shell, own_folder):
    code, _, complaints = shell("reproduce failing lacking good")
    assert code == 1
    assert (
        "error: failing: ZeroDivisionError: division by zero. `kerneltron reproduce failing --debug`"
        in complaints
    )
    assert names(own_folder / "reproduced") == ["good.json"]
    assert shell("reproduce failing")[0] == 1


def test_when_interrupted_what_is_done_is_saved(shell, own_folder):
    code, _, complaints = shell("reproduce good stopped better")
    assert code == 130
    assert complaints == "kerneltron: interrupted. Saved in reproduced: good.\n"
    assert names(own_folder / "reproduced") == ["good.json"]


def test_json_is_one_line_for_each(shell, own_folder):
    code, out, _ = shell("reproduce better good better --json")
    assert code == 0
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["name"] for line in lines] == ["better", "good"]
    assert lines[1] == json.loads((own_folder / "reproduced" / "good.json").read_text())


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("reproduce", "give names of experiments, or --all"),
        ("reproduce good --all", "give names of experiments, or --all"),
        ("reproduce godo", "did you mean 'good'"),
        ("reproduce good --quick --full", "--quick or --full, not both"),
        ("reproduce good better --only part", "give one name"),
        ("reproduce good --only part", "good has no parts"),
        ("reproduce good -o file", "file is not a folder"),
        ("reproduce good --seed -1", "--seed"),
        ("report nowhere", "there is no folder nowhere"),
        ("report file", "file is a file: give the folder"),
        ("report empty", "no results are saved in empty"),
        ("report empty -o page.pdf", "page.pdf ends neither in .html nor in .md"),
        ("report empty -o nowhere/page.html", "nowhere"),
        ("report damaged", "damaged/good.json is not JSON"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(shell, own_folder, command, reason):
    (own_folder / "file").write_text("")
    (own_folder / "empty").mkdir()
    (own_folder / "damaged").mkdir()
    (own_folder / "damaged" / "good.json").write_text("{")
    before = names(own_folder)
    code, out, complaints = shell(command)
    assert (code, out) == (2, "")
    assert complaints.startswith("kerneltron: error: ")
    assert complaints.count("\n") == 1
    assert reason in complaints
    assert set(names(own_folder)) <= {*before, "reproduced"}


def test_a_report_is_made_of_what_was_saved(shell, own_folder):
    shell("reproduce good better")
    code, out, complaints = shell("report")
    assert (code, complaints) == (0, "")
    assert out == "report.html: 2 experiments, 2 numbers beside published ones, 0 beside theory\n"
    text = (own_folder / "report.html").read_text()
    assert "suspiciously better" in text
    assert "kerneltron reproduce good" in text
    assert shell("report reproduced -o table.md")[0] == 0
    assert (
        "| `kerneltron reproduce better` | 0 | an error | 9.30 % | 0.10 % |"
        in (own_folder / "table.md").read_text()
    )


@pytest.mark.parametrize("command", ["reproduce", "report"])
def test_the_help_teaches_with_examples(call_command, command):
    code, out, _ = call_command(f"{command} --help")
    assert code == 0
    assert f"kerneltron {command}" in out.split("Examples:")[1]


@pytest.mark.parametrize("words", [["reproduce", "--help"], ["report", "--help"], ["reproduce", "--list"]])
def test_nothing_slow_is_imported_to_say_what_there_is(words):
    program = (
        "import sys\nfrom kerneltron.cli.running import run\n"
        f"run({words!r})\n"
        "print(*{'numpy', 'numba', 'sklearn', 'matplotlib'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60)
    assert done.stderr.split() == []
