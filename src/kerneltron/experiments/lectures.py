"""The pictures of the lectures, all at once, with the numbers that they rest on.

Nothing is read from other files than those that ship with scikit-learn: all other examples are generated.
"""

from rich.table import Table

from kerneltron.experiments import lessons_of_kernels as kernels
from kerneltron.experiments import lessons_of_models as models
from kerneltron.experiments import lessons_of_runs as runs
from kerneltron.experiments.experiment import Asked, Outcome
from kerneltron.experiments.lesson import Lesson

LESSONS = {
    "separators": runs.separators,
    "cases": runs.cases,
    "run": runs.run,
    "entering": runs.entering,
    "bounds": runs.bounds,
    "boundary": kernels.boundary,
    "gram": kernels.gram,
    "widths": kernels.widths,
    "expansion": kernels.expansion,
    "lifted": kernels.lifted,
    "noise": kernels.noise,
    "learning-curves": models.learning_curves,
    "weights": models.weights,
    "images": models.images,
}
PARTS = tuple(LESSONS)


def reproduce(asked: Asked) -> Outcome:
    """Compute and draw every lesson, or the parts that are asked for."""
    lessons = {name: LESSONS[name](asked) for name in asked.show(asked.chosen(PARTS), "Lessons")}
    return Outcome(
        comparisons=[each for lesson in lessons.values() for each in lesson.comparisons],
        tables=[table(lessons)],
        pictures={name: lesson.picture for name, lesson in lessons.items()},
        captions={name: lesson.says for name, lesson in lessons.items()},
        figures={name: lesson.figures for name, lesson in lessons.items()},
        notes=[
            "The ten points and the ellipse are constructed, as their coordinates were not published: that "
            "two and three of them enter is what the lecture says, and checks the construction.",
            "A run can be watched: `kerneltron.plots.RunDisplay.from_estimator(...).save('run.html')`, or "
            "'run.gif'.",
        ],
    )


def table(lessons: dict[str, Lesson]) -> Table:
    """Lay out what each picture says."""
    out = Table(title="Pictures of the lectures", title_justify="left")
    out.add_column("picture", no_wrap=True)
    out.add_column("what it says")
    for name, lesson in lessons.items():
        out.add_row(name, lesson.says)
    return out
