"""Classification: the truth of a row is one of several classes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron._validate import check_labels
from kerneltron.files import labels as label_files
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning import progressive
from kerneltron.learning.classes import check_allowed, check_types, is_text, type_of
from kerneltron.learning.examples import Classified
from kerneltron.learning.label_types import are_among, joined
from kerneltron.learning.targets.target import Met, Target

if TYPE_CHECKING:
    from kerneltron.models.late import ColumnOrigin
    from kerneltron.stream.labels import Labels

BINARY = 2  # classes, which share one column


class Classification(Target):
    """One of several classes; k classes have k columns, but two share one, and so does a first one alone.

    Parameters
    ----------
    classes
        The labels so far, sorted; None before any was met.
    is_closed
        Whether they are all that may come.

    Examples
    --------
    >>> met = Classification().meet(np.array(["ham", "spam", "ham"]))
    >>> met.target.known, met.target.columns
    (['ham', 'spam'], 1)
    >>> met.target.truths(np.array([[-1.0], [0.5]]))
    array(['ham', 'spam'], dtype='<U4')
    """

    def __init__(self, classes: Anything | None = None, is_closed: bool = False) -> None:
        self._classes, self._is_closed = classes, is_closed

    @property
    def classes(self) -> Anything | None:
        """The labels that it knows, sorted; None before it met any."""
        return self._classes

    @property
    def is_closed(self) -> bool:
        """Whether the classes were given, so that others are refused."""
        return self._is_closed

    @property
    def known(self) -> list[Any]:
        """The labels that it knows, as plain values."""
        return [] if self._classes is None else list(self._classes.tolist())

    @property
    def size(self) -> int:
        """How many classes it knows."""
        return 0 if self._classes is None else len(self._classes)

    @property
    def columns(self) -> int:
        """How many vectors its classes need."""
        return columns_for(self.size)

    # -- truths --------------------------------------------------------------------------------------

    def meet(self, truths: Anything, given: Any = None, there: Any = None) -> Met:
        """Return the target that knows the classes of some labels, too.

        Parameters
        ----------
        truths
            One label per row.
        given
            All labels that may come, or None; from then on the classes are closed.
        there
            Which rows exist, all for None: the labels of others do not count.
        """
        known = self._classes if self.size else None
        if given is None and known is not None and _are_known(truths, known):
            return Met(self, {})
        rows = np.arange(len(truths)) if there is None else np.flatnonzero(there)
        labels, firsts = np.unique(truths[rows], return_index=True)
        new = labels
        if given is not None:
            check_labels(given)
            new = np.unique(np.asarray(given))
            if is_text(new) != is_text(labels):
                raise ValueError(
                    f"y holds {type_of(labels)}, but classes={new.tolist()!r} are {type_of(new)}."
                )
        check_types(known, new)
        allowed = new if given is not None else known if self._is_closed else None
        if allowed is not None:
            check_allowed(labels, rows[firsts], allowed, given is None)
        if known is None:
            return Met(self.of(new, given is not None), {})
        late = {}
        if given is None and len(known) > 1:
            is_late = ~are_among(labels, known)
            late = dict(zip(labels[is_late].tolist(), rows[firsts[is_late]].tolist(), strict=True))
        return Met(self.of(joined(known, new), self._is_closed or given is not None), late)

    def of(self, classes: Anything | None, is_closed: bool) -> Self:
        """Return the same target with other classes."""
        return type(self)(classes, is_closed)

    def check_enough(self, source: str = "") -> None:
        """Raise a ValueError unless there are two classes."""
        if self.size >= BINARY:
            return
        if source:
            raise ValueError(
                f"{source}: all labels are {self.known[0]!r}, and a classifier needs at least two classes. "
                "If others come later, name all of them with `classes`."
            )
        if not self.size:
            raise ValueError("X holds no examples: there must be some of at least two classes.")
        raise ValueError(
            f"y holds one class only, {self.known[0]!r}: a classifier needs at least two. If others come "
            "later, use partial_fit with classes=[...]."
        )

    def filled(self, truths: Anything, weight: Floats | None) -> Anything:
        """Return labels in the type of the classes, with the first class in rows of weight 0."""
        if weight is None:
            return self._typed(truths)
        classes, there = self._known(), weight > 0
        found = np.full(len(truths), classes[0], classes.dtype)
        found[there] = self._typed(truths[there])
        return found

    def codes(self, truths: Anything) -> Integers:
        """Return the places of labels among the classes."""
        return np.searchsorted(self._known(), self._typed(truths))

    def codes_by_number(self, labels: "Labels") -> Integers:
        """Return for each number of a label its place among the classes, -1 where there is none."""
        places = {name: code for code, name in enumerate(self.known)}
        return np.array([*(places.get(name, -1) for name in labels.names), -1], np.int64)

    def examples(self, truths: Anything, by_class: Floats, sample_weight: Floats | None) -> Classified:
        """Return rows with these labels as a trainer visits them."""
        return Classified(self._typed(truths), self._known(), by_class, sample_weight)

    def _known(self) -> Anything:
        """Return the labels; some were met."""
        assert self._classes is not None
        return self._classes

    def _typed(self, truths: Anything) -> Anything:
        """Return labels, which are among the classes, in a type that is compared with theirs exactly."""
        classes = self._known()
        return truths if truths.dtype.kind == classes.dtype.kind else truths.astype(classes.dtype)

    # -- scores --------------------------------------------------------------------------------------

    def predicted(self, scores: Floats) -> Integers:
        """Return the place of the class with the highest score; of two, the second if it is above 0."""
        return progressive.predicted(scores, self.size)

    def truths(self, scores: Floats) -> Anything:
        """Return the label that each row of scores speaks for."""
        return np.asarray(self._known()[self.predicted(scores)])

    def tally(
        self, scores: Floats, codes: Integers, importance: Floats, logarithmic: bool
    ) -> progressive.Tally:
        """Return how often scores speak for another class than the right one."""
        loss = float(importance @ progressive.log_loss(scores, codes)) if logarithmic else 0.0
        errors = float(importance @ self.errors(self.predicted(scores), codes))
        return progressive.Tally(codes.size, float(importance.sum()), errors, loss)

    def errors(self, predicted: Integers, codes: Integers) -> Any:
        """Return what each prediction counts as an error: 1 for a wrong class."""
        return predicted != codes

    def score(self, scores: Floats, truths: Anything) -> float:
        """Return the accuracy, from what each prediction counts as an error."""
        codes = self.codes(truths)
        return float(np.mean(1.0 - self.errors(self.predicted(scores), codes)))

    def needs_calibration(self, are_log_odds: bool) -> bool:
        """Return whether scores are not probabilities as they are: two log-odds sum to 0."""
        return not are_log_odds or self.size > BINARY

    def splits_shared_column(self, before: "Classification") -> bool:
        """Return whether two classes shared a column before, and there are more now."""
        return before.size == BINARY < self.size

    def probabilities(self, scores: Floats, temperature: float | None) -> Floats:
        """Return the probability of each class."""
        return progressive.probabilities(scores, self.size, temperature)

    def log_loss(self, scores: Floats, codes: Integers, temperature: float | None) -> Floats:
        """Return -log of the probability of the right class."""
        return progressive.log_loss(scores, codes, temperature)

    # -- several learners, and files -----------------------------------------------------------------

    def origins(self, before: "Classification") -> "list[ColumnOrigin]":
        """Return where the columns of its classes come from: see `origins_of_columns`."""
        return origins_of_columns(before._known(), self._known())

    def united(self, others: Sequence[Self]) -> Self:
        """Return the target that knows the classes of all; it is closed where all are."""
        every = [self, *others]
        classes = joined(*(np.array(each._known()) for each in every))
        return self.of(classes, all(each.is_closed for each in every))

    def state(self, contents: Contents) -> Contents:
        """Return the contents of a learner's file with its classes."""
        if self._is_closed:
            contents.header["closed"] = True
        if self._classes is None:
            return contents
        return contents.with_part("classes_", label_files.state(self._classes))

    def check_fits(self, columns: int) -> None:
        """Raise a ModelFileError unless its classes need this many vectors."""
        if not self.size or self.columns != columns:
            raise ModelFileError(f"{self.size} classes do not fit {columns} vectors")

    @classmethod
    def restored(cls, contents: Contents) -> Self:
        """Return the target that knows the classes of a file."""
        header = contents.header
        if "classes_" not in header:
            return cls()
        if "model_" not in header:
            raise ModelFileError("there are classes, but no model that knows them")
        is_closed = "closed" in header and contents.truth("closed")
        return cls(label_files.restore(contents.part("classes_")), is_closed)


