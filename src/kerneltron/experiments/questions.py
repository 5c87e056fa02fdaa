"""TREC questions: what kind of answer a question asks for, told from its words and its parse tree.

`kerneltron reproduce questions` looks for them in the folder that KERNELTRON_DATA names. Kernels and settings
were chosen by folds of the training questions. With `--full` a picture shows the error against the decay and
the size of fragments: small ones generalise, large ones overfit. Its learners see four fifths of the training
questions, and the others judge.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import prod
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.table import Table

from kerneltron import PassiveAggressive
from kerneltron._types import Floats
from kerneltron.datasets.questions import Questions, load_questions
from kerneltron.experiments.experiment import MEMORY, Asked, Comparison, Outcome
from kerneltron.kernels import Kernel, On, PartialTrees, Spectrum, SubsetTrees
from kerneltron.kernels.composed import OfOne
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair

if TYPE_CHECKING:
    from matplotlib.figure import Figure

C, PASSES, SEED = 1.0, 20, 0
TREE = On("grct", PartialTrees(0.4, 0.7, terminal_factor=5.0).normalized())
WORDS = On("words", Spectrum(2, blended=True).normalized())
LEMMAS = On("lemmas", Spectrum(2, blended=True).normalized())
LETTERS = On("text", Spectrum(5).normalized())
KERNELS: dict[str, Kernel] = {
    "a bag of lemmas": On("lemmas", Spectrum(1).normalized()),
    "words and pairs of words": WORDS,
    "trees, fragments of whole productions": On("grct", SubsetTrees(0.4).normalized()),
    "trees, partial fragments": TREE,
    "trees and words": TREE + WORDS,
    "trees, lemmas and letters": TREE + LEMMAS + LETTERS,
}
DECAYS = (0.1, 0.2, 0.4, 0.7, 1.0)
SIZES = (1, 2, 3, 4, 6, None)
FEWER_PASSES = 5  # for the curves
HELD_OUT = 5  # every fifth training question judges the curves
QUICK = 8  # every eighth question is learned from, to see whether it runs
PUBLISHED = {  # accuracies in %, and how they were said
    "a bag of lemmas": (86.2, "a linear SVM, 86.2 % as quoted from memory"),
    "trees, partial fragments": (91.0, "an SVM with C = 10, about 90 to 92 % as quoted from memory"),
}
CHOSEN = "Kernels and settings were chosen by folds of the training questions."


class Row(NamedTuple):
    """What one kernel made of the questions."""

    name: str
    kernel: Kernel
    accuracy: float
    remembered: int
    seconds: float  # to train and to test
    evaluations: int  # of the kernel, meanwhile


@dataclass(frozen=True, repr=False)
class Metered(OfOne):
    """Another kernel, which counts how often it is evaluated."""

    base: Kernel
    counts: list[int] = field(default_factory=list, compare=False)

    def _diag(self, pack: Pack) -> Floats:
        return self.base._diag(pack)

    def _block(self, pair: Pair) -> Floats:
        self.counts.append(prod(pair.shape))
        return self.base._block(pair)


def row(name: str, kernel: Kernel, data: Questions, passes: int = PASSES) -> Row:
    """Train and test with a kernel."""
    metered = Metered(kernel)
    learner = PassiveAggressive(kernel=metered, C=C, passes=passes, hypothesis="average", random_state=SEED)
    start = perf_counter()
    fitted = learner.fit(data.X, data.y)
    accuracy = float(fitted.score(data.X_test, data.y_test))
    return Row(name, kernel, accuracy, fitted.support_.size, perf_counter() - start, sum(metered.counts))


def table(results: list[Row], data: Questions) -> Table:
    """Lay the rows out, the best accuracy in bold."""
    title = f"TREC questions, 6 kinds: {len(data.y):,} to train on, {len(data.y_test)} to test on"
    out = Table(title=title, title_justify="left")
    out.add_column("what is compared", no_wrap=True)
    for column in ("accuracy", "kept", "seconds", "pairs/s"):
        out.add_column(column, justify="right")
    best = max(result.accuracy for result in results)
    for result in results:
        accuracy = f"{100 * result.accuracy:.1f} %"
        shown = f"[bold]{accuracy}[/]" if result.accuracy == best else accuracy
        rate = result.evaluations / result.seconds / 1e6
        out.add_row(result.name, shown, f"{result.remembered:,}", f"{result.seconds:.1f}", f"{rate:.1f} M")
    return out


def split(data: Questions) -> Questions:
    """Return the training questions alone, every fifth of them to test on."""
    judge = [place % HELD_OUT == 0 for place in range(len(data.y))]
    learn = [not mine for mine in judge]
    chosen = [[x for x, mine in zip(data.X, some, strict=True) if mine] for some in (learn, judge)]
    return Questions(chosen[0], data.y[learn], chosen[1], data.y[judge])


def curves(
    data: Questions, sizes: tuple[int | None, ...] = SIZES, show: Callable[..., Iterable[Any]] = iter
) -> dict[str, list[list[float]]]:
    """Return the error on held-out questions, a list of sizes for each decay, of both kernels over trees."""
    kernels: dict[str, Callable[..., Kernel]] = {
        "SubsetTrees(decay, max_size)": lambda decay, size: SubsetTrees(decay, max_size=size),
        "PartialTrees(decay, 0.7, 5, max_size)": lambda decay, size: PartialTrees(
            decay, 0.7, terminal_factor=5.0, max_size=size
        ),
    }
    parts = split(data)

    def error(kernel: Kernel) -> float:
        return 1 - row("", On("grct", kernel.normalized()), parts, FEWER_PASSES).accuracy

    return {
        name: [[error(make(decay, size)) for size in sizes] for decay in show(DECAYS)]
        for name, make in kernels.items()
    }


def picture(errors: dict[str, list[list[float]]]) -> "Figure":
    """Draw the error against the size of fragments, one curve per decay."""
    from kerneltron.plots.style import COLOURS, MARKERS, new_figure

    figure = new_figure((10, 3.8))
    panels: Any = figure.subplots(1, len(errors), sharey=True)
    for axes, (name, by_decay) in zip(panels, errors.items(), strict=True):
        for number, (decay, by_size) in enumerate(zip(DECAYS, by_decay, strict=True)):
            look: dict[str, Any] = {"color": COLOURS[number], "marker": MARKERS[number], "markersize": 3.5}
            axes.plot(range(len(by_size)), [100 * error for error in by_size], label=f"{decay:g}", **look)
        axes.set_title(name, fontsize="medium")
        axes.set_xticks(range(len(SIZES)), ["any" if size is None else str(size) for size in SIZES])
        axes.set_xlabel("largest fragment")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("error on held-out questions in %")
    panels[-1].legend(title="decay", frameon=False, fontsize="small")
    return figure


def fewer(data: Questions) -> Questions:
    """Return some of the questions, to see whether it runs."""
    return Questions(data.X[::QUICK], data.y[::QUICK], data.X_test, data.y_test)


def comparisons(results: list[Row]) -> list[Comparison]:
    """Set our accuracies beside the published ones, where there are some."""
    found = []
    for result in results:
        published, source = PUBLISHED.get(result.name, (None, ""))
        found.append(
            Comparison(
                f"{result.name}: accuracy",
                100 * result.accuracy,
                published,
                higher_is_better=True,
                source=source,
                kind=MEMORY,
            )
        )
    return found


def reproduce(asked: Asked) -> Outcome:
    """Tell the questions apart with each kernel; with `full`, also by decay and size of fragments."""
    data = fewer(load_questions()) if asked.quick else load_questions()
    passes = FEWER_PASSES if asked.quick else PASSES
    work = asked.show(list(KERNELS.items()), "Kernels")
    results = [row(name, kernel, data, passes) for name, kernel in work]
    errors = curves(data, show=lambda decays: asked.show(decays, "Decays")) if asked.full else None
    rows = [{**result._asdict(), "kernel": repr(result.kernel)} for result in results]
    return Outcome(
        comparisons(results),
        [table(results, data)],
        {} if errors is None else {"questions": lambda: picture(errors)},
        [CHOSEN],
        {"kernels": rows, "curves": errors},
    )
