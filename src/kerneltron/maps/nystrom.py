"""Landmarks: examples of any kind in whose span a kernel is exact, and others are projected onto it."""

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.parameters import positive, whole
from kerneltron.maps.approximation import ApproximateMap, Approximation, Saved
from kerneltron.maps.landmarks import by_k_means, by_leverage, some_of

METHODS = ("uniform", "kmeans", "leverage")
# A landmark is left out if what the others do not span of it is less than this part of its squared length.
# Beyond that, a feature is the rounding of kernel values, multiplied by the root of its inverse.
SPANNED = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-10}


@dataclass(frozen=True, repr=False, eq=False)
class Nystrom(Approximation):
    """The projection onto the span of m landmarks: k(x, L) K_LL^-1 k(L, z), for every kernel and domain.

    With K_LL = U'U the features are phi(x) = k(x, L) U^-1. They are exact where x or z is a landmark or a
    combination of landmarks. Landmarks that others span, such as duplicates, are left out: `width` is the
    rank. A row takes m kernel values and, to be mapped, m^2 multiplications; a prediction does without
    these. On a stream the landmarks are chosen from its first part, and then stay.

    Parameters
    ----------
    n_landmarks
        How many examples to choose; all of them, with a warning, where there are fewer.
    method
        "uniform" draws them without replacement. "kmeans" takes the centres that Lloyd's algorithm finds in
        a sample, for vectors only. "leverage" draws by ridge leverage scores, the diagonal of
        K (K + ridge I)^-1: examples that others do not explain are more likely.
    landmarks
        The examples to take, in place of a choice.
    ridge
        For "leverage": None is trace(K) / n_landmarks, for which these scores sum to at most n_landmarks.
    random_state
        Seed of the choice; None takes that of the learner.

    References
    ----------
    Williams and Seeger, Using the Nystrom method to speed up kernel machines (2001). Musco and Musco,
    Recursive sampling for the Nystrom method (2017), on leverage scores.

    Examples
    --------
    >>> from kerneltron.kernels import Spectrum
    >>> from kerneltron.maps.nystrom import Nystrom
    >>> words = ["abab", "baba", "abba", "abab"]
    >>> phi = Nystrom(4).fit(Spectrum(2), words)
    >>> phi.width, (phi(words) @ phi(words).T).round(6).tolist() == Spectrum(2)(words).tolist()
    (3, True)
    """

    n_landmarks: int = 100
    method: str = "uniform"
    landmarks: Any = None
    ridge: float | None = None
    random_state: int | None = None

    def __post_init__(self) -> None:
        whole("n_landmarks", self.n_landmarks, 1)
        if self.method not in METHODS:
            raise ValueError(f"method={self.method!r} is not known. Choose one of {', '.join(METHODS)}.")
        if self.ridge is not None:
            positive("ridge", self.ridge)

    @classmethod
    def _found_type(cls) -> type["NystromMap"]:
        return NystromMap

    def _fit(self, kernel: Kernel, X: Any, seed: int) -> "NystromMap":
        given = self.landmarks is not None
        if given:
            chosen = self.landmarks if isinstance(self.landmarks, Pack) else kernel.pack(self.landmarks)
        else:
            chosen = self._chosen(kernel, X, np.random.default_rng(seed))
        if not len(chosen):
            raise ValueError("there are no landmarks: give at least one example.")
        inputs = X.shape[1] if hasattr(X, "shape") and X.ndim == 2 and _is_of_rows(kernel) else None
        return NystromMap.of(self, kernel, inputs, seed, chosen)

    def _chosen(self, kernel: Kernel, X: Any, rng: np.random.Generator) -> Pack:
        count = X.shape[0] if hasattr(X, "shape") else len(X)
        size = min(self.n_landmarks, count)
        if size < self.n_landmarks:
            warnings.warn(
                f"n_landmarks={self.n_landmarks} is more than the {count} examples that landmarks are chosen "
                "from: all of them are taken. On a stream these are the examples of its first part: let that "
                "be larger, or give landmarks.",
                stacklevel=2,
            )
            return some_of(kernel, X, np.arange(count))
        if self.method == "kmeans":
            return kernel.pack(by_k_means(kernel, X, size, rng))
        if self.method == "leverage":
            return by_leverage(kernel, X, size, self.ridge, rng)
        return some_of(kernel, X, np.sort(rng.choice(count, size, replace=False)))

    def __repr__(self) -> str:
        if self.landmarks is None:
            return super().__repr__()
        return f"Nystrom(landmarks=<{len(self.landmarks)} examples>)"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            _are_equal(value, getattr(other, name)) for name, value in self.get_params().items()
        )

    def __hash__(self) -> int:
        return hash((self.n_landmarks, self.method, self.ridge, self.random_state))


