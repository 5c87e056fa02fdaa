"""Remembered examples as images, with what they count."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Floats
from kerneltron.plots.examples import dense
from kerneltron.plots.style import COLOURS, figure_of, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS = 8  # images in a row


@dataclass(kw_only=True, eq=False, repr=False)
class SupportImagesDisplay:
    """The examples that carry a decision: those with the largest |coefficients|, the strongest first.

    Above each stands its coefficient: with a plus and a solid frame it speaks for the class, with a minus and
    a dashed frame against it.

    Parameters
    ----------
    images
        One image each, as (images, height, width).
    coefficients
        What each counts.
    label
        The class that they speak for or against.

    Attributes
    ----------
    axes_, figure_
        Where it was drawn: one panel per image.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> from kerneltron.datasets import load_digits
    >>> from kerneltron.plots import SupportImagesDisplay
    >>> data = load_digits()
    >>> learner = Perceptron(kernel="Polynomial(2)", representation="dual").fit(data.X, data.y == 9)
    >>> SupportImagesDisplay.from_estimator(learner, (8, 8), top=4).images.shape
    (4, 8, 8)
    """

    images: Floats
    coefficients: Floats
    label: Any
    axes_: "Sequence[Axes]" = field(init=False)
    figure_: "Figure" = field(init=False)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        shape: tuple[int, int],
        *,
        label: Any = None,
        top: int = 16,
        ax: "Sequence[Axes] | None" = None,
        title: str = "",
    ) -> Self:
        """Draw what a fitted learner in dual form remembers.

        Parameters
        ----------
        estimator
            A classifier with `support_vectors_` and `dual_coef_`.
        shape
            Height and width of an image, whose pixels are the columns of X.
        label
            The class whose coefficients count; of two classes, None is the second, which they speak for.
        top
            How many images to show, at most.
        ax
            As many axes to draw in; None makes a new figure.
        title
            Of the whole picture.
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(estimator)
        if not hasattr(estimator, "dual_coef_"):
            raise ValueError(
                f"{estimator!r} has no remembered examples with coefficients: fit it with "
                "representation='dual' and hypothesis='average' or 'last', or look at its weights with "
                "WeightsDisplay."
            )
        vectors, coefficients = dense(estimator.support_vectors_), np.asarray(estimator.dual_coef_)
        if vectors.shape[1] != shape[0] * shape[1]:
            raise ValueError(
                f"The examples have {vectors.shape[1]} columns, which are not {shape[0]} x {shape[1]} "
                "pixels: give the height and width of the images."
            )
        row, sign, label = _row_of(estimator.classes_.tolist(), label, len(coefficients))
        counted = sign * coefficients[row]
        strongest = np.argsort(-np.abs(counted), kind="stable")[:top]
        strongest = strongest[counted[strongest] != 0]
        if not strongest.size:
            raise ValueError(
                f"There is nothing to show of {label!r}: the learner remembers nothing, or top < 1."
            )
        images = vectors[strongest].reshape(-1, *shape)
        return cls(images=images, coefficients=counted[strongest], label=label).plot(ax, title=title)

    def plot(self, ax: "Sequence[Axes] | None" = None, *, title: str = "") -> Self:
        """Draw it.

        Parameters
        ----------
        ax, title
            As for `from_estimator`.
        """
        self.axes_ = self._new_axes() if ax is None else list(ax)
        self.figure_ = figure_of(self.axes_[0])
        limits: dict[str, Any] = {"vmin": float(self.images.min()), "vmax": float(self.images.max())}
        for panel, image, coefficient in zip(self.axes_, self.images, self.coefficients, strict=False):
            panel.imshow(image, cmap="gray_r", **limits)
            panel.set_title(f"{coefficient:+.3g}", fontsize="medium", pad=3)
            panel.set_xticks([])
            panel.set_yticks([])
            for side in panel.spines.values():
                side.set(color=COLOURS[1] if coefficient > 0 else COLOURS[0], linewidth=2.2)
                side.set_linestyle("solid" if coefficient > 0 else "dashed")
        for panel in self.axes_[len(self.images) :]:
            panel.remove()
        if title:
            self.figure_.suptitle(title, fontsize="medium")
        return self

    def _new_axes(self) -> "list[Axes]":
        rows = ceil(len(self.images) / ACROSS)
        panels = new_figure((0.95 * ACROSS, 0.5 + 1.2 * rows)).subplots(rows, ACROSS, squeeze=False)
        return list(panels.ravel())


def _row_of(classes: list[Any], label: Any, rows: int) -> tuple[int, int, Any]:
    """Return the row of coefficients that speaks for a class, with its sign, and the class."""
    if label is None and rows == 1:
        label = classes[-1]
    if label not in classes:
        raise ValueError(f"label={label!r} is not one of the classes: give one of {classes}.")
    place = classes.index(label)
    return (0, 1 if place else -1, label) if rows == 1 else (place, 1, label)
