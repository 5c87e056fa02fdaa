"""All figures of one set: our defaults, our best, peers, passes; and the verdicts that follow."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from benchmarks.defaults import ours, sets
from benchmarks.defaults.evaluating import Make, Outcome, outcome_of
from benchmarks.defaults.judging import Wrong, are_passes_harmless, is_close, is_no_worse
from benchmarks.defaults.peers import SUPPORT_VECTORS, peers
from benchmarks.defaults.sets import DataSet

WARM_ROWS = 100

Figures = dict[str, Any]


class Best(NamedTuple):
    """The best of a grid, chosen for each split on its own training rows; and what was chosen."""

    outcome: Outcome
    chosen: list[str]


def measure(data: DataSet) -> Figures:
    """Return the figures of a set, fit to be saved as JSON."""
    learners = ours.defaults(data)
    warm(learners.values(), data)
    mine = {name: attempt(make, data) for name, make in learners.items()}
    grid = ours.grid(data)
    best, best_linear = best_of(grid, data)
    known = peers(data)
    others = {peer.name: outcome_of(peer.make, data) for peer in known if peer.make is not None}
    after = {
        passes: outcome_of(make, data) for passes in ours.PASSES if (make := ours.with_passes(data, passes))
    }
    linear, machine = (
        mine.get(names.get(data.kind, "")) for names in (ours.RECOMMENDED_LINEAR, ours.MACHINES)
    )
    recommended = mine[ours.RECOMMENDED[data.kind]]
    assert isinstance(recommended, Outcome)
    return {
        "set": data.name,
        "kind": data.kind,
        "rows": len(data.splits[0].y),
        "test_rows": len(data.splits[0].y_test),
        "splits": len(data.splits),
        "classes": len(data.classes),
        "recommended": ours.RECOMMENDED[data.kind],
        "linear": ours.RECOMMENDED_LINEAR.get(data.kind),
        "ours": {name: plain(outcome) for name, outcome in mine.items()},
        "grid": [candidate.name for candidate in grid],
        "best": {**plain(best.outcome), "chosen": best.chosen},
        "best_linear": best_linear and {**plain(best_linear.outcome), "chosen": best_linear.chosen},
        "peers": {
            peer.name: {"linear": peer.is_linear, **plain(others.get(peer.name, peer.reason))}
            for peer in known
        },
        "passes": {str(passes): plain(outcome) for passes, outcome in after.items()},
        "verdicts": {
            "close": is_close(recommended.wrong, best.outcome.wrong),
            "linear_close": _judged(is_close, linear, best_linear and best_linear.outcome),
            "no_worse": {
                peer.name: _judged(is_no_worse, linear, others[peer.name])
                for peer in known
                if peer.is_linear and peer.name in others
            },
            "no_worse_than_svc": _judged(is_no_worse, machine, others.get(SUPPORT_VECTORS)),
            "passes_harmless": _harmless(list(after.values())),
        },
    }


def best_of(grid: Sequence[ours.Candidate], data: DataSet) -> tuple[Best, Best | None]:
    """Return the best of all candidates, and of the linear ones if there are some."""
    everything, linear = list[tuple[str, Outcome]](), list[tuple[str, Outcome]]()
    for split in data.splits:
        one = data._replace(splits=(split,))
        here = sets.held_out(one)
        errors = [outcome_of(candidate.make, here).error for candidate in grid]
        tested: dict[int, Outcome] = {}
        for found, places in (
            (everything, range(len(grid))),
            (linear, [place for place, candidate in enumerate(grid) if candidate.is_linear]),
        ):
            if places:
                place = min(places, key=errors.__getitem__)
                if place not in tested:
                    tested[place] = outcome_of(grid[place].make, one)
                found.append((grid[place].name, tested[place]))
    return _united(everything), _united(linear) if linear else None


def _united(found: Sequence[tuple[str, Outcome]]) -> Best:
    names, outcomes = zip(*found, strict=True)
    first = outcomes[0].wrong
    wrong = Wrong([outcome.wrong.by_split[0] for outcome in outcomes], first.training_rows)
    seconds = sum(outcome.seconds for outcome in outcomes)
    return Best(Outcome(wrong, None, None, seconds), list(names))


def attempt(make: Make, data: DataSet) -> Outcome | str:
    """Return the outcome, or why a learner refuses the set: some take no negative numbers."""
    try:
        return outcome_of(make, data)
    except ValueError as error:
        return str(error)


def warm(learners: Any, data: DataSet) -> None:
    """Learn from few rows, so that no time is that of compiling or loading."""
    split = sets.cut(data.splits[0], WARM_ROWS, WARM_ROWS)
    for make in learners:
        attempt(make, data._replace(splits=(split,)))


def plain(outcome: Outcome | str) -> Figures:
    """Return the figures of an outcome."""
    if isinstance(outcome, str):
        return {"without": outcome}
    return {
        "error": outcome.error,
        "standard_error": outcome.standard_error,
        "log_loss": outcome.log_loss,
        "calibration": outcome.calibration,
        "seconds": outcome.seconds / len(outcome.wrong.by_split),
    }


def _judged(judge: Callable[[Wrong, Wrong], bool], mine: Any, other: Outcome | None) -> bool | None:
    if not isinstance(mine, Outcome) or other is None:
        return None
    return judge(mine.wrong, other.wrong)


def _harmless(outcomes: Sequence[Outcome]) -> bool | None:
    if not outcomes:
        return None
    return are_passes_harmless(
        [outcome.wrong for outcome in outcomes], [outcome.log_loss for outcome in outcomes]
    )
