"""What every kernel is: the contract, the operators, and the rules of the algebra."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, replace
from functools import cached_property
from math import inf, isfinite
from typing import Any, ClassVar, Self

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import is_number

OF_NUMBERS = ("vectors", "booleans")  # domains whose examples are rows of a matrix
STRUCTURES = ("strings", "trees", "graphs", "records")
ANYTHING = "anything"  # the domain of kernels that do not mind what they are given
SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly an expression binds, for its text
ROWS = 512  # of a symmetric Gram matrix at a time


class Kernel(ABC):
    """An inner product in a feature space: k(x, z) = <phi(x), phi(z)>.

    Kernels are immutable, hold no data, and are equal when their expressions are. They form an algebra:
    `k1 + k2`, `k1 * k2`, `c * k`, `k + c`, `k ** n`, `k.exp()`, `k.normalized()`, `k.polynomial([...])`,
    `k.weighted(f)`, `k.after(phi)` and `Gaussian(sigma, over=k)` are kernels again.

    A new kernel is a frozen dataclass (`@dataclass(frozen=True, repr=False)`) with `domain`, `_fill`,
    `_diag` and `_block`, and `_map` where the features can be listed.
    """

    _binds: ClassVar[int] = ATOM
    _of_products: ClassVar[bool] = False  # whether inner products of rows are all that it looks at
    __array_ufunc__: ClassVar[None] = None  # numpy numbers leave `2.0 * k` to us

    @property
    @abstractmethod
    def domain(self) -> str:
        """What it compares: "vectors", "booleans", "strings", "trees", "graphs", "records", or "anything"."""

    @abstractmethod
    def _fill(self, pack: Pack, X: Any) -> None:
        """Put what this kernel needs of the examples X into the pack."""

    @abstractmethod
    def _diag(self, pack: Pack) -> Floats:
        """Return k(x, x) for each example, in double precision."""

    @abstractmethod
    def _block(self, pair: Pair) -> Floats:
        """Return k(x, z) for all x on the left and z on the right, as a new array that may be written to."""

    def _map(self, width: int) -> Any:
        """Return the explicit feature map of rows with `width` columns, or None."""
        return None

    @property
    def _rows(self) -> Hashable | None:
        """The name of the part whose rows have this kernel's values as inner products, or None."""
        return None

    def _seen_inside(self, X: Any) -> Any:
        """Return what kernels inside this one are given in the place of the examples X."""
        return X

    def _when_normalized(self) -> "Kernel | None":
        """Return the kernel k(x, z) / sqrt(k(x, x) k(z, z)) where a better way to compute it is known."""
        return None

    # -- evaluation ----------------------------------------------------------------------------------

    def __call__(self, X: Any, Z: Any = None) -> Floats:
        """Return the Gram matrix of X and Z, or of X with itself."""
        left = self.pack(X)
        if Z is not None:
            return self.gram(left, self.pack(Z))
        gram: Floats | None = None
        for low in range(0, len(left), ROWS):
            high = min(low + ROWS, len(left))
            part = self.gram(left[low:high], left[low:])
            if gram is None:
                gram = np.empty((len(left), len(left)), part.dtype)
            gram[low:high, low:] = part
            gram[high:, low:high] = part[:, high - low :].T
            own = gram[low:high, low:high]
            own[:] = (own + own.T) / 2
        return np.empty((0, 0)) if gram is None else gram

    def diag(self, X: Any) -> Floats:
        """Return k(x, x) for each x, of examples or of a pack."""
        return self._diag(self.pack(X))

    def pack(self, X: Any) -> Pack:
        """Make examples ready to be compared, once per data set. A pack is returned as it is."""
        if isinstance(X, Pack):
            return X
        if not hasattr(X, "__len__") or getattr(X, "shape", None) == ():
            raise TypeError(f"X is a {type(X).__name__}: give a sequence of examples.")
        pack = Pack(X.shape[0] if hasattr(X, "shape") else len(X))
        self._enter_whole(pack, X)
        return pack

    def gram(self, A: Pack, B: Pack) -> Floats:
        """Return the |A| x |B| matrix of k(a, b)."""
        return self._block(Pair(A, B, self._atoms > 1))

    def _enter(self, pack: Pack, X: Any) -> None:
        """Fill the pack, and note how large the numbers can become, for this kernel and all inside it."""
        self._fill(pack, X)
        with np.errstate(over="ignore"):
            diagonal = self._diag(pack)
        largest, smallest = _range(diagonal)
        if not isfinite(largest):
            advice = "scale the rows down" if self.domain in OF_NUMBERS else "let decay be smaller"
            if self._when_normalized() is not None:
                advice = f"use {self._bracketed(ATOM)}.normalized(), or {advice}"
            raise ValueError(f"{self} overflows: k(x, x) is beyond 1e308 for some example; {advice}.")
        pack.largest = max(pack.largest, largest, 1 / smallest if smallest > 1e-300 else inf)

    def _enter_whole(self, pack: Pack, X: Any) -> None:
        """Fill a pack that is this kernel's own, and not that of an expression around it."""
        self._enter(pack, X)

    def feature_map(self, width: int) -> Any:
        """Return the explicit phi for rows of `width` columns, with <phi(x), phi(z)> = k(x, z), or None.

        None says that phi has infinitely many features, or that they are not known.
        """
        phi = self._map(width)
        if phi is not None:
            object.__setattr__(phi, "source", (self, width))  # maps are frozen, too
        return phi

    # -- parameters ----------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's arguments; with `deep` also those of kernels inside, as `base__sigma`."""
        params = {field.name: getattr(self, field.name) for field in self._fields()}
        inner = [(name, value) for name, value in params.items() if deep and isinstance(value, Kernel)]
        for name, value in inner:
            params |= {f"{name}__{key}": below for key, below in value.get_params().items()}
        return params

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other parameters; `base__sigma=2` changes a kernel inside."""
        own: dict[str, Any] = {key: value for key, value in changes.items() if "__" not in key}
        nested: dict[str, dict[str, Any]] = {}
        for key, value in changes.items():
            name, _, below = key.partition("__")
            if below:
                nested.setdefault(name, {})[below] = value
        known = [field.name for field in self._fields()]
        for name in [*own, *nested]:
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known) or 'none'}."
                )
        for name, below_changes in nested.items():
            inner = own.get(name, getattr(self, name))
            if not isinstance(inner, Kernel):
                raise ValueError(f"{name}={inner!r} of {type(self).__name__} has no parameters of its own.")
            own[name] = inner.replace(**below_changes)
        return replace(self, **own)  # type: ignore[type-var]

    def arrays(self) -> Mapping[str, Anything]:
        """Return the arrays of the expression by the names that its text gives them."""
        return {name: array for part in self._parts() for name, array in part.arrays().items()}

    def __sklearn_clone__(self) -> Self:
        return self

    def _fields(self) -> tuple[Field[Any], ...]:
        return fields(self)  # type: ignore[arg-type]

    def _parts(self) -> Iterator["Kernel"]:
        """Yield the kernels that this one is made of."""
        for field in self._fields():
            value = getattr(self, field.name)
            if isinstance(value, Kernel):
                yield value

    @cached_property
    def _atoms(self) -> int:
        """How many kernels in the expression read the examples themselves."""
        return sum(part._atoms for part in self._parts()) or 1

    @property
    def is_of_products(self) -> bool:
        """Whether all values follow from inner products of rows."""
        return self._of_products and all(part.is_of_products for part in self._parts())

    # -- text ----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        required = [field for field in self._fields() if field.default is MISSING]
        others = [field for field in self._fields() if field.default is not MISSING]
        changed = [(field.name, getattr(self, field.name), field.default) for field in others]
        texts = [text(getattr(self, field.name)) for field in required]
        texts += [f"{name}={text(value)}" for name, value, usual in changed if value != usual]
        return f"{type(self).__name__}({', '.join(texts)})"

    def _bracketed(self, binds: int) -> str:
        """Return the text, in brackets where it binds less tightly than `binds`."""
        return repr(self) if self._binds >= binds else f"({self!r})"

    # -- algebra -------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> "Kernel":
        from kerneltron.kernels.constant import Constant
        from kerneltron.kernels.sum import Sum

        if isinstance(other, Kernel):
            return Sum(self, other)
        if is_number(other):
            return Sum(self, Constant(other))
        return NotImplemented

    def __radd__(self, other: Any) -> "Kernel":
        from kerneltron.kernels.constant import Constant
        from kerneltron.kernels.sum import Sum

        if is_number(other):
            return self if other == 0 else Sum(Constant(other), self)  # 0 is where Python's sum() begins
        return NotImplemented

    def __mul__(self, other: Any) -> "Kernel":
        from kerneltron.kernels.product import Product

        if isinstance(other, Kernel):
            return Product(self, other)
        return self.__rmul__(other)

    def __rmul__(self, other: Any) -> "Kernel":
        from kerneltron.kernels.scaled import Scaled

        return Scaled(other, self) if is_number(other) else NotImplemented

    def __truediv__(self, other: Any) -> "Kernel":
        from kerneltron.kernels.scaled import Scaled

        if isinstance(other, Kernel):
            raise TypeError("A quotient of kernels is not a kernel in general. Did you mean k.normalized()?")
        if is_number(other) and other == 0:
            raise ValueError("A kernel cannot be divided by 0.")
        return Scaled(1 / other, self) if is_number(other) else NotImplemented

    def __pow__(self, exponent: Any) -> "Kernel":
        from kerneltron.kernels.power import Power

        return Power(self, exponent) if is_number(exponent) else NotImplemented

    def __sub__(self, other: Any = None) -> "Kernel":
        raise TypeError(
            "A difference of kernels is not a kernel: its Gram matrix can have negative eigenvalues. Kernels "
            "can be added, multiplied, and scaled by numbers that are not negative."
        )

    __rsub__ = __neg__ = __sub__

    def exp(self) -> "Kernel":
        """Return exp(k(x, z)), the sum of all powers of k over their factorials."""
        from kerneltron.kernels.exponential import Exponential

        return Exponential(self)

    def normalized(self) -> "Kernel":
        """Return k(x, z) / sqrt(k(x, x) k(z, z)): the cosine in the feature space."""
        from kerneltron.kernels.normalized import Normalized

        return Normalized(self)

    def polynomial(self, coefficients: Sequence[float]) -> "Kernel":
        """Return a0 + a1 k + a2 k^2 + ..., for coefficients that are not negative."""
        from kerneltron.kernels.series import Series

        if not isinstance(coefficients, Iterable):
            raise TypeError(f"coefficients={coefficients!r} is not a list: give [a0, a1, ...].")
        return Series(self, tuple(coefficients))

    def weighted(self, f: Callable[[Any], Any]) -> "Kernel":
        """Return f(x) k(x, z) f(z); f takes all examples and returns one number for each."""
        from kerneltron.kernels.weighted import Weighted

        return Weighted(self, f)

    def after(self, phi: Callable[[Any], Any], domain: str = ANYTHING) -> "Kernel":
        """Return k(phi(x), phi(z)); phi takes all examples, from `domain`, and returns as many."""
        from kerneltron.kernels.after import After

        return After(self, phi, domain)


def _range(diagonal: Floats) -> tuple[float, float]:
    """Return the largest number, at least 0, and the smallest above 0, at most 1."""
    if diagonal.size == 1:  # NumPy takes longer to begin than a kernel value takes
        only = float(diagonal[0])
        return max(only, 0.0), only if 0.0 < only < 1.0 else 1.0  # NaN, which comes first, stays
    largest = float(np.max(diagonal, initial=0.0))
    return largest, float(np.min(diagonal, where=diagonal > 0, initial=1.0))


def common_domain(left: Kernel, right: Kernel) -> str:
    """Return the domain of an expression of both; raise if they compare different things."""
    first, second = left.domain, right.domain  # each is looked up once: they descend into the expression
    if ANYTHING in (first, second) or first == second:
        return first if second == ANYTHING else second
    raise ValueError(
        f"{left} compares {first} and {right} compares {second}: one expression needs one domain. Give "
        'records that hold both, and write On("field", k) for each; or bring the examples of one of them '
        "into the other's domain with k.after(phi)."
    )


def text(value: Any) -> str:
    """Return a parameter as it stands in an expression."""
    if isinstance(value, Kernel):
        return repr(value)
    if callable(value):
        return f"<{getattr(value, '__name__', type(value).__name__).strip('<>')}>"  # <lambda> as it is
    return repr(value.item() if isinstance(value, np.generic) else value)