def columns_for(classes: int) -> int:
    """Return how many vectors `classes` classes need."""
    return 1 if classes <= 2 else classes


def origins_of_columns(before: Anything, after: Anything) -> "list[ColumnOrigin]":
    """Say where the columns for the classes `after` come from, if those of `before` are known.

    A shared column speaks for the second class and against the first: a third class splits it into w and -w,
    and is late. The column of a first class alone speaks against it, and so for whichever come after it.

    Examples
    --------
    >>> import numpy as np
    >>> origins_of_columns(np.array(["b", "c"]), np.array(["a", "b", "c"]))
    [(-1, 0.0), (0, -1.0), (0, 1.0)]
    >>> origins_of_columns(np.array(["b"]), np.array(["a", "b", "c"]))
    [(0, 1.0), (0, -1.0), (0, 1.0)]
    """
    from kerneltron.models.late import LATE

    known = {label: code for code, label in enumerate(before.tolist())}

    def origin(label: object) -> "ColumnOrigin":
        if label not in known:
            return LATE if len(known) > 1 else (0, 1.0)
        code = known[label]
        return (code, 1.0) if len(known) > 2 else (0, 1.0 if code == 1 else -1.0)

    labels = after.tolist()
    return [origin(label) for label in labels[-columns_for(len(labels)) :]]


def _are_known(labels: Anything, known: Anything) -> bool:
    """Return whether all labels are among the sorted ones that are known, which have room for their text."""
    if labels.dtype != known.dtype and (
        labels.dtype.kind != known.dtype.kind or np.result_type(labels, known) != known.dtype
    ):
        return False
    if labels.size == 1:
        place = int(known.searchsorted(labels[0]))
        return place < known.size and bool(known[place] == labels[0])
    places = np.minimum(np.searchsorted(known, labels), known.size - 1)
    return bool((known[places] == labels).all())
