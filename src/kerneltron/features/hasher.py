"""The hash trick as a transformer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin

from kerneltron._types import Anything, Floats, Integers
from kerneltron.features import _documents
from kerneltron.features._columns import (
    check_common,
    check_decided,
    common_columns,
    decided,
    namespaces,
)
from kerneltron.features._documents import Batch
from kerneltron.stream.chunks import Chunk
from kerneltron.stream.errors import REASONS
from kerneltron.stream.formats import named
from kerneltron.stream.formats.columns import FEATURES, ROLES, TELLING, TEXT, USER, Columns
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.parsing import Parsed, Parser

STRINGS = ("text", "vw", "svmlight")
TOLD = {name: role for role in (USER, TEXT) for name in TELLING[role]}


@dataclass(kw_only=True, eq=False, repr=False)
class Hasher(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn texts, dicts or lists of names into sparse rows of 2^bits slots, without a dictionary.

    Feature `name` of value x adds sign(h) x to slot |h| mod 2^bits, h = MurmurHash3(name): the slots of
    scikit-learn's FeatureHasher, and those of `kerneltron train` with the same options. Inner products
    are right on average; their variance is (1/m)(sum over i != j of x_i^2 z_j^2 + x_i z_i x_j z_j) with m
    slots. No names are kept: of texts and lists nothing is learned, and of dicts which columns are numbers,
    texts or categories, unless that was said. Words are parted and hashed by compiled code, tens of megabytes
    a second.

    An example is

    - a text: each word counts 1, its name is itself;
    - a dict from column to value: a number is the feature `column` with that value, a word of a text is
      `column^word`, another string is `column^string`; a list holds the words of a text; None and NaN (also
      NaT and NA of pandas) are missing, as a column that is not there;
    - a list of names, each of which counts 1, or of pairs (name, number). What stands before the first `^`
      of a name is its namespace.

    A data frame is a sequence of dicts.

    Parameters
    ----------
    bits, signed, binary, normalize, ngrams, skips, copies, cross, lowercase, only_crossed, damped
        As for `kerneltron.stream.hashing.Hashing`. `cross` pairs columns of dicts or namespaces of names;
        those in `only_crossed` are no features by themselves.
    columns
        Role by column of dicts: "text", "category" (or "user"), "number" or "ignore". If None, the columns
        "user", "user_id" and "userid" are categories and "text" is text. Of any other column `fit` decides by
        its first values, as `kerneltron train` does: text, if one has blanks inside or is long. A string in
        a column that is not decided is an error; numbers and lists need no decision.
        Where one column alone is text, an example that is a string is the text of that column.
    strings
        How a string is read: as running "text", or as a line of the formats "vw" or "svmlight".

    Attributes
    ----------
    columns_ : role by column, as said or decided by `fit`; empty where examples have no columns
    common_columns_ : the columns that all examples of `fit` had. One with none of them is an error.

    Examples
    --------
    >>> from kerneltron import Hasher
    >>> Hasher(bits=4).transform(["Win a prize!", "prize"]).toarray()[:, 9]
    array([1., 1.], dtype=float32)
    >>> personal = Hasher(cross=["user*text"])
    >>> personal.transform([{"user": "ann", "text": "win a prize"}]).nnz
    7
    >>> without_user = Hasher(cross=["user*text"], only_crossed=["user"])
    >>> without_user.transform([{"user": "ann", "text": "win a prize"}]).nnz
    6
    """

    bits: int = 18
    signed: bool = True
    binary: bool = False
    normalize: bool = False
    ngrams: int = 1
    skips: int = 0
    copies: int = 1
    cross: Sequence[str] = ()
    lowercase: bool = True
    only_crossed: Sequence[str] = ()
    damped: bool = False
    columns: Mapping[str, str] | None = None
    strings: str = "text"

    @property
    def hashing(self) -> Hashing:
        """The settings, checked."""
        return Hashing(**{field.name: getattr(self, field.name) for field in fields(Hashing)})

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Check the parameters, and decide which columns are numbers, texts or categories.

        Parameters
        ----------
        X
            A sequence of examples; without them the parameters alone are checked, and nothing is decided.
        y
            Not looked at.
        """
        self._check()
        if X is not None:
            self._fit(_documents.rows_of(X), self._said())
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Decide about columns that did not come before; what was decided stays."""
        self._check()
        self._fit(_documents.rows_of(X), {**self._said(), **vars(self).get("columns_", {})}, adds=True)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Decide about columns, and hash the examples."""
        rows = _documents.rows_of(X)
        return self.fit(rows).transform(rows)

    def transform(self, X: Any) -> Any:
        """Return a CSR matrix of single precision with a row for each example.

        Parameters
        ----------
        X
            A sequence of examples, all of one kind.
        """
        self._check()
        rows = self._examples(_documents.rows_of(X))
        if "columns_" not in vars(self):
            self._check_crosses(rows)
        parser = Parser(named("vw")(), self.hashing.recipe(), naming=False)
        values: list[Floats] = []
        indices: list[Integers] = []
        lengths: list[Integers] = []
        for batch in self._batches(rows):
            for parsed in _parsed(parser, batch, sum(part.size for part in lengths)):
                count, features = parsed.reached.rows, parsed.reached.features
                values.append(parsed.buffers.values[:features].copy())
                indices.append(parsed.buffers.indices[:features].copy())
                lengths.append(np.diff(parsed.buffers.starts[: count + 1]))
                parser.release(parsed)
        starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths), dtype=np.int64)])
        if starts.size - 1 != len(rows):
            raise ValueError(
                f"X holds {len(rows)} lines, but {starts.size - 1} examples: a comment or blank is none."
            )
        joined = (np.concatenate(values), np.concatenate(indices), starts)
        matrix = sp.csr_matrix(joined, shape=(len(rows), 1 << self.bits))
        matrix.sort_indices()
        return matrix

    def get_feature_names_out(self, input_features: Any = None) -> Anything:
        """Return the slots: which names they stand for is not kept."""
        return np.array([f"slot{slot}" for slot in range(1 << self.bits)], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = tags.input_tags.dict = True
        tags.requires_fit = False
        return tags

    def _fit(self, given: list[Any], known: dict[str, str], adds: bool = False) -> None:
        rows = self._examples(given)
        self._check_crosses(rows)
        is_table = isinstance(rows[0], Mapping)
        before = vars(self).get("common_columns_", rows[0]) if adds else rows[0]
        self.columns_ = {**known, **decided(rows, known)} if is_table else {}
        self.common_columns_ = common_columns(rows, before) if is_table else []

    def _examples(self, rows: list[Any]) -> Sequence[Any]:
        """Return the examples, which are all of one kind; strings that are texts of a column as dicts."""
        if not rows:
            raise ValueError("X is empty: there must be at least one example.")
        kinds = {str: isinstance(rows[0], str), Mapping: isinstance(rows[0], Mapping)}
        kind: Any = next((kind for kind, first_is in kinds.items() if first_is), None)
        for number, row in enumerate(rows):
            if (kind is not None) != isinstance(row, kind or (str, Mapping)):
                raise TypeError(
                    f"X[{number}] is {repr(row)[:60]}, where X[0] is {repr(rows[0])[:60]}: all examples must "
                    "be of one kind, texts, dicts or lists of names."
                )
        if kind is Mapping:
            return list(_documents.named_rows(rows))
        return (
            self._strings(rows) if kind is str else [_documents.entries(row, n) for n, row in enumerate(rows)]
        )

    def _strings(self, rows: list[str]) -> Sequence[Any]:
        """Return strings as they are read: lines, texts, or dicts of the one column of text."""
        if self.strings != "text":
            for number, row in enumerate(rows):
                if "\n" in row or "\r" in row or not row.strip():
                    raise ValueError(f"X[{number}] is {row[:60]!r}, not one line of {self.strings}.")
            return rows
        if self.columns is not None:
            text = [name for name, role in self.columns.items() if role == TEXT]
            if len(text) != 1:
                raise ValueError(f"X holds strings, but the columns are {dict(self.columns)}: give dicts.")
            return [{text[0]: row} for row in rows]
        if self.cross:
            raise ValueError(f"cross={self.cross!r} pairs columns, and a text has none: give dicts.")
        return rows

    def _batches(self, rows: Sequence[Any]) -> Iterator[Batch]:
        if isinstance(rows[0], Mapping):
            known = vars(self).get("columns_") or self._said()
            check_common(rows, vars(self).get("common_columns_", ()))
            check_decided(rows, known, fitted="common_columns_" in vars(self) or "columns_" in vars(self))
            return _documents.dicts(rows, _form(known))
        if not isinstance(rows[0], str):
            return _documents.lists(rows)
        return (
            _documents.texts(rows)
            if self.strings == "text"
            else _documents.lines(rows, named(self.strings)())
        )

    def _said(self) -> dict[str, str]:
        """Return the roles of columns that were said, or are told by their names."""
        columns = TOLD if self.columns is None else self.columns
        if not isinstance(columns, Mapping):
            raise TypeError(f"columns={columns!r} must be a dict from columns to {', '.join(ROLES)}.")
        return dict(columns)

    def _check(self) -> None:
        """Raise if a parameter makes no sense."""
        roles, hashing = _form(self._said()).roles, self.hashing
        if self.strings not in STRINGS:
            raise ValueError(f"strings={self.strings!r} must be one of {', '.join(STRINGS)}.")
        for name in hashing.spaces():
            if roles.get(name, TEXT) not in FEATURES:
                raise ValueError(f"cross={self.cross!r} names {name!r}, which has the role {roles[name]!r}.")
        hashing.recipe()

    def _check_crosses(self, rows: Sequence[Any]) -> None:
        """Raise if a cross names a column or namespace that is neither in the examples nor was said."""
        spaces = self.hashing.spaces()
        there = {*(namespaces(rows) if spaces else ()), *(self.columns or ())}
        for name in spaces:
            if name not in there:
                raise ValueError(
                    f"cross={self.cross!r} names {name!r}, and no example has a column or namespace of this "
                    f"name: there are {', '.join(map(repr, sorted(there)[:20])) or 'none'}."
                )


def _form(roles: Mapping[str, str]) -> JsonLines:
    try:
        return JsonLines(Columns(roles=roles, labelled=False, complete=True))
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the column {error.object!r:.60} of X has half of a surrogate pair in its name: not text."
        ) from error


def _parsed(parser: Parser, batch: Batch, before: int) -> Iterator[Parsed]:
    """Parse a batch; `before` examples lie before it. Its parts last until the next one."""
    parser.format = batch.format
    chunk = Chunk(batch.text, batch.start, batch.stop, "X", None, 0)
    place = batch.start
    while place < batch.stop:
        parsed = parser.parse(chunk, place)
        if parsed.reached.faults:
            line, byte, reason = parsed.buffers.faults[0].tolist()
            raise ValueError(f"X[{before + line}], byte {byte}: {REASONS[reason]}.")
        yield parsed
        place, before = parsed.reached.place, before + parsed.reached.rows
