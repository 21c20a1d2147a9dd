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
    """Load the IoU of each object, as other people have published it, as an overlap table.

    Parameters
    ----------
    path : str or Path
        NPZ file with ``arr_0``, the budgets, and ``arr_1``, (n_budgets, n_objects): the best box of each object.
        Or a `.mat` file with the struct array ``best_candidates``, an entry per budget: there boxes were assigned
        greedily, none to two objects, in whole pixels both ends of which belong to the box.
    dataset : Dataset
        Its objects are those of the file, in their order.
    method : str, optional
        Name of the method; by default that of the file.

    Returns
    -------
    Overlaps
        Budgets rise. A budget that is no whole number is the mean over images of how many proposals there
        were; it is rounded, and of two budgets that round to the same number the first is kept. In a `.mat` file
        they are always these means, as fewer proposals than were asked for are common.
    """
    where = Path(path).name
    if Path(path).suffix.lower() == ".mat":
        budgets, iou = _candidates(path, dataset, where)
        matching = {"matching": "greedy", "pixels": "inclusive"}
    else:
        budgets, iou = _arrays(path, dataset, where)
        matching = {"matching": "best"}
    whole = np.maximum(np.rint(budgets), 1).astype(np.int64)
    order = np.argsort(budgets, kind="stable")
    order = order[np.diff(whole[order], prepend=0) > 0]
    kind = "given" if (budgets == np.rint(budgets)).all() else "mean over images, rounded"
    conventions = {"method": method or Path(path).stem, **matching, "numbers": kind}
    return Overlaps.from_iou(iou[order].T, whole[order].tolist(), dataset=dataset, **conventions)


def _arrays(path: str | Path, dataset: Dataset, where: str) -> tuple[np.ndarray, np.ndarray]:
    """Read budgets and IoUs, (n_budgets, n_objects), of an NPZ file."""
    content = read_npz(path)
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
    return budgets, iou


def _candidates(path: str | Path, dataset: Dataset, where: str) -> tuple[np.ndarray, np.ndarray]:
    """Read mean numbers of proposals and IoUs, (n_budgets, n_objects), of a file of ``best_candidates``."""
    expected = "a struct array best_candidates with best_candidates.iou and image_statistics.num_candidates"
    remedy = "Use the file as published."
    found = read_mat(path, ("best_candidates",)).get("best_candidates")
    if found is None or not {"best_candidates", "image_statistics"} <= set(found.dtype.names or ()):
        raise fail(expected, "none" if found is None else f"fields {found.dtype.names}", remedy, where)
    budgets, rows = [], []
    for i, entry in enumerate(found.ravel()):
        place = f"{where}: best_candidates({i + 1})"
        try:
            iou = np.asarray(entry["best_candidates"]["iou"][0, 0], dtype=np.float64).ravel()
            numbers = [float(n.item()) for n in entry["image_statistics"]["num_candidates"].ravel()]
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            raise fail(expected, f"{type(error).__name__}: {error}", remedy, place) from None
        sizes = (len(iou), len(numbers))
        if sizes != (len(dataset.objects), len(dataset.images)):
            raise fail(
                f"{len(dataset.objects)} IoUs and {len(dataset.images)} numbers of proposals of {dataset.name}",
                f"{sizes[0]} and {sizes[1]}",
                "Load the data set the file was made for, with its difficult objects.",
                place,
            )
        budgets.append(np.mean(numbers))
        rows.append(iou)
    if not rows:
        raise fail("at least one budget", "none", remedy, where)
    return np.array(budgets), np.array(rows)


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
