"""The page about the defaults, in Markdown: every number on it was measured by one run."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.defaults import page_tables as tables
from benchmarks.defaults import sets
from benchmarks.defaults.page_tables import Cells, Figures

ABOUT = """What learners do as they come, on sets that nobody has scaled or cleaned: beside the best of a
grid, and beside other people's learners as they come. This page is written by

    python -m benchmarks --only defaults --json .cache/defaults.json
    python -m benchmarks.defaults .cache/defaults.json docs/defaults.md

Sets of under {small:,} rows are split {splits} times, and their standard errors allow for what splits share
(Nadeau and Bengio, 2003). Streams are predicted row by row, each row before it is learned from; errors count
from the middle on. Peers read texts through `CountVectorizer()`. Vowpal Wabbit makes one pass with its
defaults (squared loss, or logistic where that is said), with `--oaa` for more than two classes. River makes
one pass, one class against the rest, with and without its StandardScaler. "No worse" means: by at most two
standard errors of the difference, on the same test rows. Bold figures are those beside which ours is not good
enough.

Measured with {versions}.
"""
SECTIONS = {
    "Goals": "On which share of the sets is the answer yes? What could not be measured does not count.",
    "The learners that we recommend": "Test error in % with its standard error. Our best is chosen from a "
    "grid on held-out training rows; the setting beside it is the most frequent one of all splits.",
    "Linear learners": "Test error in % of `LogisticRegression()`, and on texts of `kerneltron train`.",
    "Kernel machines": 'Test error in % of `SVM(kernel="gaussian")` beside `SVC()`. On structures it is '
    '`SVM(kernel="auto")`, and SVC is given the Gram matrix of the first kernel of the grid.',
    "All learners as they come": "Test error in %. A dash is a learner that refuses such rows.",
    "Probabilities": "Log-loss, and in brackets the expected calibration error in % (15 bins of the highest "
    "probability): of the recommended and the linear learner beside peers, then of all our learners as they "
    "come. Probabilities below 0.000001 count as that.",
    "More passes": "Test error in % and log-loss of the linear learner by the number of passes; and whether "
    "none is worse than after one by more than 2 % (an error also by two standard errors of the difference).",
    "Time": "CPU seconds to learn from one split, in one thread; on streams also to predict.",
    "Grids": "The settings that our best is chosen from. Sigma is the median distance, as `propose_sigma(X)` "
    "returns it; scaled rows went through a StandardScaler, on streams one that goes on learning.",
}


def page(figures: Sequence[Figures], before: Mapping[str, Figures], machine: Mapping[str, Any]) -> str:
    """Return the page; `before` are the figures of the defaults as they were, by set."""
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    about = ABOUT.format(small=sets.SMALL, splits=sets.SPLITS, versions=versions)
    linear = [each for each in figures if each["linear"]]
    kinds = [kind for kind in sets.KINDS if any(each["kind"] == kind for each in figures)]
    parts = (
        [tables.sizes(figures)],
        [tables.goals(figures, before)],
        [tables.recommended(figures, before)],
        [tables.linear(linear, before)],
        [tables.machines(figures, before)],
        [tables.everyone(kind, figures) for kind in kinds],
        [tables.probabilities(figures), *(tables.all_probabilities(kind, figures) for kind in kinds)],
        [tables.passes([each for each in figures if each["passes"]])],
        [tables.seconds(figures)],
        [tables.grids(figures)],
    )
    missing = [name for name in sets.names() if name not in {each["set"] for each in figures}]
    left_out = f" Left out for want of data: {', '.join(missing)}." if missing else ""
    texts = {"Sets": f"All columns and texts are as they come.{left_out}", **SECTIONS}
    shown = [
        f"## {title}\n\n{text}\n\n" + "\n".join(map(markdown, some))
        for (title, text), some in zip(texts.items(), parts, strict=True)
    ]
    return "\n".join(["# Defaults\n", about, *shown])


def markdown(table: Iterable[Cells]) -> str:
    """Return a table, the first line of which names the columns."""
    head, *lines = [list(line) for line in table]
    marks = ["---", *(["---:"] * (len(head) - 1))]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, marks, *lines]) + "\n"
