"""Trainings on shards beside serial ones, and what they come to: see `experiments.mixing`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

import numpy as np

from kerneltron.cluster.mixing import MIXES, SQUARES
from kerneltron.cluster.planning import shards_of
from kerneltron.cluster.stream_training import training_for
from kerneltron.cluster.training import ClusterTraining, MixOptions
from kerneltron.experiments.mixing_data import Problem
from kerneltron.jobs.evaluating import Evaluation
from kerneltron.jobs.job import Job
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import on_stream
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.training.combining import combine

MORE = 2  # rounds that shards may take beyond those of serial training
POINTS = 0.003  # of error that they may lose
LOSS = 1.01  # times the best loss of serial training is as good as it
COMPARED = 8  # shards
TUNED = "tuned"  # uniform, with the setting that was chosen for shards
TIMES = {0.0: "", 0.5: ", rate x sqrt(S)", 1.0: ", rate x S"}  # by the power of the number of shards


class Setting(NamedTuple):
    """A learner and its parameters."""

    learner: str
    parameters: Mapping[str, Any]

    def with_rate(self, factor: float) -> "Setting":
        """Return the same with a rate that is multiplied."""
        rate = factor * self.parameters["learning_rate"]
        return self._replace(parameters={**self.parameters, "learning_rate": rate})

    def __str__(self) -> str:
        """Return what was chosen, which is the first parameter."""
        name, value = next(iter(self.parameters.items()), ("", ""))
        return f"{name.removeprefix('learning_')} {value}"


class Stage(NamedTuple):
    """How a learner does after a round, on the validation or the test examples."""

    error: float
    loss: float  # the logarithmic one; infinite where there are no probabilities


class Verdict(NamedTuple):
    """What came out for one learner on one problem."""

    learner: str
    setting: Setting
    serial: float  # test error
    mixed: dict[str, list[float]]  # test error by round, for each of some ways
    tuned: Setting | None = None  # what was chosen for shards, not for serial training

    def reached(self, way: str) -> int | None:
        """Return the round in which the serial error is reached."""
        return reached(self.mixed[way], self.serial + POINTS)


class Contrast(NamedTuple):
    """Added and averaged: a measure on the validation examples by round, for each way and count of shards."""

    problem: str
    setting: Setting
    goal: float  # what serial training comes to, or a little worse
    curves: dict[str, dict[int, list[float]]]


Settings = Sequence[Setting]


def _grid(learner: str, name: str, values: Iterable[float], **more: Any) -> list[Setting]:
    return [Setting(learner, {name: value, **more}) for value in values]


# So wide that the best lies inside: serial training is not to look worse than it is.
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
ADAPTIVE = _grid("logistic", "learning_rate", RATES)
AROW = _grid("arow", "r", (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0))
LEARNERS: dict[str, Settings] = {
    "perceptron, average": [Setting("perceptron", {})],
    "perceptron, last": [Setting("perceptron", {"hypothesis": "last"})],
    "passive-aggressive": _grid("passive-aggressive", "C", (0.001, 0.01, 0.1, 1.0, 10.0)),
    "logistic, adaptive": ADAPTIVE,
    "logistic, inverse": _grid(
        "logistic", "learning_rate", (0.01, 0.1, 1.0, 10.0, 100.0), schedule="inverse", l2=1e-5
    ),
    "arow": AROW,
    "pegasos": _grid("pegasos", "l2", (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)),
    "mira": _grid("mira", "C", (0.001, 0.01, 0.1, 1.0, 10.0)),
    "romma": [Setting("romma", {"aggressive": aggressive}) for aggressive in (False, True)],
    "winnow": [
        Setting("winnow", {"promotion": up, "demotion": 1 / up, "threshold": 1.0, "balanced": True})
        for up in (1.1, 1.5, 4.0)
    ],
}

KEEPING = ("logistic, adaptive", "arow")  # sums of squares, or precisions


def job_for(problem: Problem, setting: Setting, rounds: int) -> Job:
    """Return the training of a setting on a problem."""
    method = on_stream(setting.learner, {**setting.parameters, "passes": rounds})
    hashing = problem.hashing(signed=not method.non_negative_only)
    return Job(Learner(method, hashing.slots), hashing, Vowpal(), [problem.training], problem.classes())


def judged(problem: Problem, learner: Learner, part: str) -> Stage:
    """Return how a learner does on the "validation" or the "test" examples."""
    held_out = problem.held_out(part, signed=not learner.method.non_negative_only)
    found = Evaluation(learner.scores_are_log_odds)
    found.add(learner, iter(held_out.windows), held_out.labels)
    assert found.error is not None
    return Stage(found.error, inf if found.log_loss is None else found.log_loss)


class Course(NamedTuple):
    """How to learn on shards, and what to be judged on."""

    rounds: int
    shards: int
    part: str
    way: MixOptions = MixOptions()


def follow(problem: Problem, setting: Setting, course: Course, client: Any) -> list[Stage]:
    """Learn on shards, which are mixed after each round; a single one is serial training."""
    job = job_for(problem, setting, course.rounds)
    training = training_for(job, client, course.way, count=course.shards)
    stages: list[Stage] = []

    def note(training: ClusterTraining) -> None:
        if len(training.rounds) > len(stages):
            stages.append(judged(problem, training.learner, course.part))

    training.run(note)
    return stages


def averaged_once(problem: Problem, setting: Setting, course: Course) -> list[Stage]:
    """Let each shard learn on its own; return what their average would be after each round."""
    job = job_for(problem, setting, course.rounds)
    alone = [
        replace(job_for(problem, setting, course.rounds), sources=shard.origins, threads=1).training()
        for shard in shards_of([problem.training], job.format, course.shards, 1).shards
    ]
    stages, shares = [], np.full(course.shards, 1 / course.shards)
    for _ in range(course.rounds):
        for training in alone:
            training.make_pass()
        mixed = combine([training.learner for training in alone], shares)
        stages.append(judged(problem, mixed, course.part))
    return stages


def reached(values: Sequence[float], goal: float) -> int | None:
    """Return the first round from which on all values are at most the goal; None if there is none.

    Examples
    --------
    >>> reached([0.3, 0.1, 0.2, 0.1, 0.1], 0.15)
    4
    """
    above = [number for number, value in enumerate(values, 1) if value > goal]
    first = 1 + (above[-1] if above else 0)
    return first if first <= len(values) else None


def best_by_error(problem: Problem, settings: Settings, rounds: int) -> Setting:
    """Return the setting with the least validation error after serial training; no test example is seen."""

    def error(setting: Setting) -> float:
        training = job_for(problem, setting, rounds).training()
        training.run()
        return judged(problem, training.learner, "validation").error

    return settings[0] if len(settings) == 1 else min(settings, key=error)


def best_on_shards(problem: Problem, settings: Settings, rounds: int, client: Any) -> Setting:
    """Return the setting with the least validation error on shards, whose mix needs longer steps."""

    def error(setting: Setting) -> float:
        return follow(problem, setting, Course(rounds, COMPARED, "validation"), client)[-1].error

    return settings[0] if len(settings) == 1 else min(settings, key=error)


def curves_of_rounds(
    problem: Problem, counts: Sequence[int], rounds: int, client: Any
) -> dict[str, dict[int, list[float]]]:
    """Return test errors by round of the averaged perceptron, for each number of shards, mixed and not."""
    setting = LEARNERS["perceptron, average"][0]
    courses = [Course(rounds, count, "test") for count in counts]
    mixed = {each.shards: follow(problem, setting, each, client) for each in courses}
    once = {each.shards: averaged_once(problem, setting, each) for each in courses if each.shards > 1}
    return {
        name: {count: [stage.error for stage in stages] for count, stages in found.items()}
        for name, found in (("mixed", mixed), ("averaged once", once))
    }


def ways_for(problem: Problem, name: str) -> dict[str, MixOptions]:
    """Return the ways to mix a learner; "added" is about what it keeps for each weight, if it does."""
    ways = {mix: MixOptions(mix) for mix in MIXES}
    if len(problem.classes()) > 2:
        del ways["examples"]  # shards are of one size, so it is about the same, and here takes long
    return ways | ({"added": MixOptions(squares="added")} if name in KEEPING else {})


def verdict(problem: Problem, name: str, rounds: int, client: Any) -> Verdict:
    """Compare shards with serial training, for one learner."""
    setting = best_by_error(problem, LEARNERS[name], rounds)
    tuned = best_on_shards(problem, LEARNERS[name], rounds + MORE, client)
    serial = follow(problem, setting, Course(rounds, 1, "test"), client)[-1].error
    ways = ways_for(problem, name)
    tried = [(TUNED, MixOptions(), tuned), *((label, way, setting) for label, way in ways.items())]
    mixed = {}
    for label, way, chosen in tried:
        stages = follow(problem, chosen, Course(rounds + MORE, COMPARED, "test", way), client)
        mixed[label] = [stage.error for stage in stages]
    return Verdict(name, setting, serial, mixed, tuned)


def compare_squares(problem: Problem, counts: Sequence[int], rounds: int, client: Any) -> Contrast:
    """Compare sums of squares that are added and averaged, with rates that grow with the shards or do not.

    What predicts is the mix of the last round, not the average over all, which would hide for long what
    the first rounds did.
    """
    found = []
    for each in ADAPTIVE:
        setting = each._replace(parameters={**each.parameters, "hypothesis": "last"})
        stages = follow(problem, setting, Course(rounds, 1, "validation"), client)
        found.append((setting, [stage.loss for stage in stages]))
    setting, losses = min(found, key=lambda one: min(one[1]))
    curves: dict[str, dict[int, list[float]]] = {}
    for squares in SQUARES:
        for power, times in TIMES.items():
            curves[squares + times] = {1: losses}
            for count in (count for count in counts if count > 1):
                course = Course(rounds, count, "validation", MixOptions(squares=squares))
                stages = follow(problem, setting.with_rate(count**power), course, client)
                curves[squares + times][count] = [stage.loss for stage in stages]
    return Contrast(problem.name, setting, LOSS * min(losses), curves)


def compare_precisions(problem: Problem, counts: Sequence[int], rounds: int, client: Any) -> Contrast:
    """Compare precisions of AROW that are added and averaged."""
    setting = best_by_error(problem, AROW, rounds)
    curves: dict[str, dict[int, list[float]]] = {}
    for squares in SQUARES:
        curves[squares] = {}
        for count in counts:
            course = Course(rounds, count, "validation", MixOptions(squares=squares))
            stages = follow(problem, setting, course, client)
            curves[squares][count] = [stage.error for stage in stages]
    return Contrast(problem.name, setting, min(curves["added"][1]) + POINTS, curves)
