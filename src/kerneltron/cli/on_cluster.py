"""Training on a cluster, as `kerneltron train` does it and tells of it."""

from typing import TYPE_CHECKING, Any

from kerneltron.cli.options.parallel import Parallel
from kerneltron.cli.printing import finite, percent, print_table, size

if TYPE_CHECKING:
    from kerneltron.cluster.training import ClusterTraining
    from kerneltron.jobs.job import Job
    from kerneltron.training.checkpoints import Checkpoints


def trained_on_cluster(
    job: "Job", parallel: Parallel, checkpoints: "Checkpoints", resume: bool, quiet: bool
) -> "ClusterTraining":
    """Return a training on a cluster, when it has ended."""
    from kerneltron.cli.live import live_rounds
    from kerneltron.cluster.connecting import workers_of
    from kerneltron.cluster.stream_training import training_for

    with parallel.client() as client:
        count = parallel.shards
        if count is None and resume and checkpoints.is_there:  # whatever workers there are now
            count = len(checkpoints.options_before().get("shards", [])) or None
        training = training_for(job, client, parallel.mix_options(), count, otherwise=workers_of(client))
        checkpoints.options |= training.options()
        checkpoints.begin(training, resume)
        with live_rounds(quiet) as show:

            def when_savable(training: "ClusterTraining") -> None:
                checkpoints.write_when_due(training)
                show(training)

            training.run(when_savable)
    return training


def facts_of_rounds(training: "ClusterTraining") -> dict[str, Any]:
    """Return what the rounds of a training did, as plain values."""
    has_loss = training.learner.scores_are_log_odds
    return {
        "shards": len(training.shards),
        "rounds": [
            {
                "round": each.number,
                "progressive_error": finite(each.progress.error_rate),
                "progressive_loss": finite(each.progress.mean_loss) if has_loss else None,
                "mistakes": each.mistakes,
                "validation_score": each.validation_score,
                "seconds": round(each.seconds, 3),
                "mixing_seconds": round(each.mixing_seconds, 3),
                "bytes_sent": each.sent,
            }
            for each in training.rounds
        ],
    }


def print_rounds(rounds: list[dict[str, Any]]) -> None:
    """Print what each round did."""
    validated = any(each["validation_score"] is not None for each in rounds)
    head = ["round", "error", "mistakes", "held out right", "seconds", "mixing", "sent"]
    rows = [
        [
            str(each["round"]),
            percent(each["progressive_error"]),
            f"{each['mistakes']:,}",
            percent(each["validation_score"]),
            f"{each['seconds']:.2f}",
            f"{each['mixing_seconds']:.2f}",
            size(each["bytes_sent"]),
        ]
        for each in rounds
    ]
    shown = [n for n, name in enumerate(head) if validated or name != "held out right"]
    print_table([head[n] for n in shown], [[row[n] for n in shown] for row in rows])
    print()
