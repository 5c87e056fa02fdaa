"""What `make mutants` counts: errors that are chosen alike each time, and code that really differs."""

import ast
from textwrap import dedent

import pytest

from tools.mutants import chosen, inner
from tools.mutations import blocks, errors_in, with_error

SOURCE = dedent(
    '''
    """A module."""
    LIMIT = 3

    def count(rows, least=1):
        """Return how many rows there are."""
        total: int = 0
        for row in rows[least:]:
            if row in (1, 2) and not row.is_empty:
                total += row % 2
            else:
                raise ValueError("no row")
        return total

    class Window:
        def move(self, last=True):
            self.first = None
            return [x * 2 for x in self.rows]
    '''
)
ERRORS = [
    "constant: 0",
    "off by one: least",
    "constant: 2",
    "constant: 1",
    "negate: row in (1, 2) and (not row.is_empty)",
    "operator: row in (1, 2) and (not row.is_empty)",
    "compare: row in (1, 2)",
    "drop: total += row % 2",
    "operator: total += row % 2",
    "operator: row % 2",
    "drop: raise ValueError('no row')",
    "drop: self.first = None",
    "operator: x * 2",
]


def test_errors_are_made_inside_of_functions_and_each_changes_the_module():
    found = [error.what for error in errors_in(SOURCE)]
    assert sorted({*found}) == sorted(ERRORS)
    texts = {ast.unparse(with_error(SOURCE, number)) for number in range(len(found))}
    assert len(texts) == len(found)
    assert ast.unparse(ast.parse(SOURCE)) not in texts
    with pytest.raises(IndexError):
        with_error(SOURCE, len(found))


def test_a_line_is_in_the_block_that_it_runs_with():
    lines = {block[0].lineno for block in blocks(ast.parse(SOURCE))}
    assert {error.block for error in errors_in(SOURCE)} <= lines
    assert [error.block for error in errors_in(SOURCE) if "row % 2" in error.what] == [10, 10, 10]


def test_the_same_seed_chooses_the_same_errors_evenly():
    folders = ("files", "datasets")
    some = chosen(6, 3, folders)
    assert some == chosen(6, 3, folders) != chosen(6, 4, folders)
    assert [mutant.path.partition("/")[0] for mutant in some] == 3 * [*folders]
    for mutant in some:
        assert any(mutant.error.line >= code.co_firstlineno for code in inner(mutant.code()))