class NystromMap(ApproximateMap):
    """The landmarks, and the root U^-1 of their inverse Gram matrix.

    Without a root, the features are the values at the landmarks: enough for predictions, whose vectors have
    taken up the root.
    """

    landmarks: Pack

    def __init__(
        self,
        asked: Approximation,
        kernel: Kernel,
        inputs: int | None,
        seed: int,
        landmarks: Pack,
        root: Floats | None,
    ) -> None:
        super().__init__(asked, kernel, inputs, seed)
        self.landmarks, self.root = landmarks, root
        self._single: Floats | None = None

    @classmethod
    def of(cls, asked: Nystrom, kernel: Kernel, inputs: int | None, seed: int, chosen: Pack) -> Self:
        """Return the map onto the span of some examples; those that others span are left out."""
        kept, root = spanning(kernel, chosen)
        return cls(asked, kernel, inputs, seed, chosen[kept].without_rows(), root)

    @property
    def width(self) -> int:
        """The rank of the landmarks."""
        return len(self.landmarks)

    def names(self) -> list[str]:
        """Return a name for each dimension of the span."""
        return [f"nystrom{i}" for i in range(self.width)]

    def read(self, X: Any) -> Any:
        """Return the examples as the kernel compares them."""
        if not isinstance(X, Pack) and self.inputs is not None:
            columns = getattr(X, "shape", (0, self.inputs))[1]
            if columns != self.inputs:
                raise ValueError(f"X has {columns} columns, but the landmarks have {self.inputs}.")
        return self.kernel.pack(X)

    def _mapped(self, examples: Any) -> Floats:
        values = self.kernel.gram(examples, self.landmarks)
        return values if self.root is None else np.asarray(values @ self._root(self.root, values.dtype))

    def _root(self, root: Floats, dtype: Any) -> Floats:
        """Return U^-1 in the precision of kernel values; a copy is kept, which takes m^2 numbers."""
        if dtype == root.dtype:
            return root
        if self._single is None:
            self._single = root.astype(dtype)
        return self._single

    def folded(self, vectors: Floats) -> tuple[ApproximateMap, Floats]:
        """Return k(., L) and U^-1 v: a score takes as many multiplications as there are landmarks."""
        if self.root is None:
            return self, vectors
        values = NystromMap(self.asked, self.kernel, self.inputs, self.seed, self.landmarks, None)
        return values, (self.root @ vectors.astype(np.float64)).astype(vectors.dtype)

    def state(self) -> tuple[dict[str, Any], dict[str, Anything]]:
        """Return the root, which LAPACK produced, if it is there."""
        return {"folded": self.root is None}, {} if self.root is None else {"root": self.root}

    @classmethod
    def restore(cls, saved: Saved) -> Self:
        """Return the map; raise unless there is a row of the root for each landmark."""
        landmarks, root = saved.landmarks, None
        if landmarks is None:
            raise ValueError("there are no landmarks")
        if not saved.contents.truth("folded"):
            root = saved.contents.array("root", np.float64, (len(landmarks), len(landmarks)))
        return cls(saved.asked, saved.kernel, saved.inputs, saved.seed, landmarks, root)


def spanning(kernel: Kernel, chosen: Pack) -> tuple[Anything, Floats]:
    """Return which examples span the others, and U^-1 with K = U'U for these, by Cholesky with pivots.

    Lengths are taken out first, so that an example counts by its direction.
    """
    from scipy.linalg import lapack

    gram = np.asarray(kernel.gram(chosen, chosen), np.float64)
    gram = (gram + gram.T) / 2
    lengths = np.sqrt(np.maximum(gram.diagonal(), 0.0))
    there = np.flatnonzero(lengths > 0)
    if not there.size:
        raise ValueError("k(x, x) is 0 for all landmarks: they have no features. Give other examples.")
    if not np.isfinite(gram).all():
        raise ValueError("the Gram matrix of the landmarks is not finite: scale the examples down.")
    lengths = lengths[there]
    cosines = gram[np.ix_(there, there)] / np.outer(lengths, lengths)
    kept, factor = _independent(cosines, SPANNED[np.dtype(chosen.precision)])
    inverse, _ = lapack.dtrtri(factor, lower=0)
    order = np.argsort(kept)  # packs are cut at increasing places
    root = np.triu(inverse) / lengths[kept][:, None]
    return there[kept[order]], np.ascontiguousarray(root[order])


def _independent(cosines: Floats, spanned: float) -> tuple[Anything, Floats]:
    """Return which rows of a Gram matrix of unit vectors are independent, and their Cholesky factor U.

    Pivots, which find these, take ten times as long: they are asked for where one is needed.
    """
    from scipy.linalg import lapack

    factor, failed = lapack.dpotrf(cosines, lower=0)
    if not failed and (np.square(factor.diagonal()) > spanned).all():
        return np.arange(len(cosines)), factor
    factor, places, rank, _ = lapack.dpstrf(cosines, tol=spanned, lower=0)
    return places[:rank] - 1, np.asfortranarray(factor[:rank, :rank])


def _is_of_rows(kernel: Kernel) -> bool:
    return kernel.domain in (*OF_NUMBERS, "similarities")


def _are_equal(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if hasattr(one, "shape") or hasattr(other, "shape"):
        return bool(np.array_equal(one, other))
    return bool(one == other)
