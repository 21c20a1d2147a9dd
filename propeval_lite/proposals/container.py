"""Proposals of one method for the images of one data set: columns, and offsets per image."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import (
    BOX_COLUMNS,
    add_left_out,
    as_boxes,
    as_ids,
    as_python,
    as_scores,
    bad_boxes,
    raise_first,
)
from propeval_lite._checks.values import (
    check_choice,
    check_number,
    check_positive_int,
    check_text,
    check_type,
    fail,
)
from propeval_lite.datasets.base import check_dataset
from propeval_lite.datasets.frame import Frame, checked_frame
from propeval_lite.proposals.alignment import ask_about_files, gather, rescaled, treat_outside
from propeval_lite.proposals.columns import (
    DUPLICATES,
    check_offsets,
    first_of_each,
    group_columns,
    rounded,
    settled,
    table_columns,
)


@dataclass(frozen=True)
class Proposals:
    """Ranked boxes, image after image.

    Boxes are sorted when the object is made: by falling score within each image, ties in the order given.
    Without scores the order given is the ranking.

    Parameters
    ----------
    image_ids : array, (n_images,)
        The images that have a place in the table, each once.
    offsets : int64 array, (n_images + 1,)
        Boxes of image i are the rows ``offsets[i]:offsets[i + 1]``, best first.
    boxes : float64 array, (n, 4)
        x1, y1, x2, y2 in the coordinate frame of the data set they were made for.
    scores : float64 array, (n,), optional
        Higher is better. None means that the given order is the ranking.
    name : str
        The method's name, printed beside every number.
    provenance : dict
        File or method, parameters, seed, and under ``"left_out"`` a report of what was left out.
    pixels : {"edges", "inclusive"}, optional
        How wide a box is: ``x2 - x1`` or ``x2 - x1 + 1``. None means "as in the data set".
    origin : {0, 1}, optional
        Coordinate of the first pixel. None means "as in the data set".
    scale : {"full", "relative"} or int, optional
        Of which pictures the coordinates are: of the full ones, of those shrunk to this longest side in pixels, or
        shares of width and height from 0 to 1 (counted from 0, as edges). None means "as in the data set".

    Examples
    --------
    >>> boxes = [[0, 0, 4, 4], [1, 1, 5, 5], [2, 2, 3, 3]]
    >>> proposals = Proposals(["a", "b"], [0, 2, 3], boxes, scores=[0.1, 0.9, 0.5])
    >>> proposals.of("a")[1].tolist()
    [0.9, 0.1]
    >>> len(proposals.top(1))
    2
    """

    image_ids: np.ndarray
    offsets: np.ndarray
    boxes: np.ndarray
    scores: np.ndarray | None = None
    name: str = "proposals"
    provenance: dict = field(default_factory=dict)
    pixels: str | None = None
    origin: int | None = None
    scale: str | int | None = None

    def __post_init__(self):
        put = object.__setattr__.__get__(self)
        check_text(self.name, "name")
        check_type(self.provenance, dict, "a dict", "Note where the boxes come from.", "provenance")
        given = self.boxes, self.scores, self.offsets
        put("image_ids", as_ids(self.image_ids, f"{self.name}: image_ids"))
        put("boxes", as_boxes(self.boxes, f"{self.name}: boxes"))
        for key, value in zip(("pixels", "origin", "scale"), checked_frame(self), strict=True):
            put(key, value)
        put("offsets", check_offsets(self.offsets, len(self.image_ids), len(self.boxes), self.name))
        if self.scores is not None:
            put("scores", as_scores(self.scores, len(self.boxes), f"{self.name}: scores"))
        faults = bad_boxes(self.boxes, self.scores)
        if faults:
            raise_first(faults, self.boxes, self.scores, self.image_of_row, self.name)
        for key, array in zip(("boxes", "scores", "offsets"), settled(self, given), strict=True):
            put(key, array)

    def __len__(self) -> int:
        return len(self.boxes)

    def __repr__(self) -> str:
        ranking = "given order" if self.scores is None else "by score"
        return f"Proposals({self.name!r}: {len(self.boxes)} boxes, {len(self.image_ids)} images, {ranking})"

    @classmethod
    def from_table(
        cls,
        table: pd.DataFrame,
        name: str = "proposals",
        on_bad: str = "error",
        score: str | None = None,
        **fields,
    ) -> Proposals:
        """Make proposals from a table with ``image_id``, ``x1``, ``y1``, ``x2``, ``y2``, perhaps ``score``.

        Images come in order of first appearance; their rows need not be neighbours.

        Parameters
        ----------
        table : DataFrame
            One row per box.
        name : str
            The method's name; also named in errors.
        on_bad : {"error", "drop"}
            What to do with rows that are no box: stop, or leave them out and report each in
            ``provenance["left_out"]``.
        score : str, optional
            The column of scores, or "none" if the row order is the ranking. By default a column called ``score`` or
            a synonym; without one and without other columns of numbers the row order is the ranking.
        **fields
            Further fields of :class:`Proposals`, such as `provenance`, `pixels` and `origin`.

        Returns
        -------
        Proposals

        Examples
        --------
        >>> table = pd.DataFrame({"image_id": [7, 3, 7], "x1": 0, "y1": 0, "x2": [5, 6, 7], "y2": 4})
        >>> Proposals.from_table(table).of(7)[0][:, 2].tolist()
        [5.0, 7.0]
        """
        check_type(table, pd.DataFrame, "a table (DataFrame)", "Give one row per box.", "table")
        image_id, boxes, scores = table_columns(table, check_text(name, "name"), on_bad, score)
        return cls.from_columns(image_id, boxes, scores, name, on_bad, **fields)

    @classmethod
    def from_columns(
        cls, image_id, boxes, scores=None, name: str = "proposals", on_bad: str = "error", **fields
    ) -> Proposals:
        """Make proposals from one image id per box, (n, 4) boxes and perhaps (n,) scores, in any image order.

        The same as :meth:`from_table` for columns that already are arrays; a pandas ``Categorical`` of ids
        saves memory.
        """
        ids, offsets, boxes, scores, report = group_columns(image_id, boxes, scores, name, on_bad)
        if report:
            fields["provenance"] = add_left_out(fields.get("provenance", {}), report)
        return cls(ids, offsets, boxes, scores, name, **fields)

    def with_images(self, image_ids) -> Proposals:
        """Give an empty place to those of `image_ids` that have none yet (behind the others)."""
        new = pd.Index(image_ids).difference(pd.Index(self.image_ids), sort=False)
        if not len(new):
            return self
        ids = as_ids([*self.image_ids.tolist(), *new.tolist()], self.name)
        offsets = np.concatenate((self.offsets, np.full(len(new), len(self.boxes))))
        return self._copy(image_ids=ids, offsets=offsets)

    def to_table(self) -> pd.DataFrame:
        """One row per box, best first within its image: ``image_id``, corners, and ``score`` if any."""
        table = pd.DataFrame(self.boxes, columns=list(BOX_COLUMNS))
        table.insert(0, "image_id", np.repeat(self.image_ids, np.diff(self.offsets)))
        if self.scores is not None:
            table["score"] = self.scores
        return table

    def image_of_row(self, row: int):
        """Return the image id that row `row` of `boxes` belongs to."""
        return as_python(self.image_ids[np.searchsorted(self.offsets, row, side="right") - 1])

    def of(self, image_id) -> tuple[np.ndarray, np.ndarray | None]:
        """Boxes (n, 4) and scores (n,) of one image, best first; scores are None where there are none."""
        known = isinstance(image_id, Hashable) and not isinstance(image_id, tuple)
        index = pd.Index(self.image_ids).get_indexer([image_id])[0] if known else -1
        if index < 0:
            remedy = "Call .aligned(dataset) first to give images without proposals an empty place."
            raise fail(f"an image id of {self.name}", f"unknown id {image_id!r}", remedy, "image_id")
        rows = slice(self.offsets[index], self.offsets[index + 1])
        return self._rows(rows)

    def top(self, k: int) -> Proposals:
        """Keep the first `k` boxes of each image: the best scores, ties in the order given."""
        k = check_positive_int(k, "k", minimum=0)
        counts = np.diff(self.offsets)
        if not counts.size or counts.max() <= k:
            return self
        return self._take(np.arange(len(self)) - np.repeat(self.offsets[:-1], counts) < k)

    def deduplicate(self, policy: str = "exact") -> Proposals:
        """Remove repeated boxes within each image; the best-ranked of equals stays.

        Parameters
        ----------
        policy : {"exact", "rounded", "hosang", "keep"}
            "keep" removes nothing, "exact" removes boxes whose four numbers equal those of a better box,
            "rounded" those that equal it after rounding to whole pixels, "hosang" those that equal it after
            rounding x1 and y1 and raising x2 and y2 to the next whole pixel. The box that stays is not rounded.

        Returns
        -------
        Proposals
            With ``provenance["duplicates"]``: the policy and how many boxes it removed.

        Examples
        --------
        >>> twice = Proposals(["a"], [0, 2], [[0, 0, 4, 4], [0, 0, 4, 4.2]])
        >>> [len(twice.deduplicate(policy)) for policy in ("keep", "exact", "rounded", "hosang")]
        [2, 2, 1, 2]
        """
        check_choice(policy, DUPLICATES, "policy")
        if policy == "keep":
            return self
        owner = np.repeat(np.arange(len(self.image_ids)), np.diff(self.offsets))
        boxes = rounded(self.boxes, policy)
        keep = np.zeros(len(self), dtype=bool)
        keep[first_of_each(np.column_stack([owner, boxes]))] = True
        note = {"policy": policy, "removed": int((~keep).sum())}
        return self._take(keep, {**self.provenance, "duplicates": note})

    def converted(self, pixels: str, origin: int) -> Proposals:
        """Return the boxes in another coordinate frame; they cover the same pixels as before.

        Parameters
        ----------
        pixels : {"edges", "inclusive"}
        origin : {0, 1}
            The frame wanted. If the frame of these proposals is unknown this only declares it.

        Examples
        --------
        >>> voc = Proposals(["a"], [0, 1], [[1, 1, 10, 5]], pixels="inclusive", origin=1)
        >>> voc.converted("edges", 0).boxes.tolist()
        [[0.0, 0.0, 10.0, 5.0]]
        """
        wanted = Frame(pixels, origin).checked()
        if self.pixels is None or Frame.of(self) == wanted:
            return self._copy(pixels=pixels, origin=origin)
        boxes = Frame.of(self).convert(self.boxes, wanted)
        note = {"from": [self.pixels, self.origin], "to": [pixels, origin]}
        return self._copy(
            boxes=boxes, pixels=pixels, origin=origin, provenance={**self.provenance, "converted": note}
        )

    def declared(self) -> Proposals:
        """Return these proposals if their coordinate frame is known; formats with a fixed frame need it."""
        if self.pixels is None:
            expected, got = "proposals with a known coordinate frame", "pixels=None, origin=None"
            remedy = "Declare it with proposals.converted(dataset.pixels, dataset.origin)."
            raise fail(expected, got, remedy, self.name)
        return self

    def aligned(self, dataset) -> Proposals:
        """Return these proposals with exactly the images of `dataset`, in its order, scale and coordinate frame.

        Images without proposals get an empty place, so that they count in every denominator; an image id
        that the data set does not have is an error. Whole-number ids and their plain spelling (7 and "7")
        are the same id. Boxes whose frame or scale is known and differs are converted to that of the data set.
        Boxes of a file are refused where their frame had to be guessed or where they do not look like corners.

        Parameters
        ----------
        dataset : Dataset

        Returns
        -------
        Proposals
            ``image_ids`` equals ``dataset.images["image_id"]``; arrays are shared if the order is the same.
        """
        check_dataset(dataset)
        offsets, rows = gather(self, dataset)
        fields = {"image_ids": dataset.images["image_id"].to_numpy(), "offsets": offsets}
        if rows is not None:
            fields["boxes"], fields["scores"] = self._rows(rows)
        placed = self._copy(**fields)
        ask_about_files(placed, dataset)
        if self.scale is not None and self.scale != dataset.scale:
            placed = placed._copy(boxes=rescaled(placed, dataset), scale=dataset.scale)
        if self.pixels is not None and (self.pixels, self.origin) != (dataset.pixels, dataset.origin):
            placed = placed.converted(dataset.pixels, dataset.origin)
        return placed

    def checked_against(self, dataset, outside: str = "error", tolerance: float = 1.0) -> Proposals:
        """Return :meth:`aligned` proposals whose boxes lie in the images of `dataset`.

        Parameters
        ----------
        dataset : Dataset
        outside : {"error", "clip", "drop", "keep"}
            What happens to a box that leaves its image by more than `tolerance`: stop, cut it at the
            border (and leave it out where nothing remains), leave it out, or keep it as it is. What was
            cut or left out is reported in ``provenance["left_out"]``.
        tolerance : float
            Overhang in pixels that is accepted and left unchanged, because exporters round.

        Returns
        -------
        Proposals
        """
        check_choice(outside, ("error", "clip", "drop", "keep"), "outside")
        expected = "a tolerance of at least 0 pixels"
        check_number(tolerance, expected, lambda pixels: pixels >= 0, "Use for example 1.")
        aligned = self.aligned(dataset)
        if outside == "keep":
            return aligned
        boxes, keep, report = treat_outside(aligned, dataset, outside, tolerance)
        if keep is None:
            return aligned
        return aligned._copy(boxes=boxes)._take(keep, add_left_out(aligned.provenance, report))

    def _rows(self, rows) -> tuple[np.ndarray, np.ndarray | None]:
        return self.boxes[rows], None if self.scores is None else self.scores[rows]

    def _take(self, keep: np.ndarray, provenance: dict | None = None) -> Proposals:
        """Rows where the boolean `keep` holds; order, and so the ranking, is unchanged."""
        boxes, scores = self._rows(keep)
        offsets = np.concatenate(([0], np.cumsum(keep)))[self.offsets]
        provenance = self.provenance if provenance is None else provenance
        return self._copy(offsets=offsets, boxes=boxes, scores=scores, provenance=provenance)

    def _copy(self, **fields: Any) -> Proposals:
        """Replace fields without checking again what is known to be right (millions of boxes)."""
        copy = object.__new__(Proposals)
        for key in self.__dataclass_fields__:
            object.__setattr__(copy, key, fields.get(key, getattr(self, key)))
        return copy
