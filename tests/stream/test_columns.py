"""Roles of columns: said, told by names, and guessed from values."""

import warnings

import pytest

from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.columns import Columns, check_names, guess
from kerneltron.stream.formats.delimited import Csv
from kerneltron.stream.formats.json_lines import JsonLines

SAME = "category"


def roles(names, guesses=None, **declared):
    return Columns(**declared).assign(names, guesses or [SAME] * len(names), "file")


class Counted(str):
    """A name that counts how often it is compared."""

    comparisons = 0
    __hash__ = str.__hash__

    def __eq__(self, other):
        Counted.comparisons += 1
        return str.__eq__(self, other)


def test_names_of_columns_are_not_compared_with_each_other():
    names = [Counted(f"column {number}") for number in range(400)]
    Counted.comparisons = 0
    check_names(names, "file")
    known = Columns(roles=dict.fromkeys(map(str, names), "number"), complete=True, labelled=False)
    assert known.assign(names, ["number"] * 400, "file") == ["number"] * 400
    assert Counted.comparisons < 10 * 400  # in pairs they would be 80,000
    with pytest.raises(InputError, match="columns 3 and 401 are both called 'column 2'"):
        check_names([*names, "column 2"], "file")


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (["1", "-2.5", "+3e7", ".5", "4.", " 6 ", ""], "number"),
        (["1", "2", "NA"], "category"),
        (["nan"], "category"),
        (["inf", "1"], "category"),
        (["1_000"], "category"),
        (["٣"], "category"),
        (["red", "green", ""], "category"),
        (["red", "dark green"], "text"),
        (["x" * 40], "category"),
        (["x" * 41], "text"),
        (["", " "], "category"),
        ([], "category"),
    ],
)
def test_values_suggest_a_role(values, role):
    assert guess(values) == role


def test_names_tell_a_role_in_any_case():
    names = ["Class", "USER_ID", "Id", "Importance", "Text", "age"]
    assert roles(names) == ["label", "user", "tag", "weight", "text", SAME]


def test_of_several_names_for_one_role_the_first_counts():
    assert roles(["y", "x", "label"]) == [SAME, SAME, "label"]
    assert roles(["id", "tag", "label"]) == [SAME, "tag", "label"]


def test_what_is_said_wins_over_names_and_values():
    assert roles(["label", "y", "text"], roles={"y": "label"}) == [SAME, "label", "text"]
    assert roles(["label", "id", "text"], label="id", roles={"text": "ignore"}) == [SAME, "label", "ignore"]


def test_without_a_label_it_is_said_how_to_name_one():
    told = r"file: none.*'a', 'b'.*`label='NAME'`.*`columns=\('label', 'text'\)`"
    with pytest.raises(InputError, match=told):
        roles(["a", "b"])
    assert roles(["a", "b"], labelled=False) == [SAME, SAME]


def test_a_column_that_is_not_there_is_named_with_the_nearest():
    with pytest.raises(InputError, match=r"'ttext' is to be a text, but there is none.*mean 'text'\?"):
        roles(["label", "text"], roles={"ttext": "text"})


def test_a_model_needs_its_features_and_nothing_else():
    known = {"y": "label", "t": "text", "id": "tag", "w": "weight"}
    assert roles(["new", "t"], roles=known, complete=True, labelled=False) == ["ignore", "text"]
    with pytest.raises(InputError, match=r"The model knows a column 't' \(text\), but there is none"):
        roles(["id"], roles=known, complete=True, labelled=False)
    with pytest.raises(InputError, match="none of the columns is the label"):
        roles(["t"], roles=known, complete=True)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"roles": {"a": "txt"}}, "'txt' is not a role for the column 'a'"),
        ({"roles": {"a": "label", "b": "label"}}, "Only one column can be the label, not 'a' and 'b'"),
        ({"roles": {"a": "tag", "b": "tag"}}, "Only one column can be the tag"),
        ({"roles": {"a": "text"}, "label": "a"}, "cannot be the label and 'text' too"),
        ({"names": ["a", "b", "a"]}, "columns 1 and 3 are both called 'a'"),
        ({"names": ["a", ""]}, "column 2 has no name"),
    ],
)
def test_contradictions_are_refused(declared, message):
    with pytest.raises(ValueError, match=message):
        Columns(**declared)


@pytest.mark.parametrize("format", [Csv, JsonLines])
@pytest.mark.parametrize(("stray", "role"), [("N/A", "category"), ("1q", "category"), ("not given", "text")])
def test_a_number_column_that_one_value_makes_words_is_warned_of(format, stray, role):
    """One cell in the first lines made a column of numbers a category, and the model useless in silence."""
    values = [str(n + 0.5) for n in range(20)]
    heads = {
        Csv: lambda values: "label,a\n" + "".join(f"x,{value}\n" for value in values),
        JsonLines: lambda values: "".join(
            f'{{"label": "x", "a": {value if value[-1].isdigit() else repr(value)}}}\n'.replace("'", '"')
            for value in values
        ),
    }
    reader = format(Columns())
    with pytest.warns(UserWarning, match=rf"f: the column 'a' is read as a {role}.*{stray}"):
        reader.begin(heads[format]([*values, stray]).encode(), "f")
    assert reader.roles["a"] == role
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        format(Columns(roles={"a": role})).begin(heads[format]([*values, stray]).encode(), "f")
        format(Columns()).begin(heads[format](["1", "2", "b"] * 7).encode(), "f")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("format", [Csv, JsonLines])
def test_other_encodings_are_named(format, encoding):
    head = '{"label": "x", "a": 1}\n' if format is JsonLines else "label,a\nx,1\n"
    with pytest.raises(InputError, match=r"looks like UTF-16.*iconv"):
        format(Columns()).begin(head.encode(encoding), "f")
