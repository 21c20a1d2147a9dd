"""What a criterion of the overlap table gives: a value for each budget, or a row of them for each threshold."""

from __future__ import annotations

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_choice, fail
from propeval_lite.boxes.table import Overlaps


class Curve(pd.Series):
    """A value for each budget (or threshold): a Series that converts to a number where it holds one."""

    @property
    def _constructor(self):
        return Curve

    # The stubs deny every Series a number.
    def __float__(self) -> float:  # type: ignore[override]
        if len(self) != 1:
            raise fail(
                "one value", f"{len(self)}", "Choose one, for example curve[1000].", str(self.name or "")
            )
        return float(self.iloc[0])


def mean_over(overlaps: Overlaps, values: np.ndarray, average: str) -> np.ndarray:
    """Mean of the (n_objects, n_budgets) `values` over objects, or over the means of images; (n_budgets,)."""
    check_choice(average, ("object", "image"), "average")
    if not len(values):
        return np.full(len(overlaps.budgets), np.nan)
    if average == "object":
        return values.mean(axis=0)
    first = np.flatnonzero(np.diff(overlaps.image_row, prepend=-1))
    sums = np.add.reduceat(values, first, axis=0, dtype=np.float64)
    counts = np.diff(first, append=len(values))
    return (sums / counts[:, np.newaxis]).mean(axis=0)


def make_curve(overlaps: Overlaps, values, name: str, average: str, index: pd.Index | None = None) -> Curve:
    """One value per budget (or per entry of `index`), with the conventions that made it."""
    index = pd.Index(overlaps.budgets, name="budget") if index is None else index
    curve = Curve(values, index=index, name=name)
    curve.attrs = overlaps.conventions | {"average": average}
    return curve


def curve_per_threshold(
    overlaps: Overlaps, tau, curves: list, name: str, average: str
) -> Curve | pd.DataFrame:
    """Return a curve for one `tau`, a table with a row for each of several; `curves` has an array for each."""
    if np.ndim(tau) == 0:
        return make_curve(overlaps, curves[0], f"{name} at IoU {tau!s}", average)
    values = np.reshape(curves, (len(curves), len(overlaps.budgets)))
    columns = pd.Index(overlaps.budgets, name="budget")
    # A float32 of 0.7 is asked for as 0.7, not as the longer number behind it.
    levels = [float(str(level)) if isinstance(level, np.floating) else level for level in tau]
    table = pd.DataFrame(values, index=pd.Index(levels, name="tau"), columns=columns)
    table.attrs = overlaps.conventions | {"average": average}
    return table
