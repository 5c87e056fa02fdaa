"""Commands with random options, damaged values and small strange files: a result, or one clear refusal."""

import contextlib
import io
import json
import re
import sys
import warnings

from kerneltron.cli.app import COMMANDS, Commands
from kerneltron.cli.running import run

QUICK = 30
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
LABELS = [
    "spam",
    "ham",
    "1",
    "-1",
    "0.5",
    "a\x1b[31mb",
    "tab\\there",
    "ü",
    "1:0:0.5",
    "shared",
    "\u202eevil",
    "",
]
WORDS = [
    "free",
    "prize",
    "w:2",
    "3:1",
    "x:nan",
    "x:1e300",
    "|t",
    "|user",
    "a,b",
    '"',
    "'tag",
    "é",
    "\x00",
    "\x9b2J",
]
TEXTS = [
    "",
    "x",
    "-1",
    "0",
    "nan",
    "inf",
    "1e999",
    "9" * 30,
    "text",
    "user*text",
    "usr*text",
    "a=b",
    "=",
    "text=text",
]
TEXTS += [
    "label",
    "label,text",
    "vw",
    "csv",
    "tsv",
    "jsonl",
    "svmlight",
    "parquet",
    "primal",
    "dual",
    "auto",
    "vote",
    "last",
]
TEXTS += [
    "Winnow",
    "LogisticRegression",
    "mira",
    "romma",
    "pegasos",
    "PERCEPTRON",
    "skip",
    "stop",
    "0.5,0.5",
    "spam=2,ham=1",
]
TEXTS += [
    "Gaussian(2)",
    "Polynomial(2)",
    "Gauss(",
    "a\nb",
    "\x1b]0;t\x07",
    "\udcff",
    "📎",
    "balanced",
    "-",
    "@data.vw",
]
FILES = [
    "data.vw",
    "data.csv",
    "data.tsv",
    "data.jsonl",
    "data.svm",
    "data",
    "no such",
    "*.vw",
    "e\x1bvil.vw",
    "a.model",
]
FILES += [
    "b.model",
    "data.vw.gz",
    ".",
    "nowhere/x.model",
    "-",
    "data.parquet",
    "",
    "\udcff.vw",
    "two\nlines.csv",
]
NUMBERS = ["0", "1", "2", "3", "-1", "0.1", "0.5", "1e-30", "1e30", "nan", "inf", "x", "9" * 30, "1_0"]
# What an option sensibly takes. Of some options nothing else is tried: values that take long, or much memory.
SOUND = {
    "bits": ["1", "4", "8", "0", "40", "x"],
    "passes": ["1", "2", "3", "0", "x"],
    "folds": ["2", "3", "1", "x"],
    "ngrams": ["1", "2", "3", "9"],
    "skips": ["0", "1", "9"],
    "copies": ["1", "2", "0"],
    "patience": ["1", "0"],
    "working_memory": ["1", "64", "-1", "x"],
    "kernel": ["Gaussian(2)", "Polynomial(2)", "linear", "Gauss(", "precomputed", "Spectrum(2)", "", "\x1b"],
    "learner": [
        "Winnow",
        "LogisticRegression",
        "mira",
        "romma",
        "pegasos",
        "PERCEPTRON",
        "passive_aggressive",
    ],
    "hypothesis": ["average", "last", "random", "vote"],
    "schedule": ["auto", "constant", "inverse", "adaptive"],
    "representation": ["primal", "dual", "auto"],
    "class_weight": ["spam=2,ham=1", "spam=0", "a\x1b=1"],
    "variant": ["0", "I", "II"],
    "cross": ["user*text", "text*text", "usr*text", "label*text"],
    "format": ["vw", "csv", "tsv", "jsonl", "svmlight"],
    "role": ["text=category", "text=ignore", "n=tag", "usr=ignore", "n=weight", "text=tag"],
    "columns": ["label,text", "label,text,n", "a,a"],
    "label": ["label", "text", "spam", "\x1b"],
    "delimiter": [",", "tab", ";", "ab", ""],
    "on_error": ["skip", "stop"],
    "classes": ["spam,ham", "spam", ",", "spam,ham,1,-1,0.5"],
    "from_model": ["a.model"],
    "test": ["data.vw", "data.csv"],
    "weights": ["1", "0.5,0.5", "0", "nan"],
    "example": ["|text free", "spam |text free prize", "free", "@data.vw", "-", "", "\x1b |"],
    "to": ["vw", "svmlight", "jsonl", "csv", "tsv"],
    "replace": ["_", "", "|"],
    "cache": [".", "nowhere"],
    "checkpoint_every": ["1", "3"],
}
ONLY = {"bits", "passes", "folds", "ngrams", "skips", "copies", "patience", "kernel", "working_memory"}
OUTPUTS = {"convert": ["out.vw", "out.jsonl", "out.tsv", "out.svm", "-"], "predict": ["out.tsv"]}
LONG = ("reproduce",)  # whole experiments, which read nobody's data but their own
KNOWN = {}


def case(rng, folder):
    write_files(rng, folder)
    with contextlib.chdir(folder):
        if rng.random() < 0.95:
            called(["train", "good.vw", "--bits", "6", "-o", "a.model", *pick(rng, [[], ["--names"]])])
        for _ in range(int(rng.integers(1, 4))):
            called(words(rng))


