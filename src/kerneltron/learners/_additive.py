"""What the additive learners add to the common parameters: the space they learn in."""

import sys
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import _num_samples

from kerneltron._types import Anything, Floats
from kerneltron.kernels import Kernel, Linear, parse
from kerneltron.kernels.precomputed import Precomputed, check_similarities
from kerneltron.learners._base import OnlineClassifier
from kerneltron.learners._classes import columns_for
from kerneltron.learners._input import FLOATS, read_objects
from kerneltron.learners._parameters import check_choice, check_number
from kerneltron.learners._remembering import Remembering
from kerneltron.models.dual import RESERVED, Dual
from kerneltron.models.mapped import Mapped
from kerneltron.models.model import Model
from kerneltron.models.representation import Setting, choose
from kerneltron.theory.delta import Sample, propose_delta

MATRICES = ("vectors", "booleans", "similarities")  # domains whose examples are rows of numbers
STREAM = 100_000  # examples that a stream is taken to have, when the form is chosen
MEGABYTE = 2**20


@dataclass(kw_only=True, eq=False, repr=False)
class AdditiveClassifier(Remembering, OnlineClassifier):
    """A learner that adds multiples of the examples to its vectors, and so needs only inner products.

    Parameters
    ----------
    kernel
        The inner product: "linear", a kernel of `kerneltron.kernels`, or its text such as
        "Polynomial(3) + Gaussian(2)". With "precomputed", X is the Gram matrix (rows of new examples,
        columns of those learned from). `kernel__sigma` and the like set its parameters.
    representation
        "primal" keeps weights, for kernels whose features can be listed; "dual" keeps examples; "auto" takes
        the cheaper one. The choice, the exact number of features and both costs are in `representation_`.
    fit_intercept
        Give every example a constant feature 1, treated like any other: the kernel k + 1.
    init_scale
        Standard deviation of random initial weights; 0 starts at zero. Primal form only.
    delta
        Let an example be a little more similar to itself: delta^2 is added to k(x_i, x_i) for the same
        example (not for an equal one), in training only. Data that cannot be separated become so.
        "auto" approximates sqrt(R D), which gives the best mistake bound: see `kerneltron.theory.delta`.
    budget
        Number of examples that may be remembered. Not there yet: None.
    working_memory
        Megabytes that the dual form may use beyond the data, the remembered examples and their coefficients.
    """

    kernel: Any = "linear"
    representation: str = "auto"
    fit_intercept: bool = True
    init_scale: float = 0.0
    delta: Any = 0.0
    budget: int | None = None
    working_memory: float = 256

    # Rules that move at every example: in dual form they remember all.
    _always_moves: ClassVar[bool] = False

    def _dual(self) -> Dual:
        model = self._fitted()
        if not isinstance(model, Dual):
            raise AttributeError("A learner in primal form has weights: see coef_ and intercept_.")
        return model

    def feature_weight(self, feature: Any) -> Floats:
        """Return the weight of one feature of the kernel's explicit map, a number a class.

        In dual form it is read from the remembered examples, sum_s alpha_s phi_feature(x_s), without ever
        building the map: for a conjunction, the signed count of the mistakes that satisfy it.

        Parameters
        ----------
        feature
            As the map lists them (`kernel.feature_map(d).features()`): a monomial is a tuple of columns
            such as (0, 0, 3), a conjunction a tuple of literals such as ((0, True), (3, False)).
        """
        model = self._fitted()
        phi = self.kernel_.feature_map(getattr(self, "n_features_in_", 0))
        if phi is None:
            raise ValueError(f"The features of {self.kernel_} cannot be listed, so none has a weight.")
        if isinstance(model, Dual):
            return model.weight_of(lambda X: phi.column(X, feature))
        phi.column(np.zeros((1, self.n_features_in_)), feature)  # raises if there is no such feature
        return np.asarray(self._with_weights().vectors()[list(phi.features()).index(feature)])

    # -- the kernel ----------------------------------------------------------------------------------

    def _kernel(self) -> Kernel:
        if not isinstance(self.kernel, str | Kernel):
            raise TypeError(
                f"kernel={self.kernel!r} is no kernel: give 'linear', 'precomputed', a kernel of "
                "kerneltron.kernels, or its text. A function f(x, z) becomes one by kernels.FromFunction(f)."
            )
        return parse(self.kernel)

    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, Precomputed) or (
            isinstance(self.kernel, str) and self.kernel in ("precomputed", "Precomputed()")
        )

    def set_params(self, **params: Any) -> Self:
        """Set parameters; `kernel__sigma=2` gives the learner a changed copy of its kernel."""
        inner = {
            key.removeprefix("kernel__"): params.pop(key) for key in [*params] if key.startswith("kernel__")
        }
        super().set_params(**params)
        if inner:
            self.kernel = self._kernel().replace(**inner)
        return self

    # -- input ---------------------------------------------------------------------------------------

    def _read(self, X: Any, y: Any = None, precision: Any = FLOATS, reset: bool = False) -> tuple[Any, Any]:
        kernel = self._kernel()
        if kernel.domain not in MATRICES:
            return read_objects(X, y)
        X, y = super()._read(X, y, precision, reset)
        if reset and isinstance(kernel, Precomputed):
            check_similarities(X)
        return X, y

    # -- the model -----------------------------------------------------------------------------------

    def _bias(self) -> float:
        return 1.0 if self.fit_intercept else 0.0

    def _initial_scale(self) -> float:
        return self.init_scale

    def _new_model(self, X: Any, y: Any, seed: int, there: Anything | None, streaming: bool = False) -> Model:
        columns = columns_for(len(self.classes_))
        kernel = self._choose_form(X, columns, streaming)
        delta = self._resolve_delta(X, np.searchsorted(self.classes_, y), columns, seed, there)
        if self.representation_.form == "dual":
            return self._new_dual(Dual, kernel, columns, delta, seed)
        if kernel == Linear():
            return self._primal(X.shape[1], X.dtype, seed, delta)
        phi = kernel.feature_map(X.shape[1])
        options = {"bias": self._bias(), "hypothesis": self.hypothesis, "seed": seed}
        return Mapped(
            self._rule(phi.width), phi, columns, dtype=X.dtype, start=self._initial_scale(), **options
        )

    def _choose_form(self, X: Any, columns: int, streaming: bool = False) -> Kernel:
        """Choose between primal and dual form for these rows; return the kernel."""
        kernel = self.kernel_ = self._kernel()
        n, inputs = _num_samples(X), X.shape[1] if kernel.domain in MATRICES else 0
        examples = max(n, STREAM) if streaming else n
        form = self._wanted_form(kernel)
        self.representation_ = choose(kernel, form, Setting(examples, inputs, columns, self._always_moves))
        if self.verbose:
            print(f"{type(self).__name__}: {self.representation_}", file=sys.stderr)
        return kernel

    def _new_dual(self, form: type[Dual], kernel: Kernel, columns: int, delta: float, seed: int) -> Dual:
        if self.init_scale:
            raise ValueError(
                f"init_scale={self.init_scale!r} draws random weights, which the dual form does not have: "
                "use init_scale=0, or representation='primal'."
            )
        return form(
            self._rule(1),
            kernel,
            columns,
            bias=self._bias(),
            hypothesis=self.hypothesis,
            delta=delta,
            working_memory=int(self.working_memory * MEGABYTE),
            seed=seed,
        )

    def _resolve_delta(
        self, X: Any, codes: Anything, columns: int, seed: int, there: Anything | None
    ) -> float:
        self.delta_ = 0.0 if self.delta == "auto" else float(self.delta)
        if self.delta == "auto":
            rows = np.arange(len(codes)) if there is None else there
            sample = Sample(self.kernel_.pack(X)[rows], codes[rows], columns)
            self.delta_ = propose_delta(self.kernel_, sample, self._bias(), seed)
        return self.delta_

    def _wanted_form(self, kernel: Kernel) -> str:
        """Return the representation that was asked for, or the only one that can be."""
        if kernel.domain not in MATRICES and self.representation != "primal":
            return "dual"
        has_room = kernel == Linear() and self.hypothesis != "vote"
        if not self.delta or has_room:
            return self.representation
        if self.representation == "primal":
            raise ValueError(
                "delta gives every example a feature of its own: in primal form only the linear kernel, "
                "without the vote, has room for them. Use representation='dual'."
            )
        return "dual"

    def _adopt_parameters(self) -> None:
        for name, now, before in (
            ("kernel", self._kernel(), self.kernel_),
            ("delta", self.delta_ if self.delta == "auto" else float(self.delta), self.delta_),
        ):
            if now != before:
                raise ValueError(
                    f"{name} cannot change from {before} to {now} between calls of partial_fit: use fit to "
                    "start anew."
                )
        if isinstance(self.model_, Dual):
            # Coefficients cost nothing beside the kernel: an error on the way shall leave them as they were.
            self.model_ = self.model_.copy()
        super()._adopt_parameters()

    def _check_parameters(self) -> None:
        self._kernel()
        check_choice("representation", self.representation, ("auto", "primal", "dual"))
        check_number("init_scale", self.init_scale, least=0)
        if isinstance(self.delta, str) and self.delta != "auto":
            raise ValueError(f"delta={self.delta!r} is not known: give 'auto' or a number of at least 0.")
        if self.delta != "auto":
            check_number("delta", self.delta, least=0)
        if self.budget is not None:
            raise NotImplementedError(
                f"budget={self.budget!r}: budgets are not there yet. Use budget=None, which remembers every "
                "example that moved a vector."
            )
        check_number("working_memory", self.working_memory, least=2 * RESERVED // MEGABYTE)
        super()._check_parameters()

    def _check_streaming(self) -> None:
        super()._check_streaming()
        if self._is_precomputed():
            raise ValueError(
                "kernel='precomputed' knows the similarities of one set of examples, not of a stream: use "
                "fit, or give partial_fit the kernel itself."
            )
        if self.delta == "auto" and "delta_" not in vars(self):
            raise ValueError("delta='auto' looks at all examples: call fit first, or give a number.")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed()
        return tags
