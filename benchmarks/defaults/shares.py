"""What the whole table says: on which share of the sets the defaults are good enough."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from benchmarks.defaults.judging import share

GOAL = 0.8
LIKELY = 1.1  # times the log-loss of the best peer, at most

Figures = dict[str, Any]


class Share(NamedTuple):
    """A question, the share of the sets where the answer is yes, and the sets where it is no."""

    question: str
    share: float | None
    judged: int
    failing: list[str]
    goal: float | None = GOAL  # the share that is asked for


def shares(figures: Sequence[Figures]) -> list[Share]:
    """Return all questions with their answers."""
    peers = list(dict.fromkeys(name for each in figures for name in each["verdicts"]["no_worse"]))
    return [
        _over(figures, "the recommended default is within 10 % or two standard errors of our best", "close"),
        _over(figures, "the linear default is as close to our best linear one", "linear_close"),
        *(
            _of(
                f"the linear default is no worse than {peer}",
                [(each["set"], each["verdicts"]["no_worse"].get(peer)) for each in figures],
            )
            for peer in peers
        ),
        _of(
            "the linear default is no worse than any of these",
            [(each["set"], _all(each["verdicts"]["no_worse"].values())) for each in figures],
        )._replace(goal=None),
        _over(figures, "the kernel machine is no worse than SVC", "no_worse_than_svc"),
        _of(
            "the log-loss of the recommended default is within 10 % of the best peer's",
            [(each["set"], _is_likely(each)) for each in figures],
        ),
        _over(
            figures, "up to 20 passes are never worse than one by more than 2 %", "passes_harmless"
        )._replace(goal=1.0),
    ]


def _over(figures: Sequence[Figures], question: str, verdict: str) -> Share:
    return _of(question, [(each["set"], each["verdicts"][verdict]) for each in figures])


def _of(question: str, answers: Sequence[tuple[str, bool | None]]) -> Share:
    judged = [answer for _, answer in answers if answer is not None]
    return Share(question, share(judged), len(judged), [name for name, answer in answers if answer is False])


def _is_likely(each: Figures) -> bool | None:
    """Return whether probabilities are as good as those of peers; None where one side has none.

    Nor is it known of figures that were kept, which have no peers.
    """
    if "peers" not in each:
        return None
    mine = each["ours"][each["recommended"]].get("log_loss")
    theirs = [found.get("log_loss") for found in each["peers"].values()]
    known = [loss for loss in theirs if loss is not None]
    return bool(mine <= LIKELY * min(known)) if mine is not None and known else None


def _all(answers: Iterable[bool | None]) -> bool | None:
    known = [answer for answer in answers if answer is not None]
    return all(known) if known else None
