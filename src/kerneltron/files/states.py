"""Models of every form as contents of a file, and back."""

from typing import Any

import numpy as np

from kerneltron.files import rules
from kerneltron.files.allowed import Allowed
from kerneltron.files.contents import Contents
from kerneltron.files.packing import packed, unpacked
from kerneltron.models.hypotheses import HYPOTHESES
from kerneltron.models.model import Model

PURPOSES = ("predict", "resume")
WEIGHTED = ("primal", "scaled", "mapped")  # forms with weights for each feature, and the constant one


def state(model: Model, resumable: bool = True) -> Contents:
    """Return what is to be saved of a model.

    Parameters
    ----------
    model
        It is not changed. In the middle of a call, as in a callback of `fit`, the state is that which the
        model would have if the call ended here.
    resumable
        Keep everything, so that going on later equals never having stopped. Otherwise only what predicts is
        kept: the vectors, or the examples that have coefficients.

    Examples
    --------
    >>> from kerneltron.engine.rules.perceptron import PerceptronRule
    >>> from kerneltron.models.primal import Primal
    >>> model = Primal(PerceptronRule(1.0, 0.0), 2, 1, dtype="f8", bias=1.0, hypothesis="last")
    >>> contents = state(model, resumable=False)
    >>> contents.header["form"], contents.tensors["vectors"].shape
    ('primal', (3, 1))
    >>> restore(contents, Allowed(PerceptronRule)).scores([[1.0, 2.0]])
    array([[0.]])
    """
    if resumable:
        model.check_learning()
    if model.is_busy:
        model = model.copy()
        model.finish()
    header = {
        "form": model.form,
        "purpose": "resume" if resumable else "predict",
        "bias": float(model.bias),
        "delta": float(model.delta),
        "examples": int(model.weights.clock.max()),
    }
    contents: Contents = _form(model.form).state(model, resumable)
    contents = contents._replace(header={**contents.header, **header})
    contents = contents.with_part("rule", rules.state(model.rule))
    own, tensors = model.hypothesis.state(resumable)
    contents = contents.with_part("hypothesis", Contents({"kind": model.hypothesis.name, **own}, tensors))
    return packed(contents, contents.header["width"] + 1) if model.form in WEIGHTED else contents


def restore(contents: Contents, allowed: Allowed) -> Model:
    """Return the model, ready to predict, and to go on learning if it was saved for that.

    Raises a `ModelFileError` unless all types and shapes fit together, and it is made of what is `allowed`.
    """
    allowed.check(contents)
    rule = allowed.restored_rule(contents)
    form = contents.text("form")
    if form in WEIGHTED:
        contents = unpacked(contents, contents.whole("width") + 1)
    predicts = contents.text("purpose", PURPOSES) == "predict"
    columns = contents.array("weights.clock", np.int64, (None,)).size
    options: dict[str, Any] = {
        "bias": contents.number("bias"),
        "hypothesis": contents.part("hypothesis").text("kind", tuple(HYPOTHESES)),
        "delta": contents.number("delta", 0.0),
    }
    model: Model = _form(form).restore(contents, rule, columns, predicts, options)
    model.only_predicts = predicts
    return model


def _form(name: str) -> Any:
    """Return the module for a form; that of the dual one, with all kernels, is loaded where it is needed."""
    if name in WEIGHTED:
        from kerneltron.files import primal

        return primal
    from kerneltron.files import dual

    return dual
