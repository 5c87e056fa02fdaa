"""What can be mixed: learners whose vectors lie in one space that all shards share."""

from kerneltron.learning import space as spaces
from kerneltron.learning.learner import Learner
from kerneltron.learning.scaler_choice import scales_in_front, scales_inside
from kerneltron.learning.space import STREAM, Data
from kerneltron.models.hypotheses import hypothesis


def check_mixable(learner: Learner, shards: int) -> None:
    """Raise a ValueError unless what several shards learn can be mixed; a single one has nothing to mix."""
    if shards == 1:
        return
    method = learner.method
    chosen = hypothesis(method.hypothesis)
    if chosen.keeps_moves or not chosen.follows_weights:
        raise ValueError(
            f"hypothesis={method.hypothesis!r} is about the vectors that one learner passed through, and "
            "shards pass through different ones: use `hypothesis='average'` or `hypothesis='last'`."
        )
    if getattr(method, "delta", 0.0):
        raise ValueError(
            "delta gives every example a feature of its own, which no other shard has: use `delta=0`."
        )
    if method.tolerance:
        raise ValueError(
            f"{method.name()} looks for an optimum over all examples, which no shard has: use a learner that "
            "goes from example to example, such as Pegasos, which has the same objective."
        )
    if _form(learner) not in ("primal", "scaled", "mapped"):
        raise ValueError(
            f"kernel={learner.kernel} in dual form: shards remember different examples, so their learners "
            "have no vectors in a common space that could be mixed. Use features that approximate the "
            "kernel, `representation='RandomFourier(2000)'` for kernels of differences such as Gaussian, or "
            "`representation='Nystrom(500)'` for any kernel: both are drawn once, and shared by all shards."
        )


def scales_columns(learner: Learner) -> bool:
    """Return whether the model of a learner, that it has or will have, brings columns to one scale."""
    method, form = learner.method, _form(learner)
    return form == "scaled" or (form == "primal" and scales_inside(method))


def is_behind_scaler(learner: Learner) -> bool:
    """Return whether rows are scaled before the model of a learner gets them."""
    return learner.scaler is not None or scales_in_front(learner.method)


def _form(learner: Learner) -> str:
    method = learner.method
    if learner.has_model:
        return learner.model.form
    if method.looks_at_examples:
        # A map was asked for, or a width: kernels with one have infinitely many features.
        return "dual" if getattr(method, "approximation", None) is None else "mapped"
    data = Data(STREAM, learner.inputs or 0)
    return spaces.choose_form(method, data, learner.columns, 0).form
