"""Recall as a study: methods by data sets by budgets, one tidy table with intervals."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_positive_int, fail
from propeval_lite.boxes.bootstrap import bootstrap
from propeval_lite.boxes.match import match
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.boxes.table import Overlaps, check_budgets
from propeval_lite.datasets.base import Dataset
from propeval_lite.methods import propose
from propeval_lite.methods.registry import find_method
from propeval_lite.proposals.container import Proposals

TAUS = tuple(np.round(np.linspace(0.5, 1, 21), 3).tolist())


def usable(methods: Sequence[str], dataset: Dataset, files: bool = True) -> tuple[list[str], list[str]]:
    """Part methods into those that can run on a data set and those that cannot.

    Parameters
    ----------
    methods : sequence of str
        As in :func:`propose`.
    dataset : Dataset
        Without pictures only methods run that need no more than an image's size.
    files : bool
        Whether ``"file:PATH"`` can run: the boxes of a file belong to one data set.

    Returns
    -------
    usable, left_out : lists of str

    Examples
    --------
    >>> from propeval_lite.datasets.base import no_objects
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [40], "height": [30]})
    >>> usable(["uniform", "selective_search"], Dataset("boxes only", images, no_objects()))
    (['uniform'], ['selective_search'])
    """
    good, bad = [], []
    for method in methods:
        if method.startswith("file:"):
            fits = files
        else:
            fits = dataset.read_image is not None or not reads_pictures(method)
        (good if fits else bad).append(method)
    return good, bad


def reads_pictures(method: str) -> bool:
    """Whether a method looks at pixels; the boxes of a file are taken to come from a method that did.

    Examples
    --------
    >>> reads_pictures("uniform"), reads_pictures("selective_search")
    (False, True)
    """
    return method.startswith("file:") or find_method(located(method)).needs == "image"


def located(method: str) -> str:
    """Return ``"bing"`` with the folder of its model, if ``PROPEVAL_DATA`` holds one; others unchanged."""
    folder = Path(os.environ.get("PROPEVAL_DATA", "")) / "bing"
    return f"bing?model={folder}" if method == "bing" and folder.is_dir() else method


def label(method: str) -> str:
    """Return the short name of a method for tables and legends.

    Examples
    --------
    >>> label("file:results/my_boxes.csv"), label("edge_boxes?alpha=0.7"), label("mine.boxes:fast")
    ('my_boxes', 'edge_boxes?alpha=0.7', 'fast')
    """
    if method.startswith("file:"):
        return Path(method.removeprefix("file:")).name.split(".")[0]
    return method.rpartition(":")[2]


def cover(
    method: str,
    dataset: Dataset,
    budgets,
    seed: int = 0,
    conventions: Sequence[dict] = ({},),
    chunk: int = 500,
    made: dict | None = None,
) -> list[Overlaps]:
    """Propose and match, some images at a time, under one or several conventions.

    Parameters
    ----------
    method : str
        As in :func:`propose`.
    dataset : Dataset
    budgets : int or list of int
        Finite, rising. A method that is not nested, such as a grid of windows, proposes anew for each.
    seed : int
        Of the method.
    conventions : sequence of dict
        Arguments of :func:`match`; the proposals are made once for all of them.
    chunk : int
        Number of images whose proposals are held at once. It moves no number. Files are read whole.
    made : dict, optional
        Store of proposals to take from and add to, so that slow methods run once for several calls with the
        same images. Left alone where there are more than `chunk` images.

    Returns
    -------
    list of Overlaps
        One per entry of `conventions`, over all images and budgets.
    """
    budgets = check_budgets(budgets)
    chunk = check_positive_int(chunk, "chunk")
    from_file = method.startswith("file:")
    groups = (
        [budgets] if from_file or find_method(located(method)).nested else np.split(budgets, len(budgets))
    )
    if len(groups) > 1 and any(choice.get("matching") == "coco" for choice in conventions):
        raise fail('one budget with matching="coco"', f"{len(budgets)} for {method}",
                   "Its boxes differ from budget to budget: ask for one at a time.", "cover")  # fmt: skip
    ids = dataset.images["image_id"]
    pieces = [[] for _ in conventions]
    for start in range(0, max(len(ids), 1), len(ids) + 1 if from_file else chunk):
        whole = from_file or len(ids) <= chunk
        part = dataset if whole else dataset.subset(ids.iloc[start : start + chunk])
        columns = [[] for _ in conventions]
        for group in groups:
            proposals = _proposals(method, part, int(group[-1]), seed, made if whole else None)
            for tables, choice in zip(columns, conventions, strict=True):
                tables.append(match(part, proposals, group, **choice))
        for tables, piece in zip(columns, pieces, strict=True):
            piece.append(_beside(tables, budgets))
    return [_below(piece, dataset) for piece in pieces]


def _proposals(method: str, dataset: Dataset, k: int, seed: int, made: dict | None) -> Proposals:
    made = {} if made is None else made
    key = (method, k, seed)
    if key not in made:
        made[key] = propose(located(method), dataset, k, seed)
    return made[key]


def _beside(tables: list[Overlaps], budgets: np.ndarray) -> Overlaps:
    """Join tables of the same objects that hold one budget each."""
    if len(tables) == 1:
        return tables[0]
    columns = {name: np.hstack([getattr(table, name) for table in tables]) for name in ("iou", "rank")}
    return replace(tables[0], budgets=budgets, **columns)


def _below(pieces: list[Overlaps], dataset: Dataset) -> Overlaps:
    """Join tables of consecutive images of `dataset`."""
    if len(pieces) == 1:
        return pieces[0]
    images = np.cumsum([0, *(piece.n_images for piece in pieces)])
    objects = np.cumsum([0, *(len(piece.dataset.objects) for piece in pieces)])
    rows = np.concatenate([p.object_row + first for p, first in zip(pieces, objects, strict=False)])
    codes, categories = pd.factorize(dataset.objects["category"])

    def joined(name, axis=0):
        parts = [getattr(piece, name) for piece in pieces]
        return None if parts[0] is None else np.concatenate(parts, axis=axis)

    return replace(
        pieces[0],
        image_row=np.concatenate([p.image_row + first for p, first in zip(pieces, images, strict=False)]),
        object_row=rows,
        n_images=int(images[-1]),
        category_code=codes[rows],
        categories=pd.Index(categories),
        dataset=dataset,
        iou=joined("iou"),
        rank=joined("rank"),
        hit_rank=joined("hit_rank", axis=1),
    )


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


def shrink(dataset: Dataset, longest: int) -> Dataset:
    """Return the data set with its larger pictures made smaller, boxes included, to save time.

    Parameters
    ----------
    dataset : Dataset
        One without pictures is returned as it is.
    longest : int
        Longest side in pixels that a picture may have; 0 leaves all as they are.

    Returns
    -------
    Dataset
        Only boxes and pictures: masks and partitions are left out where anything shrinks.
    """
    longest = check_positive_int(longest, "longest", minimum=0)
    sizes = dataset.images[["width", "height"]].to_numpy(dtype=np.float64)
    scale = np.minimum(longest / sizes.max(axis=1), 1)
    if not longest or dataset.read_image is None or (scale == 1).all():
        return dataset
    smaller = np.maximum(np.rint(sizes * scale[:, np.newaxis]), 1)
    # Factors per axis, after rounding, keep a box that fills its image filling it.
    factor = np.tile(smaller / sizes, 2)[dataset.image_rows(dataset.objects["image_id"])]
    first = dataset.origin
    shift = np.array([first, first, *[first - (dataset.pixels == "inclusive")] * 2], dtype=np.float64)
    columns = list(BOX_COLUMNS)
    boxes = (dataset.objects[columns].to_numpy(dtype=np.float64) - shift) * factor + shift
    if dataset.pixels == "inclusive":
        # Where both end pixels belong to a box it cannot be narrower than one.
        boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2])
    images = dataset.images.assign(**dict(zip(("width", "height"), smaller.astype(np.int64).T, strict=True)))
    shapes = dict(zip(images["image_id"], map(tuple, smaller.astype(int).tolist()), strict=True))

    def read_image(image_id):
        picture = Image.fromarray(dataset.read_image(image_id))
        return np.asarray(picture.resize(shapes[image_id], Image.Resampling.BOX))

    return Dataset(
        dataset.name,
        images,
        dataset.objects.assign(**dict(zip(columns, boxes.T, strict=True))),
        pixels=dataset.pixels,
        origin=dataset.origin,
        read_image=read_image,
        provenance={**dataset.provenance, "longest": longest},
    )


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
    hidden = dataset.objects["ignore"].to_numpy(dtype=bool)
    if "crowd" in dataset.objects:
        hidden = hidden | dataset.objects["crowd"].to_numpy(dtype=bool)
    objects = dataset.objects[~hidden]
    extra = float(dataset.pixels == "inclusive")
    areas = (objects["x2"] - objects["x1"] + extra) * (objects["y2"] - objects["y1"] + extra)
    sizes = dataset.images[["width", "height"]].to_numpy()[dataset.image_rows(objects["image_id"])]
    counts = np.histogram(np.minimum(np.sqrt(areas.to_numpy() / sizes.prod(axis=1)), 1), edges)[0]
    table = pd.DataFrame({"dataset": dataset.name, "low": edges[:-1], "high": edges[1:], "objects": counts})
    return table.assign(share=counts / len(objects) if len(objects) else np.nan)
