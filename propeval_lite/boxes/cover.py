"""Propose and match in one go: which methods can run on a data set, and their overlap tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd

from propeval_lite._checks.naming import belongs, unique_names
from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import check_positive_int, fail
from propeval_lite.boxes.match import match
from propeval_lite.boxes.table import Overlaps, check_budgets
from propeval_lite.datasets.base import Dataset
from propeval_lite.methods import propose
from propeval_lite.methods.registry import BUILT_IN, find_method
from propeval_lite.proposals.container import Proposals


def usable(methods: Sequence[str], dataset: Dataset, files: bool = True) -> tuple[list[str], list[str]]:
    """Part methods into those that belong to a data set and those that say that they do not.

    A method that belongs to it but cannot run there is an error, so that none is missing from a result in silence.

    Parameters
    ----------
    methods : sequence of str
        As in :func:`propose`, each under a name of its own.
    dataset : Dataset
        Without pictures only methods run that need no more than an image's size.
    files : bool
        Whether ``"file:PATH"`` belongs: the boxes of a file are those of one data set.

    Returns
    -------
    usable, left_out : lists of str
        Left out are files, if so asked, and methods whose option ``dataset`` names another data set.

    Examples
    --------
    >>> from propeval_lite.datasets.base import no_objects
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [40], "height": [30]})
    >>> boxes_only = Dataset("boxes only", images, no_objects())
    >>> usable(["uniform", "selective_search?dataset=photos"], boxes_only)
    (['uniform'], ['selective_search?dataset=photos'])
    """
    good: list[str] = []
    bad: list[str] = []
    for _, method in unique_names(methods, BUILT_IN):
        is_file = parse_spec(method, "methods").name == "file"
        if not belongs(method, dataset) or (is_file and not files):
            bad.append(method)
            continue
        if dataset.read_image is None and not is_file and reads_pictures(method):
            got = f"{method!r}, which looks at pictures, and {dataset.name}, which has none"
            mark = "&" if "?" in method else "?"
            remedy = (
                "Leave the method out, give the data set its pictures, or name the data set that it is for, "
            )
            remedy += f"for example '{method}{mark}dataset=photos'."
            raise fail("methods that can run on their data set", got, remedy, "methods")
        good.append(method)
    return good, bad


def reads_pictures(method: str) -> bool:
    """Whether a method looks at pixels; the boxes of a file are taken to come from a method that did.

    Examples
    --------
    >>> reads_pictures("uniform"), reads_pictures("selective_search")
    (False, True)
    """
    return parse_spec(method, "methods").name == "file" or find_method(located(method)).needs == "image"


def located(method: str) -> str:
    """Return ``"bing"`` with the folder of its model, if ``PROPEVAL_DATA`` holds one; others unchanged."""
    folder, spec = Path(os.environ.get("PROPEVAL_DATA", "")) / "bing", parse_spec(method, "methods")
    if spec.head != "bing" or "model" in spec.options or not folder.is_dir():
        return method
    return f"{method}{'&' if '?' in method else '?'}model={quote(str(folder), safe='/')}"


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
        same images; those of other images, sizes or seeds do not meet in it, see :meth:`Dataset.sight`. Left alone
        where there are more than `chunk` images.

    Returns
    -------
    list of Overlaps
        One per entry of `conventions`, over all images and budgets.
    """
    budgets = check_budgets(budgets)
    chunk = check_positive_int(chunk, "chunk")
    from_file = parse_spec(method, "methods").name == "file"
    groups = (
        [budgets] if from_file or find_method(located(method)).nested else np.split(budgets, len(budgets))
    )
    if len(groups) > 1 and any(choice.get("matching") == "coco" for choice in conventions):
        raise fail('one budget with matching="coco"', f"{len(budgets)} for {method}",
                   "Its boxes differ from budget to budget: ask for one at a time.", "cover")  # fmt: skip
    ids = dataset.images["image_id"]
    pieces: list[list[Overlaps]] = [[] for _ in conventions]
    for start in range(0, max(len(ids), 1), len(ids) + 1 if from_file else chunk):
        whole = from_file or len(ids) <= chunk
        part = dataset if whole else dataset.subset(ids.iloc[start : start + chunk])
        columns: list[list[Overlaps]] = [[] for _ in conventions]
        for group in groups:
            proposals = _proposals(method, part, int(group[-1]), seed, made if whole else None)
            for tables, choice in zip(columns, conventions, strict=True):
                tables.append(match(part, proposals, group, **choice))
        for tables, piece in zip(columns, pieces, strict=True):
            piece.append(_beside(tables, budgets))
    return [_below(piece, dataset) for piece in pieces]


def _proposals(method: str, dataset: Dataset, k: int, seed: int, made: dict | None) -> Proposals:
    made = {} if made is None else made
    key = (method, k, seed, *dataset.sight())
    if key not in made:
        made[key] = propose(located(method), dataset, k, seed)
    return made[key]


def _beside(tables: list[Overlaps], budgets: np.ndarray) -> Overlaps:
    """Join tables of the same objects that hold one budget each."""
    if len(tables) == 1:
        return tables[0]
    iou, rank = (np.hstack([getattr(table, name) for table in tables]) for name in ("iou", "rank"))
    return replace(tables[0], budgets=budgets, iou=iou, rank=rank)


def _below(pieces: list[Overlaps], dataset: Dataset) -> Overlaps:
    """Join tables of consecutive images of `dataset`."""
    if len(pieces) == 1:
        return pieces[0]
    images = np.cumsum([0, *(piece.n_images for piece in pieces)])
    objects = np.cumsum([0, *(len(piece.known_dataset().objects) for piece in pieces)])
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
