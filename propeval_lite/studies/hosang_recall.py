"""Recall as a study: methods by data sets by budgets, one tidy table with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_positive_int
from propeval_lite.boxes.bootstrap import bootstrap
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.transforms import counted_only

TAUS = tuple(np.round(np.linspace(0.5, 1, 21), 3).tolist())


def criteria(overlaps: Overlaps, taus: Sequence[float] = TAUS) -> pd.DataFrame:
    """Average recall (the integral) and recall at each threshold: one row each, one column per budget.

    Examples
    --------
    >>> table = Overlaps.from_iou([[0.5, 0.75], [0, 1]], budgets=[10, 100], image_row=[0, 0])
    >>> criteria(table, [0.5, 0.8]).to_numpy().tolist()
    [[0.0, 0.75], [0.5, 1.0], [0.0, 0.5]]
    """
    rows = [average_recall(overlaps), *(recall(overlaps, tau) for tau in taus)]
    return pd.DataFrame(
        np.array([row.to_numpy() for row in rows]),
        index=pd.Index(["AR", *taus], name="criterion", dtype=object),
        columns=pd.Index(overlaps.budgets, name="budget"),
    )


def summarise(
    tables: dict[str, Overlaps],
    taus: Sequence[float] = TAUS,
    n: int = 200,
    level: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the criteria of several methods with bootstrap intervals over images, as a tidy table.

    Parameters
    ----------
    tables : dict of Overlaps
        By method.
    taus : sequence of float
        Thresholds of recall.
    n, level, seed
        As in :func:`bootstrap`.

    Returns
    -------
    DataFrame
        Columns ``dataset, method, budget, criterion, tau, low, value, high``; criterion is "AR", where tau
        is NaN, or "recall".
    """
    parts = []
    for method, overlaps in tables.items():
        band = bootstrap(overlaps, criteria, taus, n=n, level=level, seed=seed).reset_index()
        is_ar = band["criterion"] == "AR"
        part = pd.DataFrame({"dataset": overlaps.conventions["dataset"], "method": method}, index=band.index)
        part["budget"] = band["budget"].astype(np.int64)
        part["criterion"] = np.where(is_ar, "AR", "recall")
        part["tau"] = band["criterion"].where(~is_ar, np.nan).astype(np.float64)
        parts.append(part.assign(low=band["low"], value=band["estimate"], high=band["high"]))
    return pd.concat(parts, ignore_index=True)


def size_histogram(dataset: Dataset, bins: int = 20) -> pd.DataFrame:
    """Count the objects that are not ignored by their size relative to the image.

    Parameters
    ----------
    dataset : Dataset
    bins : int
        Number of equal intervals of [0, 1].

    Returns
    -------
    DataFrame
        Columns ``dataset, low, high, objects, share``.

    Notes
    -----
    The relative size is ``sqrt(w h / (W H))``, w and h of the box and W and H of the image.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, fig. 10b.

    Examples
    --------
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [40], "height": [40]})
    >>> box = {"image_id": "a", "object_id": [1], "category": "cup", "x1": 0, "y1": 0, "x2": 10, "y2": 10}
    >>> size_histogram(Dataset("one cup", images, pd.DataFrame({**box, "ignore": False})), 2).share.tolist()
    [1.0, 0.0]
    """
    edges = np.linspace(0, 1, check_positive_int(bins, "bins") + 1)
    objects = counted_only(dataset).objects
    areas = Frame.of(dataset).areas(objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64))
    sizes = dataset.images[["width", "height"]].to_numpy()[dataset.image_rows(objects["image_id"])]
    counts = np.histogram(np.minimum(np.sqrt(areas / sizes.prod(axis=1)), 1), edges)[0]
    table = pd.DataFrame({"dataset": dataset.name, "low": edges[:-1], "high": edges[1:], "objects": counts})
    return table.assign(share=counts / len(objects) if len(objects) else np.nan)
