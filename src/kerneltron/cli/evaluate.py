"""`kerneltron evaluate`: how well a model does, or a learner by cross-validation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from kerneltron.cli.options.learning import Learning
from kerneltron.cli.options.reading import Reading
from kerneltron.cli.options.words import AsText, Words
from kerneltron.cli.printing import (
    amount,
    percent,
    print_facts,
    print_json,
    print_table,
    print_unknown,
    shown_choice,
)

if TYPE_CHECKING:
    from kerneltron.jobs.evaluating import Evaluation
    from kerneltron.learning.stream_model import StreamModel

EXAMPLES = (
    "kerneltron evaluate mail.model later.vw",
    "kerneltron evaluate mail.model later.vw --json",
    "kerneltron evaluate messages.csv --folds 5 --ngrams 2 --passes 10",
)
MOST_CONFUSED = 10


def evaluate(
    files: Annotated[
        list[str],
        Argument(metavar="MODEL INPUT...", help="A model and labelled input; with --folds only input."),
    ],
    learning: Learning,
    words: Words,
    reading: Reading,
    text: AsText = None,
    folds: Annotated[
        int | None,
        Option(
            min=2,
            metavar="K",
            help="Cross-validate: train K times on all of the input but one part, predict that part. Every K "
            "successive examples are dealt out at random, one to each part.",
        ),
    ] = None,
    json: Annotated[bool, Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Compare predictions with labels: of a model, or with --folds of a learner that is yet to be trained.

    Examples count by their weights. One whose label the model does not know is an error. Options of learner
    and features belong to --folds; a model brings its own.
    """
    if folds is not None:
        _cross_validate(files, learning, words, reading, folds, json, text)
        return
    from kerneltron.jobs.continuing import check_hashing, check_scale
    from kerneltron.learning.stream_model import StreamModel

    if learning.learner is not None or learning.parameters() or text is not None:
        raise ValueError("a trained model has its parameters: options of the learner belong to --folds.")
    model = StreamModel.load(files[0])
    check_hashing(model, words.settings())
    check_scale(model.learner, words.scale)
    evaluation = evaluated(model, files[1:], reading)
    print_json(evaluation.to_json()) if json else print_evaluation(evaluation)


def _cross_validate(
    files: Sequence[str],
    learning: Learning,
    words: Words,
    reading: Reading,
    folds: int,
    json: bool,
    is_text: bool | None,
) -> None:
    from kerneltron.cli.building import job_for
    from kerneltron.jobs.folds import cross_validated

    job = job_for(files, learning, words, reading, is_text=is_text)
    seed: Any = job.learner.method.random_state
    together, each = cross_validated(job, folds, int(seed))
    if json:
        chosen = dict(job.chosen.settings)
        print_json({**together.to_json(), "folds": [fold.accuracy for fold in each], "chosen": chosen})
        return
    print_facts(
        {"chosen": shown_choice(job.chosen), "folds": ", ".join(percent(fold.accuracy) for fold in each)}
    )
    print_evaluation(together)


def evaluated(model: "StreamModel", inputs: Sequence[str], reading: Reading) -> "Evaluation":
    """Return how well a model does on some input."""
    from kerneltron.cli.building import reader_for
    from kerneltron.jobs.evaluating import Evaluation

    reader = reader_for(model, inputs, reading, labelled=True)
    evaluation = Evaluation(model.learner.has_probabilities)
    evaluation.add(model.learner, reader.windows(), reader.labels)
    evaluation.skipped = reader.skipped.count
    if not evaluation.examples:
        raise ValueError(f"there is no labelled example in {', '.join(map(str, reader.sources))}.")
    print_unknown(evaluation.unknown(model.learner.known), model.learner.known)
    return evaluation


def print_evaluation(evaluation: "Evaluation") -> None:
    """Print the figures, one row per class, and what was taken for what."""
    loss = evaluation.log_loss
    print_facts(
        {
            "examples": f"{evaluation.examples:,}",
            "unlabelled": f"{evaluation.unlabelled:,}" if evaluation.unlabelled else None,
            "skipped": f"{evaluation.skipped:,}" if evaluation.skipped else None,
            "accuracy": percent(evaluation.accuracy),
            "error": percent(evaluation.error),
            "log-loss": f"{loss:.4f}" if loss is not None else None,
        }
    )
    print()
    print_table(
        ("class", "precision", "recall", "examples", "predicted"),
        [
            (
                row.label,
                percent(row.precision),
                percent(row.recall),
                amount(row.examples),
                amount(row.predicted),
            )
            for row in evaluation.by_class()
        ],
    )
    confused = evaluation.confused()
    if confused:
        print()
        print_table(
            ("mistaken", "for", "count"),
            [(label, said, amount(count)) for label, said, count in confused[:MOST_CONFUSED]],
        )
        if len(confused) > MOST_CONFUSED:
            print(f"and {len(confused) - MOST_CONFUSED} more kinds of mistakes: --json lists all.")
