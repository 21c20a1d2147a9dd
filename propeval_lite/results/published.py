"""Numbers of methods that other people ran: best IoU per object, or recall per threshold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.paths import data_folder
from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import fail
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.files import read_mat, read_npz

KINDS = ("best", "recall")


class Published(NamedTuple):
    """Numbers of a method that somebody else ran: what kind they are, in which file, for which data set."""

    kind: str
    path: Path
    dataset: str


def find_published(method: str) -> Published | None:
    """Read ``"best:FILE?dataset=NAME"`` or ``"recall:FILE?dataset=NAME"``; None for any other method.

    Parameters
    ----------
    method : str
        FILE is a path, or one below the folder that ``PROPEVAL_DATA`` names. NAME is that of
        :func:`load_dataset`, such as voc2012.

    Examples
    --------
    >>> find_published("uniform") is None
    True
    """
    spec = parse_spec(method, "methods")
    if spec.name not in KINDS or spec.path is None:
        return None
    kind, text, name = spec.name, spec.path, spec.options.get("dataset")
    if not text or not name or len(spec.options) > 1:
        raise fail(
            f"{kind}:FILE?dataset=NAME", repr(method), "Say which data set the file belongs to.", "methods"
        )
    places = [Path(text).expanduser()]
    if os.environ.get("PROPEVAL_DATA"):
        places.append(Path(os.environ["PROPEVAL_DATA"]) / text)
    for place in places:
        if place.is_file():
            return Published(kind, place, name)
    raise fail(
        f"the file of {method!r}",
        "none at " + " or ".join(map(str, places)),
        "Correct the path, or set PROPEVAL_DATA to the folder that holds the real data.",
        "methods",
    )


def load_best_iou(path: str | Path, dataset: Dataset, method: str | None = None) -> Overlaps:
    """Load the best IoU of each object, as other people have published it, as an overlap table.

    Parameters
    ----------
    path : str or Path
        NPZ file with ``arr_0``, the budgets, and ``arr_1``, (n_budgets, n_objects).
    dataset : Dataset
        Its objects are the columns of ``arr_1``, in their order.
    method : str, optional
        Name of the method; by default that of the file.

    Returns
    -------
    Overlaps
        Budgets rise. A budget that is no whole number is the mean over images of how many proposals there
        were; it is rounded, and of two budgets that round to the same number the first is kept.
    """
    content = read_npz(path)
    where = Path(path).name
    missing = {"arr_0", "arr_1"} - set(content)
    if missing:
        raise fail(
            "arrays arr_0 and arr_1", f"{', '.join(content) or 'none'}", "Save budgets and IoUs.", where
        )
    budgets, iou = content["arr_0"], np.asarray(content["arr_1"], dtype=np.float64)
    if budgets.ndim != 1 or iou.shape != (len(budgets), len(dataset.objects)):
        raise fail(
            f"arr_1 of shape ({len(budgets)} budgets, {len(dataset.objects)} objects of {dataset.name})",
            f"shape {iou.shape}",
            "Load the data set the table was made for, without its ignored objects (counted_only).",
            where,
        )
    whole = np.maximum(np.rint(budgets), 1).astype(np.int64)
    order = np.argsort(budgets, kind="stable")
    order = order[np.diff(whole[order], prepend=0) > 0]
    kind = "given" if (budgets == np.rint(budgets)).all() else "mean over images, rounded"
    return Overlaps.from_iou(
        iou[order].T,
        whole[order].tolist(),
        dataset=dataset,
        method=method or Path(path).stem,
        matching="best",
        numbers=kind,
    )


def load_recalls(path: str | Path) -> pd.DataFrame:
    """Load recall by IoU threshold, pooled over objects, from the results file of Hosang et al.

    Parameters
    ----------
    path : str or Path
        ``pascal_voc07_test_recall.mat``: 25 methods at 21 thresholds with 1 000 proposals.

    Returns
    -------
    DataFrame
        Columns ``method, tau, recall``.
    """
    names = ("methods", "iou_thresholds", "recalls")
    content = read_mat(path, names)
    where = Path(path).name
    missing = [name for name in names if name not in content]
    if missing:
        got = f"none called {', '.join(missing)}"
        raise fail(f"variables {', '.join(names)}", got, "Use the file as published.", where)
    methods = [str(np.ravel(entry)[0]) for entry in content["methods"].ravel()["name"]]
    taus = np.round(content["iou_thresholds"].ravel(), 6)
    recalls = np.asarray(content["recalls"], dtype=np.float64)
    if recalls.shape != (len(methods), len(taus)):
        raise fail(
            f"recalls of shape ({len(methods)} methods, {len(taus)} thresholds)",
            f"shape {recalls.shape}",
            "Use the file as published.",
            where,
        )
    index = pd.MultiIndex.from_product([methods, taus.tolist()], names=["method", "tau"])
    return pd.DataFrame({"recall": recalls.ravel()}, index=index).reset_index()


def published(name: str) -> pd.DataFrame:
    """Return a table of data/published: numbers of a paper, each with its place in it."""
    path = data_folder("published") / f"{name}.csv"
    if not path.is_file():
        known = sorted(p.stem for p in path.parent.glob("*.csv"))
        raise fail("a table of data/published", repr(name), f"There are: {', '.join(known)}.")
    return pd.read_csv(path)