def called(given):
    """Run one command, and look at what it answers."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    standard = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"spam |text free\nham |text prize\n")))
    sys.stdout, sys.stderr = out, err
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            code = run(given)
    finally:
        sys.stdin, sys.stdout, sys.stderr = standard
    printed, complaints = (stream.buffer.getvalue().decode() for stream in (flushed(out), flushed(err)))
    try:
        check(given, code, printed, complaints)
    except AssertionError as error:
        error.add_note(
            f"command: {given!r}\nexit code {code}\nprinted: {printed!r}\ncomplaints: {complaints!r}"
        )
        raise


def flushed(stream):
    stream.flush()
    return stream


def check(given, code, printed, complaints):
    assert code in (0, 2), code
    lines = complaints.split("\n")[:-1]
    if "--debug" not in given:
        assert all(line.startswith(("kerneltron: ", "    ")) for line in lines)
    assert (
        sum(line.startswith("kerneltron: error: ") for line in lines) == (1 if code == 2 else 0) or not lines
    )
    assert code == 0 or complaints or "--help" in given or not given
    assert not RAW.search(complaints)
    assert "\t" not in complaints
    shows_data = given[:1] == ["convert"] and "-" in given  # which are written as they are
    if not shows_data:
        assert not RAW.search(printed)
    if "--json" in given and code == 0 and "--help" not in given and not shows_data:
        for line in printed.split("\n")[:-1]:
            json.loads(line, parse_constant=refused)


def refused(word):
    raise AssertionError(f"{word} is not JSON")


def words(rng):
    """Return the words of one command."""
    name = pick(rng, [name for name in COMMANDS if name not in LONG])
    given, options = [name], []
    for parameter in parameters(name):
        if parameter.param_type_name == "argument":
            count = 1 if parameter.nargs == 1 else int(rng.integers(1, 3)) + (name in ("evaluate",))
            given += [argument(rng, name, parameter.name, place) for place in range(count)]
        elif parameter.name == "output":
            given += ["-o", pick(rng, OUTPUTS.get(name, ["b.model"]))]
        else:
            options.append(parameter)
    for _ in range(int(rng.integers(0, 4)) if options else 0):
        given += option(rng, pick(rng, options))
    if rng.random() < 0.4:
        given.append("--json")
    if rng.random() < 0.5 and name == "train":
        given += ["--bits", "6"]
    if rng.random() < 0.1:
        strange = [*TEXTS, *FILES, "--bogus", "--debug", "--help", "--"]
        given.insert(int(rng.integers(0, len(given) + 1)), pick(rng, strange))
    if rng.random() < 0.1:
        del given[int(rng.integers(0, len(given)))]
    return given


def argument(rng, command, name, place):
    """Return a file: where a model is wanted mostly a model."""
    if rng.random() < 0.1:
        return pick(rng, FILES)
    if name in ("model", "models") or (command == "evaluate" and place == 0):
        return "a.model"
    return "good.vw" if rng.random() < 0.5 else pick(rng, FILES[:5])


def option(rng, parameter):
    """Return an option, with a value if it takes one."""
    flag = pick(rng, [*parameter.opts, *parameter.secondary_opts])
    if parameter.is_flag:
        return [flag]
    usual = NUMBERS if parameter.type.name in ("integer", "float") else [*TEXTS, *FILES[:5]]
    sound = SOUND.get(parameter.name, usual)
    value = pick(rng, sound if parameter.name in ONLY or rng.random() < 0.7 else usual)
    return [flag, value] if rng.random() < 0.7 else [f"{flag}={value}"]


def parameters(name):
    """Return the options and arguments of a command."""
    if name not in KNOWN:
        KNOWN[name] = Commands(name="kerneltron").get_command(None, name).params
    return KNOWN[name]


def pick(rng, choices):
    return choices[int(rng.integers(len(choices)))]


def write_files(rng, folder):
    """Write strange examples in each format, some of them damaged, and some that can be learned from."""
    clean = rng.random() < 0.6
    labels = ["spam", "ham"] if clean else [pick(rng, LABELS) for _ in range(3)]
    rows = []
    for n in range(8):
        text = [pick(rng, WORDS[:2] if clean or n % 2 else WORDS) for _ in range(3)]
        rows.append((pick(rng, labels), " ".join(text)))
    columns = [
        {"label": label, "text": text, "user": f"u{n % 2}", "n": n} for n, (label, text) in enumerate(rows)
    ]
    evil = pick(rng, ["ham", "a\x1b[31mb", "\u202eevil\x9b", "back\\slash"])
    good = "".join(f"{label} 't\x1b{n}|text a w{n} |user u\n" for n, label in enumerate(["spam", evil] * 4))
    (folder / "good.vw").write_text(good)
    files = {
        "data.vw": "".join(f"{label} |text {text} |user u\n" for label, text in rows),
        "data.csv": "label,text,n\n"
        + "".join(f'{label},"{text.replace(chr(34), "")}",{n}\n' for n, (label, text) in enumerate(rows)),
        "data.tsv": "label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in rows),
        "data.jsonl": "".join(json.dumps(row, ensure_ascii=rng.random() < 0.5) + "\n" for row in columns),
        "data.svm": "".join(f"{label} {n}:1 7:0.5\n" for n, (label, _) in enumerate(rows)),
        "data": pick(rng, ["", "\n", "x", "spam | a\nham | b\n", "{}\n{}\n", "[1]\n"]),
        "e\x1bvil.vw": "spam |text a\nham |text b\nbad\n",
        "two\nlines.csv": "label,text\nspam,a b\nham\n",
        "data.parquet": "PAR1 no more",
    }
    for name, text in files.items():
        content = bytearray(text.encode("utf-8", "surrogateescape"))
        if rng.random() < 0.2 and content:
            for _ in range(int(rng.integers(1, 4))):
                content[int(rng.integers(len(content)))] = int(rng.integers(256))
        (folder / name).write_bytes(bytes(content))
