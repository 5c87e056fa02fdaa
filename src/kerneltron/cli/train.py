"""`kerneltron train`: learn from files."""

import os
from time import perf_counter
from typing import Annotated, Any

from typer import Argument, Option

from kerneltron.cli.completion import models
from kerneltron.cli.flags import with_flags
from kerneltron.cli.on_cluster import facts_of_rounds, print_rounds, trained_on_cluster
from kerneltron.cli.options.learning import Learning
from kerneltron.cli.options.parallel import Parallel
from kerneltron.cli.options.reading import Reading
from kerneltron.cli.options.words import AsText, Words
from kerneltron.cli.printing import (
    finite,
    listed,
    percent,
    print_facts,
    print_json,
    print_late,
    print_unmet,
    shown_choice,
    size,
)

EXAMPLES = (
    "kerneltron train mail.vw --learner logistic --bits 18 -o mail.model",
    "kerneltron train may.csv.gz --label kind --ngrams 2 --passes 10 -o may.model --test june.csv.gz",
    "kerneltron train 'day-*.jsonl' --role user=user --cross 'user*text' --names -o personal.model",
    "kerneltron train monday.vw --from mail.model -o mail.model",
    "zcat huge.vw.gz | kerneltron train - --checkpoint-every 1000000 -o huge.model",
    "kerneltron train 'logs/*.vw.gz' --workers 2 --rounds 5 -o logs.model",
)


