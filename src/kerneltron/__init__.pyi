# Written by `python -m tools.stubs` from the catalogue of methods: change that, not this.

from collections.abc import Callable
from typing import Any

from numpy.random import RandomState

from . import datasets as datasets
from . import features as features
from . import kernels as kernels
from . import maps as maps
from . import plots as plots
from . import theory as theory
from ._version import __version__ as __version__
from .estimators.classifier import Classifier
from .estimators.many_tasks import ManyTasks as ManyTasks
from .estimators.saving import load as load
from .estimators.saving import save as save
from .features.hasher import Hasher as Hasher
from .kernels.kernel import Kernel
from .learning.pass_report import PassReport
from .maps.approximation import Approximation, StandsForMap

__all__ = [
    "Alma",
    "Arow",
    "Hasher",
    "LogisticRegression",
    "ManyTasks",
    "Mira",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "Romma",
    "SVM",
    "Winnow",
    "datasets",
    "features",
    "kernels",
    "load",
    "maps",
    "plots",
    "save",
    "theory",
]

class Alma(Classifier):
    """Approximate the largest margin: a perceptron that asks for a margin, and stays in the unit ball."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    init_scale: float
    delta: float | str
    budget: int | None
    when_full: str
    eta: float | None
    sketch: str | Approximation | StandsForMap | None
    scale: bool | str
    alpha: float
    class_weight: dict[Any, float] | str | None

    def __init__(
        self,
        *,
        passes: float = 1,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "average",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        init_scale: float = 0.0,
        delta: float | str = 0.0,
        budget: int | None = None,
        when_full: str = "project",
        eta: float | None = None,
        sketch: str | Approximation | StandsForMap | None = None,
        scale: bool | str = False,
        alpha: float = 0.9,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None: ...

class Arow(Classifier):
    """Keep a variance for each weight, and move uncertain weights further: adaptive regularisation."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    init_scale: float
    delta: float | str
    budget: int | None
    when_full: str
    eta: float | None
    sketch: str | Approximation | StandsForMap | None
    scale: bool | str
    r: float
    class_weight: dict[Any, float] | str | None

    def __init__(
        self,
        *,
        passes: float = 10,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "auto",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        init_scale: float = 0.0,
        delta: float | str = 0.0,
        budget: int | None = None,
        when_full: str = "project",
        eta: float | None = None,
        sketch: str | Approximation | StandsForMap | None = None,
        scale: bool | str = "auto",
        r: float = 1.0,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None: ...

class LogisticRegression(Classifier):
    """Follow the gradient of log(1 + exp(-y <w, x>)) + (l2 / 2) ||w||^2, one example at a time."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    init_scale: float
    delta: float | str
    budget: int | None
    when_full: str
    eta: float | None
    sketch: str | Approximation | StandsForMap | None
    scale: bool | str
    learning_rate: float
    schedule: str
    l2: float
    class_weight: dict[Any, float] | str | None

    def __init__(
        self,
        *,
        passes: float = 10,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "auto",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        init_scale: float = 0.0,
        delta: float | str = 0.0,
        budget: int | None = None,
        when_full: str = "project",
        eta: float | None = None,
        sketch: str | Approximation | StandsForMap | None = None,
        scale: bool | str = "auto",
        learning_rate: float = 1.0,
        schedule: str = "auto",
        l2: float = 0.0001,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None: ...

class Mira(Classifier):
    """Move all classes together, as little as possible, until the right one wins by a margin of 1."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    init_scale: float
    delta: float | str
    budget: int | None
    when_full: str
    eta: float | None
    sketch: str | Approximation | StandsForMap | None
    scale: bool | str
    C: float
    class_weight: dict[Any, float] | str | None

    def __init__(
        self,
        *,
        passes: float = 10,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "auto",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        init_scale: float = 0.0,
        delta: float | str = 0.0,
        budget: int | None = None,
        when_full: str = "project",
        eta: float | None = None,
        sketch: str | Approximation | StandsForMap | None = None,
        scale: bool | str = "auto",
        C: float = 1.0,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None: ...

class PassiveAggressive(Classifier):
    """Move as little as repairs the margin: w <- w + tau y x with tau from the loss max(0, 1 - y <w, x>)."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    init_scale: float
    delta: float | str
    budget: int | None
    when_full: str
    eta: float | None
    sketch: str | Approximation | StandsForMap | None
    scale: bool | str
    variant: str
    C: float
    class_weight: dict[Any, float] | str | None

    def __init__(
        self,
        *,
        passes: float = 10,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "auto",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        init_scale: float = 0.0,
        delta: float | str = 0.0,
        budget: int | None = None,
        when_full: str = "project",
        eta: float | None = None,
        sketch: str | Approximation | StandsForMap | None = None,
        scale: bool | str = "auto",
        variant: str = "I",
        C: float = 1.0,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None: ...

class Pegasos(Classifier):
    """Follow the subgradient of the support vector machine: max(0, 1 - y <w, x>) + (l2 / 2) ||w||^2."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    init_scale: float
    delta: float | str
    budget: int | None
    when_full: str
    eta: float | None
    sketch: str | Approximation | StandsForMap | None
    scale: bool | str
    learning_rate: float
    schedule: str
    l2: float
    class_weight: dict[Any, float] | str | None

    def __init__(
        self,
        *,
        passes: float = 10,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "auto",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        init_scale: float = 0.0,
        delta: float | str = 0.0,
        budget: int | None = None,
        when_full: str = "project",
        eta: float | None = None,
        sketch: str | Approximation | StandsForMap | None = None,
        scale: bool | str = "auto",
        learning_rate: float = 1.0,
        schedule: str = "inverse",
        l2: float = 0.0001,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None: ...

class Perceptron(Classifier):
    """Add the example on every mistake: w <- w + r y x if y <w, x> <= margin."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    init_scale: float
    delta: float | str
    budget: int | None
    when_full: str
    eta: float | None
    sketch: str | Approximation | StandsForMap | None
    scale: bool | str
    learning_rate: float
    margin: float
    class_weight: dict[Any, float] | str | None

    def __init__(
        self,
        *,
        passes: float = 1,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "average",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        init_scale: float = 0.0,
        delta: float | str = 0.0,
        budget: int | None = None,
        when_full: str = "project",
        eta: float | None = None,
        sketch: str | Approximation | StandsForMap | None = None,
        scale: bool | str = False,
        learning_rate: float = 1.0,
        margin: float = 0.0,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None: ...

class Romma(Classifier):
    """Relaxed online maximum margin: the shortest w that repairs an example and keeps the last constraint."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    init_scale: float
    delta: float | str
    budget: int | None
    when_full: str
    eta: float | None
    sketch: str | Approximation | StandsForMap | None
    scale: bool | str
    aggressive: bool

    def __init__(
        self,
        *,
        passes: float = 1,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "average",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        init_scale: float = 0.0,
        delta: float | str = 0.0,
        budget: int | None = None,
        when_full: str = "project",
        eta: float | None = None,
        sketch: str | Approximation | StandsForMap | None = None,
        scale: bool | str = False,
        aggressive: bool = False,
    ) -> None: ...

class SVM(Classifier):
    """Find the optimum: the vectors that minimise ||w||^2 / 2 + sum_i C_i max(0, 1 - y_i <w, x_i>)."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    kernel: str | Kernel
    representation: str | Approximation | StandsForMap
    fit_intercept: bool
    working_memory: float | str
    C: float | str
    loss: str
    tol: float
    warm_start: bool
    class_weight: dict[Any, float] | str | None
    scale: bool | str

    def __init__(
        self,
        *,
        passes: float = 200,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        kernel: str | Kernel = "linear",
        representation: str | Approximation | StandsForMap = "auto",
        fit_intercept: bool = True,
        working_memory: float | str = "auto",
        C: float | str = "auto",
        loss: str = "hinge",
        tol: float = 0.01,
        warm_start: bool = False,
        class_weight: dict[Any, float] | str | None = None,
        scale: bool | str = False,
    ) -> None: ...

class Winnow(Classifier):
    """Multiply weights instead of adding to them: w_j <- w_j promotion^x_j on a missed positive example."""

    passes: float
    shuffle: bool
    random_state: int | RandomState | None
    callback: Callable[[Any, PassReport], object] | None
    verbose: int
    hypothesis: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    promotion: float
    demotion: float
    threshold: float | None
    balanced: bool
    scale: bool | str

    def __init__(
        self,
        *,
        passes: float = 1,
        shuffle: bool = True,
        random_state: int | RandomState | None = None,
        callback: Callable[[Any, PassReport], object] | None = None,
        verbose: int = 0,
        hypothesis: str = "average",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 5,
        promotion: float = 2.0,
        demotion: float = 0.5,
        threshold: float | None = None,
        balanced: bool = False,
        scale: bool | str = False,
    ) -> None: ...
