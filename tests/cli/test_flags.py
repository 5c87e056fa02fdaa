"""The library's messages name parameters; the command line tells them as its flags."""

import ast
import re
from pathlib import Path

import pytest

import kerneltron
from kerneltron.cli.flags import ALIASES, SETTINGS, options, with_flags

PACKAGE = Path(kerneltron.__file__).parent
FLAG = re.compile(r"(?<![\w-])--[A-Za-z]")
THEIRS = ("cli", "experiments")  # where flags are at home


def texts(path):
    """Yield line and text of every string of a module but docstrings and the flags of a parser of its own."""
    tree = ast.parse(path.read_text())
    left_out = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            left_out.add(id(body[0].value))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
            left_out.update(map(id, node.args))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
            yield node.lineno, node.value


def test_no_message_of_the_library_names_a_flag():
    found = [
        f"{path.relative_to(PACKAGE)}, line {line}: {text!r}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in THEIRS
        for line, text in texts(path)
        if FLAG.search(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("give fewer `bits`.", "give fewer --bits."),
        ("; `record_limit` sets another", "; --record-limit sets another"),
        ("with `skip_faults=True`.", "with --on-error=skip."),
        ("without `resumable=False`.", "without --prediction-only."),
        ("use `hypothesis='average'`, or", "use --hypothesis average, or"),
        ("train with `keep_names` to", "train with --names to"),
        ("name all, as in `columns=('label', 'text')`.", "name all, as in --columns label,text."),
        ("give `replacement=' '`", "give --replace ' '"),
        ("with `roles={'color': 'category'}`", "with --role color=category"),
        ("with `roles={'my color': 'category'}`", "with --role 'my color=category'"),
        ("leave `label`, `columns` and `roles` out", "leave --label, --columns and --role out"),
        ("a.csv: `cross` names 'x'", "a.csv: --cross names 'x'"),
        ("(see `bits`)", "(see --bits)"),
    ],
)
def test_parameters_become_flags(message, told):
    assert with_flags(message) == told


@pytest.mark.parametrize(
    "message",
    [
        "`bits`: the format cannot be told",  # a file of this name
        "`bits`.vw, line 3, byte 7: bad",
        "there is `bits`.checkpoint, of a training",
        "folder/`bits` is a folder",
        "the label '`bits`' says",  # labels, columns and words of input are shown in quotes
        "the key 'a `bits`' first comes here",
        'the label "`classes`"',
        "only what `kerneltron train` wrote does",
        "sets of exactly `size` columns",
        "call `fit` first",
        "with `bits=` or `bits=((`, or `bits=open('x')`",  # no values
        "`", "``", "` bits `", "an apostrophe` and another`",
        "",
    ],
)  # fmt: skip
def test_what_is_not_a_parameter_stays(message):
    assert with_flags(message) == message


def test_what_parameters_become_is_there():
    known = {*options().values()}
    assert known >= {"--bits", "--format", "--classes", "--on-error", "--record-limit", "--to", "--example"}
    told = {*ALIASES.values(), *SETTINGS.values()}
    assert {flag.partition("=")[0] for flag in told} <= known


def test_every_parameter_that_a_message_of_streams_names_is_an_option():
    """A name in backticks that no command has would be told as it is: better to see here that it is meant."""
    homes = [PACKAGE / "stream", PACKAGE / "jobs"]
    named = {
        text
        for home in homes
        for path in home.rglob("*.py")
        for _, written in texts(path)
        for text in re.findall(r"`([a-z_]+)(?==|`)", written)
    }
    assert named >= {"classes", "format", "label", "record_limit", "roles", "skip_faults"}
    settings = {setting.partition("=")[0] for setting in SETTINGS}
    assert named <= {*options(), *ALIASES, *settings}
