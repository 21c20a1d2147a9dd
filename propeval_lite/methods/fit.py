"""Fit the random baselines to annotated boxes: where objects lie, how large and how elongated they are."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np

from propeval_lite._checks.boxes import BOX_COLUMNS, check_boxes
from propeval_lite._checks.values import fail
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame

FEATURES = ("log2_aspect", "sqrt_area", "centre_x", "centre_y")
DEFAULTS = Path(__file__).with_name("baseline_fit.json")


def box_features(dataset: Dataset) -> np.ndarray:
    """Describe every object by the four numbers that the random baselines sample.

    Parameters
    ----------
    dataset : Dataset
        All objects count, ignored ones too.

    Returns
    -------
    float array, (n_objects, 4)
        log2(w / h), sqrt(w h / (W H)), and the centre divided by W and by H. w, h and the centre are measured
        in 0-based edge coordinates, so that the result does not depend on the frame of the data set.

    Examples
    --------
    >>> import pandas as pd
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [8], "height": [4]})
    >>> objects = pd.DataFrame({"image_id": ["a"], "object_id": [0], "category": ["cat"], "x1": [1], "y1": [1],
    ...                         "x2": [4], "y2": [2], "ignore": [False]})
    >>> box_features(Dataset("tiny", images, objects, pixels="inclusive", origin=1))
    array([[1.  , 0.5 , 0.25, 0.25]])
    """
    boxes = check_boxes(dataset.objects[list(BOX_COLUMNS)], f"{dataset.name}: objects table")
    x1, y1, x2, y2 = Frame.of(dataset).to_grid(boxes).T
    rows = dataset.image_rows(dataset.objects["image_id"])
    width = dataset.images["width"].to_numpy(np.float64)[rows]
    height = dataset.images["height"].to_numpy(np.float64)[rows]
    w, h = x2 - x1, y2 - y1
    empty = np.flatnonzero((w <= 0) | (h <= 0))
    if empty.size:
        got = f"row {empty[0]} with {w[empty[0]]:g} by {h[empty[0]]:g}"
        remedy = "Remove empty objects before the fit."
        raise fail("objects with a positive width and height", got, remedy, f"{dataset.name}: objects table")
    return np.stack(
        [np.log2(w / h), np.sqrt(w * h / (width * height)), (x1 + x2) / 2 / width, (y1 + y2) / 2 / height],
        axis=1,
    )


def fit_uniform(dataset: Dataset, coverage: float = 0.99) -> dict[str, list[float]]:
    """Fit the Uniform baseline: a range for each of the four features.

    Parameters
    ----------
    dataset : Dataset
        Training images with their objects.
    coverage : float
        Share of the values each range holds; half of the rest is cut off at either end.

    Returns
    -------
    dict
        ``{feature: [low, high]}`` for the features of :func:`box_features`.

    References
    ----------
    Hosang et al., §2.4: half a per cent of the smallest and of the largest values are discarded.
    """
    features = _enough(box_features(dataset), dataset, 1)
    if not 0 < coverage <= 1:
        raise fail("coverage in (0, 1]", coverage, "0.99 discards half a per cent at either end.")
    rest = (1 - coverage) / 2
    low, high = np.quantile(features, [rest, 1 - rest], axis=0)
    return {name: [float(low[i]), float(high[i])] for i, name in enumerate(FEATURES)}


def fit_gaussian(dataset: Dataset) -> dict[str, list]:
    """Fit the Gaussian baseline: mean and covariance of the four features.

    Parameters
    ----------
    dataset : Dataset
        Training images with their objects.

    Returns
    -------
    dict
        ``{"features": names, "mean": (4,) list, "covariance": (4, 4) list}``; the covariance is divided by n - 1.

    References
    ----------
    Hosang et al., §2.4.
    """
    features = _enough(box_features(dataset), dataset, 2)
    return {
        "features": list(FEATURES),
        "mean": features.mean(axis=0).tolist(),
        "covariance": np.cov(features, rowvar=False).tolist(),
    }


def write_defaults(dataset: Dataset, path: Path = DEFAULTS) -> dict:
    """Fit both baselines to `dataset` and write them as the package's default parameters.

    Returns
    -------
    dict
        What was written: "uniform", "gaussian" and "provenance".
    """
    fitted = {
        "uniform": fit_uniform(dataset),
        "gaussian": fit_gaussian(dataset),
        "provenance": {
            "dataset": dataset.name,
            "images": len(dataset.images),
            "objects": len(dataset.objects),
            "written_by": "propeval_lite.methods.fit.write_defaults",
        },
    }
    Path(path).write_text(json.dumps(fitted, indent=2) + "\n", encoding="utf-8")
    load_defaults.cache_clear()
    return fitted


@functools.cache
def load_defaults() -> dict:
    """Return the parameters shipped with the package: our own fit on VOC 2007 trainval.

    Examples
    --------
    >>> load_defaults()["provenance"]["objects"]
    15662
    """
    return json.loads(DEFAULTS.read_text(encoding="utf-8"))


def _enough(features: np.ndarray, dataset: Dataset, minimum: int) -> np.ndarray:
    if len(features) < minimum:
        remedy = "Fit on a data set with objects."
        raise fail(f"at least {minimum} annotated objects", len(features), remedy, dataset.name)
    return features
