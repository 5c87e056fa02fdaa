"""What models with a budget have beside other models in dual form: the policy, and what it keeps."""

from typing import Any

import numpy as np

from kerneltron.files import maps
from kerneltron.files.contents import Contents, ModelFileError, number
from kerneltron.kernels.kernel import Kernel
from kerneltron.maps.random_fourier import FourierMap
from kerneltron.models.budgeted import Budgeted
from kerneltron.models.budgets import POLICIES, policy
from kerneltron.models.factor import Factor
from kerneltron.models.holdings import Holdings
from kerneltron.models.hypotheses import hypothesis


def state(model: Budgeted, resumable: bool) -> Contents:
    """Return the budget, the policy and, to go on learning, what it keeps of each example."""
    asked = model.policy
    header: dict[str, Any] = {"when_full": asked.name, "seed": asked.seed}
    if model.budget is not None:
        header["budget"] = model.budget
    if asked.eta is not None:
        header["eta"] = number(asked.eta)
    tensors: dict[str, Any] = {}
    if resumable:
        held = model.holdings
        tensors = {"ages": held.ages[model.features :], "spent": held.spent, "moves": held.moves}
        tensors |= {"gram": held.gram} if held.gram.size else {}
        tensors |= {"sketched": held.sketched[model.features :]} if held.sketched.size else {}
        tensors |= {"factor": model.places.factor.lower} if asked.solves else {}
        header |= {"dropped": model.places.dropped} if asked.drops and not model.lacks_sums else {}
    elif model.features:
        tensors = {"sketch_vectors": model.vectors()[: model.features]}
    contents = Contents(header, tensors)
    return contents.with_part("sketch", maps.state(asked.sketch)) if model.features else contents


def begun(contents: Contents, rule: Any, kernel: Kernel, columns: int, options: dict[str, Any]) -> Budgeted:
    """Return a model with this budget, which knows nothing yet."""
    found = policy(contents.text("when_full", tuple(POLICIES)))
    chosen = hypothesis(options["hypothesis"])
    if chosen.keeps_moves or not chosen.follows_weights:
        raise ModelFileError(f"a model with a budget has no hypothesis {chosen.name!r}")
    reason = found.refusal(kernel, type(rule), options["delta"])
    if reason:
        raise ModelFileError(f"the budget does not fit the model: {reason}")
    budget = contents.whole("budget", 1) if "budget" in contents.header else None
    eta = contents.number("eta", 0.0) if "eta" in contents.header else None
    if (eta is not None and found.name != "project") or (budget is None and eta is None):
        raise ModelFileError("a budget has a number of examples, or is by projection")
    sketch = None
    if "sketch" in contents.header:
        sketch = maps.restore(contents.part("sketch"))
        if not isinstance(sketch, FourierMap) or sketch.kernel != kernel:
            raise ModelFileError("the sketch does not approximate the kernel")
    if (sketch is None) != (found.name != "sketch"):
        raise ModelFileError(f"{found.name!r} and a sketch do not go together")
    made = found(contents.whole("seed"), eta, sketch)
    return Budgeted(rule, kernel, columns, policy=made, budget=budget, **options)


def restore(contents: Contents, model: Budgeted, predicts: bool) -> None:
    """Give a model back what its policy keeps; raise unless all sizes fit."""
    count, features, columns = model.count, model.features, model.columns
    if model.budget is not None and count > model.budget:
        raise ModelFileError(f"{count} examples are more than the budget of {model.budget}")
    if features and model.remembered.memory.packs:
        width = model.places.seen(model.remembered.memory.packs[0]).shape[1]
        if width != model.policy.sketch.inputs:
            raise ModelFileError(f"a sketch of {model.policy.sketch.inputs} columns does not fit {width}")
    if predicts:
        if features:
            kept = contents.array("sketch_vectors", np.float64, (features, columns))
            model.predict_by(np.concatenate([kept, model.vectors()]), model.offsets())
        return
    places = features + count
    packs = model.remembered.memory.packs
    squares = np.concatenate([np.zeros(features), *(model.values.diagonal(pack) for pack in packs)])
    squares[features:] += model.bias**2 + model.delta**2
    ages = np.concatenate([np.zeros(features, np.int64), contents.array("ages", np.int64, (count,))])
    gram, sketched = np.zeros((0, 0)), np.zeros((0, features))
    if model.places.keeps_gram and count:
        gram = contents.array("gram", np.float64, (places, places))
    if features and count:
        own = contents.array("sketched", np.float64, (count, features))
        sketched = np.concatenate([np.zeros((features, features)), own])
    if model.policy.solves:
        model.places.factor = Factor(contents.array("factor", np.float64, (count, count)).copy())
    spent, moves = contents.array("spent", np.float64, (columns,)), contents.array("moves", np.int64, (1,))
    arrays = (squares, ages, gram, sketched, spent.copy(), moves.copy())
    if not all(np.isfinite(array).all() for array in arrays) or not 0 <= moves[0] < 2**62:
        raise ModelFileError("what is kept of the examples is not finite")
    model.places.holdings = Holdings(*arrays)
    _restore_dropped(contents, model)


def _restore_dropped(contents: Contents, model: Budgeted) -> None:
    """Tell a model how many examples it has dropped.

    Older files do not say so, and lack the sums of these: they predict as they did until they go on learning.
    """
    if not model.policy.drops:
        return
    if "dropped" in contents.header:
        model.places.dropped = contents.whole("dropped")
        return
    may_have_dropped = model.budget is not None and model.places.holdings.moves[0] > model.budget
    model.places.dropped = int(may_have_dropped)
    model.lacks_sums = may_have_dropped and model.hypothesis.keeps_sums
