"""The overlap table: what every box criterion is computed from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import (
    as_floats,
    check_positive_int,
    check_threshold,
    check_type,
    fail,
    unmasked,
)
from propeval_lite.datasets.base import Dataset, check_dataset


@dataclass(frozen=True, eq=False)
class Overlaps:
    """How well each object is covered by the first k proposals of its image, for each budget k.

    Made by :func:`match`. Rows are the objects that count, grouped by image.

    Attributes
    ----------
    iou : float64 array, (n_objects, n_budgets), or None
        IoU of the object with the proposal assigned to it, 0 where none is. None after ``matching="coco"``,
        which assigns anew for each threshold.
    rank : int64 array, (n_objects, n_budgets), or None
        Rank of that proposal in its image, counted from 0; −1 where none is assigned.
    thresholds, hit_rank : float64 (n_thresholds,), int64 (n_thresholds, n_objects), or None
        Only after ``matching="coco"``: the rank of the proposal that hits the object; −1 where none does.
    budgets : array, (n_budgets,)
        Rising; integers, or floats where the last is infinity ("all proposals").
    image_row : int64 array, (n_objects,)
        Number of the object's image among `n_images`, in rising order.
    object_row : int64 array, (n_objects,)
        The object's row in ``dataset.objects``.
    n_images : int
        All images of the data set, with or without objects.
    category_code, categories : int64 array (n_objects,), Index
        ``categories[category_code]`` are the categories; −1 stands for a missing one.
    dataset : Dataset or None
        Where the objects come from; None for a table made :meth:`from_iou` without one.
    conventions : dict
        Every choice that moves a number, to be printed beside it.
    """

    budgets: np.ndarray
    image_row: np.ndarray
    object_row: np.ndarray
    n_images: int
    category_code: np.ndarray
    categories: pd.Index
    dataset: Dataset | None
    conventions: dict
    iou: np.ndarray | None = None
    rank: np.ndarray | None = None
    thresholds: np.ndarray | None = None
    hit_rank: np.ndarray | None = None

    @classmethod
    def from_iou(cls, iou, budgets, image_row=None, category=None, dataset=None, **conventions) -> Overlaps:
        """Make a table from IoUs that somebody else assigned, for example published ones.

        Parameters
        ----------
        iou : array, (n_objects, n_budgets)
            In [0, 1].
        budgets : int or list of int
            As in :func:`match`.
        image_row : sequence of int, (n_objects,)
            The image of each object, in rising order. Left out where `dataset` tells.
        category : sequence, (n_objects,), optional
            Left out where `dataset` tells.
        dataset : Dataset, optional
            Its objects are the rows of `iou`, in their order.
        **conventions
            How the IoUs were made, as far as known: ``method="lpo", matching="best"``.

        Examples
        --------
        >>> Overlaps.from_iou([[0.5, 0.75], [0, 1]], budgets=[10, 100], image_row=[0, 0], method="theirs")
        Overlaps(2 objects, 1 images, budgets [10, 100]; dataset='unknown', method='theirs')
        """
        budgets = check_budgets(budgets)
        # A copy: the caller may fill the same array with the numbers of the next method.
        iou = np.array(iou) if type(iou) is np.ndarray else iou
        iou = as_floats(iou, "numbers from 0 to 1", "Give an array of numbers.", "iou")
        if iou.ndim != 2 or iou.shape[1] != len(budgets):
            expected, got = f"shape (n_objects, {len(budgets)})", f"shape {iou.shape}"
            raise fail(expected, got, "Give one column per budget.", "iou")
        if not ((iou >= 0) & (iou <= 1)).all():
            raise fail("numbers from 0 to 1", iou[~((iou >= 0) & (iou <= 1))][0], "Misses have IoU 0.", "iou")
        n_images = None
        if dataset is not None:
            check_dataset(dataset)
            image_row = dataset.image_rows(dataset.objects["image_id"])
            category, n_images = dataset.objects["category"], len(dataset.images)
        remedy = "Number the images from 0."
        rows = as_floats([] if image_row is None else image_row, "whole numbers", remedy, "image_row")
        if not (np.isfinite(rows) & (rows == np.floor(rows)) & (np.abs(rows) < 2**53)).all():
            raise fail("whole numbers", f"{rows.ravel()[:5].tolist()}…", remedy, "image_row")
        rows = rows.astype(np.int64)
        if rows.shape != (len(iou),) or (np.diff(rows, prepend=0) < 0).any():
            raise fail(
                f"{len(iou)} image rows in rising order from 0",
                "none" if image_row is None else f"{rows.size}: {rows.ravel()[:5].tolist()}…",
                "Give image_row, or the data set whose objects are the rows of iou.",
                "image_row",
            )
        if category is not None and (isinstance(category, str) or not np.iterable(category)):
            got = type(category).__name__
            raise fail("a list of categories", got, "Give one for each object.", "category")
        # The stubs leave out extension arrays.
        codes, categories = pd.factorize(
            np.zeros(len(iou)) if category is None else pd.Series(category).array
        )
        if len(codes) != len(iou):
            raise fail(f"{len(iou)} categories", f"{len(codes)}", "Give one for each object.", "category")
        conventions = {"dataset": dataset.name if dataset is not None else "unknown"} | conventions
        n_images = int(rows.max(initial=-1)) + 1 if n_images is None else n_images
        numbers = np.arange(len(iou))
        return cls(
            budgets, rows, numbers, n_images, codes, pd.Index(categories), dataset, conventions, iou=iou
        )

    def __len__(self) -> int:
        return len(self.object_row)

    def __repr__(self) -> str:
        choices = ", ".join(f"{key}={value!r}" for key, value in self.conventions.items())
        size = f"{len(self)} objects, {self.n_images} images, budgets {self.budgets.tolist()}"
        return f"Overlaps({size}; {choices})"

    def known_dataset(self) -> Dataset:
        """Return `dataset`, or an error where there is none."""
        if self.dataset is None:
            raise fail("a table that knows its data set", "one made without", "Give dataset= to from_iou.")
        return self.dataset

    @property
    def objects(self) -> pd.DataFrame:
        """The rows of ``dataset.objects`` behind the rows of this table."""
        return self.known_dataset().objects.iloc[self.object_row].reset_index(drop=True)

    @property
    def boxes(self) -> np.ndarray:
        """x1, y1, x2, y2 of each object, (n_objects, 4)."""
        return self.objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)

    def assigned_iou(self, asker: str) -> np.ndarray:
        """`iou`, or an error that says why `asker` cannot have it."""
        if self.iou is None:
            raise fail(
                f"{asker} to have one IoU per object",
                'a table of matching="coco", which only knows hits at its thresholds',
                'Match with "greedy", "best" or "optimal", or use recall and average_recall(kind="coco").',
            )
        return self.iou

    def hits(self, tau) -> np.ndarray:
        """Whether each object is hit at threshold `tau` within each budget, (n_objects, n_budgets) bool.

        An IoU equal to `tau` is a hit. A float `tau` means the short decimal it prints as, and both sides are
        rounded once, so for boxes with whole coordinates no rounding decides a tie.
        """
        threshold = float(check_threshold(tau))
        if self.thresholds is None or self.hit_rank is None:
            return self.assigned_iou("hits") >= threshold
        row = np.flatnonzero(np.abs(self.thresholds - threshold) < 1e-9)
        if not row.size:
            remedy = "COCO's matching depends on the threshold: name it in match(..., thresholds=[...])."
            raise fail(f"tau to be one of {', '.join(f'{t:g}' for t in self.thresholds)}", tau, remedy)
        rank = self.hit_rank[row[0]][:, np.newaxis]
        return (rank >= 0) & (rank < self.budgets)

    def select(self, keep: np.ndarray) -> Overlaps:
        """Return the rows where the boolean `keep`, (n_objects,), holds; nothing is matched again."""
        keep = unmasked(keep, "keep")
        if keep.dtype != bool or keep.shape != (len(self),):
            remedy = "Compare a column of .objects."
            raise fail(f"{len(self)} booleans", f"{keep.dtype} of shape {keep.shape}", remedy, "keep")
        return self._take(np.flatnonzero(keep), self.image_row[keep])

    def resample(self, draws: np.ndarray) -> Overlaps:
        """Return the table of the images with row numbers `draws`; a repeated image counts each time."""
        draws = unmasked(draws, "draws")
        if draws.size == 0:
            draws = draws.astype(np.int64)
        if draws.ndim != 1 or draws.dtype.kind not in "iu" or ((draws < 0) | (draws >= self.n_images)).any():
            got = f"{draws.ravel()[:5].tolist()}…"
            raise fail(
                f"row numbers of images from 0 to {self.n_images - 1}", got, "Draw whole numbers.", "draws"
            )
        counts = np.bincount(self.image_row, minlength=self.n_images)
        first = np.cumsum(counts) - counts
        drawn = counts[draws]
        image_row = np.repeat(np.arange(len(draws)), drawn)
        rows = np.arange(len(image_row)) + np.repeat(first[draws] - (np.cumsum(drawn) - drawn), drawn)
        return replace(self._take(rows, image_row), n_images=len(draws))

    def _take(self, rows, image_row) -> Overlaps:
        return replace(
            self,
            image_row=image_row,
            object_row=self.object_row[rows],
            category_code=self.category_code[rows],
            iou=None if self.iou is None else self.iou[rows],
            rank=None if self.rank is None else self.rank[rows],
            hit_rank=None if self.hit_rank is None else self.hit_rank[:, rows],
        )


def check_overlaps(overlaps: object) -> Overlaps:
    """Return `overlaps` if it is an overlap table."""
    remedy = "Make it with match or Overlaps.from_iou."
    return check_type(overlaps, Overlaps, "an overlap table (Overlaps)", remedy, "overlaps")


def check_budgets(budgets) -> np.ndarray:
    """Return `budgets` as a rising array of whole numbers >= 1; None and "all" become infinity."""
    single = isinstance(budgets, str) or not np.iterable(budgets)
    entries = [budgets] if single else list(budgets)
    if not entries:
        raise fail("at least one budget", "none", "Give for example budgets=[10, 100, 1000].")
    numbers = [
        math.inf
        if entry is None
        or (isinstance(entry, str) and entry == "all")
        or (isinstance(entry, (float, np.floating)) and entry == math.inf)
        else check_positive_int(entry, "budget")
        for entry in entries
    ]
    # Beside "all" budgets are floats, which hold whole numbers up to 2**53.
    if any(2**53 < number < math.inf for number in numbers):
        raise fail("budgets up to 2**53", numbers, 'Write "all" for all proposals.')
    for before, after in pairwise(numbers):
        if after <= before:
            raise fail("rising budgets", f"{after} after {before}", "Sort the budgets and name each once.")
    return np.array(numbers)