def train(
    inputs: Annotated[
        list[str],
        Argument(metavar="INPUT...", help="Files, patterns, addresses, or - for standard input."),
    ],
    output: Annotated[
        str, Option("-o", "--output", metavar="MODEL", help="The model file to write.", autocompletion=models)
    ],
    learning: Learning,
    words: Words,
    reading: Reading,
    parallel: Parallel,
    text: AsText = None,
    names: Annotated[bool, Option("--names", help="Keep the names of features, for explain.")] = False,
    classes: Annotated[
        str | None,
        Option(
            help="All labels that will come, as a,b,c: others are errors. Else they are met as they come."
        ),
    ] = None,
    prediction_only: Annotated[
        bool, Option("--prediction-only", help="Write a smaller file that cannot go on learning.")
    ] = False,
    from_model: Annotated[
        str | None, Option("--from", metavar="MODEL", help="Go on learning from.", autocompletion=models)
    ] = None,
    checkpoint_every: Annotated[
        int | None,
        Option(
            min=1,
            metavar="N",
            help="Write MODEL.checkpoint every N examples (with remembered examples, every 131,072).",
        ),
    ] = None,
    checkpoint: Annotated[
        bool, Option("--checkpoint", help="Write MODEL.checkpoint after each pass, or round of a cluster.")
    ] = False,
    resume: Annotated[
        bool, Option("--resume", help="Go on from MODEL.checkpoint, if there is one, with the same command.")
    ] = False,
    cache: Annotated[
        str | None, Option(metavar="FOLDER", help="Where later passes keep the parsed examples.")
    ] = None,
    test: Annotated[
        list[str] | None, Option(metavar="INPUT", help="Evaluate on this afterwards. Repeatable.")
    ] = None,
    json: Annotated[bool, Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Show no live line.")] = False,
) -> None:
    """Learn from files, and write a model.

    Examples are learned from one at a time, so memory stays flat whatever the size of the input. The error
    and loss that are printed are progressive: each example is predicted before it is learned from, by the
    vector of that moment; with --hypothesis auto, the error in the first pass of what was to predict stands
    beside it. What is held out for --early-stopping is predicted as `predict` does.

    Where the first examples are texts, or numbers, options that are not given are taken as they suit these:
    what was chosen is printed, and kept in the model.
    """
    from kerneltron.cli.building import job_for
    from kerneltron.cli.evaluate import evaluated, print_evaluation
    from kerneltron.files.target import check_apart, check_target
    from kerneltron.stream.sources import expand
    from kerneltron.training.checkpoints import Checkpoints

    began = perf_counter()
    check_target(output)
    check_apart(output, expand([*inputs, *(test or ())]))
    parallel.check(expand(inputs), learning.parameters().get("passes"), checkpoint_every)
    if parallel.rounds is not None:
        setattr(learning, "passes", parallel.rounds)  # noqa: B010, one of the parameters of methods
    before = Checkpoints.options_at(output) if resume else None
    job = job_for(inputs, learning, words, reading, from_model, text, before)
    job.keep_names |= names
    job.classes = [label.strip() for label in classes.split(",")] if classes else ()
    job.folder = cache
    checkpoints = Checkpoints(output, checkpoint_every, job.options(), each_pass=checkpoint)
    try:
        training = (
            trained_on_cluster(job, parallel, checkpoints, resume, quiet)
            if parallel.is_asked
            else _trained(job, checkpoints, resume, quiet)
        )
        model = job.model(training)
        print_unmet(job.learner.method, model.learner.known)
        print_late(training.findings.late)
        model.save(output, resumable=not prediction_only)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{output} is as it was. {checkpoints.advice()}") from None
    checkpoints.end()
    result = _result(training, model, output, not prediction_only, perf_counter() - began)
    result["chosen"] = dict(job.chosen.settings)
    evaluation = evaluated(model, test, reading) if test else None
    if json:
        print_json({**result, "test": evaluation.to_json()} if evaluation else result)
        return
    _print(result, shown_choice(job.chosen))
    if evaluation:
        print("\ntest")
        print_evaluation(evaluation)


def _trained(job: Any, checkpoints: Any, resume: bool, quiet: bool) -> Any:
    """Return a training on this machine, when it has ended."""
    from kerneltron.cli.live import live

    training = job.training()
    checkpoints.begin(training, resume)
    with live(training.reader.total(), quiet) as show:

        def when_savable(training: Any) -> None:
            checkpoints.write_when_due(training)
            show(training)

        training.run(when_savable)
    return training


def _result(training: Any, model: Any, output: str, resumable: bool, seconds: float) -> dict[str, Any]:
    progress, skipped = training.progress, training.skipped
    return {
        "examples": progress.examples,
        "unlabelled": training.findings.unlabelled,
        "skipped": skipped.count,
        "first_skipped": with_flags(str(skipped.first[0])) if skipped.first else None,
        "classes": model.learner.known,
        "passes": training.number,
        "best_pass": training.best.number or None,
        "validation_scores": training.best.scores,
        "first_pass_error": finite(training.first_pass.error_rate),
        "predicting_error": finite(model.learner.model.hypothesis.progressive_error),
        "progressive_error": finite(progress.error_rate),
        "progressive_loss": finite(progress.mean_loss) if model.learner.scores_are_log_odds else None,
        "seconds": round(seconds, 3),
        "model": output,
        "bytes": os.path.getsize(output),
        "resumable": resumable,
        **(facts_of_rounds(training) if hasattr(training, "rounds") else {}),
    }


def _print(result: dict[str, Any], choice: str | None) -> None:
    best, loss, skipped = result["best_pass"], result["progressive_loss"], result["skipped"]
    purpose = "resumable" if result["resumable"] else "prediction only"
    if "rounds" in result:
        print_rounds(result["rounds"])
    print_facts(
        {
            "examples": f"{result['examples']:,}",
            "unlabelled": f"{result['unlabelled']:,}" if result["unlabelled"] else None,
            "skipped": f"{skipped:,} (the first: {result['first_skipped']})" if skipped else None,
            "classes": f"{len(result['classes'])}: {listed(result['classes'])}",
            "chosen": choice,
            "passes": result["passes"] if "rounds" not in result else None,
            "rounds": f"{result['passes']} on {result['shards']} shards" if "rounds" in result else None,
            "best pass": f"{best}, {percent(max(result['validation_scores']))} of those held out right"
            if best
            else None,
            "progressive error": _errors(result),
            "progressive loss": f"{loss:.4f}" if loss is not None else None,
            "seconds": f"{result['seconds']:.1f}",
            "model": f"{result['model']} ({size(result['bytes'])}, {purpose})",
        }
    )


def _errors(result: dict[str, Any]) -> str:
    """Return the progressive error, and that of the first pass, where examples were seen again after it.

    These are errors of the vectors as they were; of those that were to predict, if others, it is known too.
    """
    overall, first = percent(result["progressive_error"]), result["first_pass_error"]
    other = result["predicting_error"]
    predicting = "" if other is None else f" ({percent(other)} by what predicts)"
    if result["passes"] == 1 or first is None or "rounds" in result:
        return overall + predicting
    return f"{percent(first)} in the first pass{predicting}, {overall} in all"
