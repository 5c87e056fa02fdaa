"""Which examples a kernel takes for alike, those of a class side by side."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron.plots.style import figure_of, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kerneltron.kernels import Kernel

SHADES = "cividis"  # which people with any colour vision see alike, and printers


@dataclass(kw_only=True, eq=False, repr=False)
class GramDisplay:
    """A Gram matrix, its rows and columns sorted by label.

    A kernel that suits the labels shows bright squares along the diagonal. A Gaussian of a tiny width shows
    the diagonal alone: every example is different from every other one, and nothing can be learned from one
    about another. One of a huge width shows a single bright square: all are alike.

    Parameters
    ----------
    K
        The matrix, one row and one column per example, in any order.
    y
        Their labels; None leaves the order as it is.

    Attributes
    ----------
    order
        The examples in the order in which they are drawn.
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron.plots import GramDisplay
    >>> display = GramDisplay.from_kernel("Linear()", [[1.0], [-1.0], [2.0]], [1, 0, 1])
    >>> display.order, display.sorted
    (array([1, 0, 2]), array([[ 1., -1., -2.],
           [-1.,  1.,  2.],
           [-2.,  2.,  4.]]))
    """

    K: Floats
    y: Anything | None = None
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    def __post_init__(self) -> None:
        self.K = np.asarray(self.K)
        count = len(self.K)
        labels = count if self.y is None else len(self.y)
        if self.K.shape != (count, count) or labels != count:
            raise ValueError(
                f"A Gram matrix has one row, one column and one label per example, but K has the shape "
                f"{self.K.shape}, and there are {labels} labels: compare the same examples with each other."
            )
        self.order: Integers = np.arange(count) if self.y is None else np.argsort(self.y, kind="stable")

    @classmethod
    def from_kernel(
        cls, kernel: "Kernel | str", X: Any, y: Any = None, *, ax: "Axes | None" = None, title: str = ""
    ) -> Self:
        """Compare all examples with each other, and draw how alike they are.

        Parameters
        ----------
        kernel
            How to compare: a kernel, or its text, such as "Gaussian(1.0)".
        X, y
            The examples, a few hundred at most to be seen, and their labels.
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        """
        from kerneltron.kernels.grammar import parse

        return cls(K=parse(kernel)(X), y=None if y is None else np.asarray(y)).plot(ax, title=title)

    @property
    def sorted(self) -> Floats:
        """The matrix as it is drawn."""
        return np.asarray(self.K[np.ix_(self.order, self.order)])

    def plot(self, ax: "Axes | None" = None, *, title: str = "", bar: bool = True) -> Self:
        """Draw it.

        Parameters
        ----------
        ax, title
            As for `from_kernel`.
        bar
            Whether a bar says which number a shade stands for.
        """
        self.ax_ = ax = given_or_new(ax)
        self.figure_ = figure_of(ax)
        most = float(self.K.max())
        shown = ax.imshow(self.sorted, cmap=SHADES, vmin=min(0.0, float(self.K.min())), vmax=most)
        if bar:
            self.figure_.colorbar(shown, ax=ax, shrink=0.75).ax.tick_params(labelsize="small")
        self._name_classes(ax)
        if title:
            ax.set_title(title, fontsize="medium")
        return self

    def _name_classes(self, ax: "Axes") -> None:
        """Name the classes at their squares, and draw lines between them."""
        labels, places = np.empty(0), np.empty(0)
        if self.y is not None:
            labels, starts, counts = np.unique(self.y[self.order], return_index=True, return_counts=True)
            places = starts + (counts - 1) / 2
            for end in starts[1:] - 0.5:
                ax.axhline(end, color="white", linewidth=1.2)
                ax.axvline(end, color="white", linewidth=1.2)
        ax.set_xticks(places, labels, fontsize="small")
        ax.set_yticks(places, labels, fontsize="small")
        ax.tick_params(length=0)
