"""Proposals in JSON: COCO results, and the masks that SAM and its kin write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from propeval_lite._checks.boxes import as_python, four_numbers, score_name, text_ids
from propeval_lite._checks.values import InputError, check_choice, fail, is_number
from propeval_lite.datasets.files import BadInput, files_in, read_json
from propeval_lite.datasets.rle import mask_box
from propeval_lite.proposals.container import Proposals

FRAME: dict[str, Any] = {"pixels": "edges", "origin": 0}
SOURCES = ("auto", "bbox", "segmentation")
SAM_SCORES = ("predicted_iou", "stability_score", "score")
#: Entries of a record, as COCO and SAM write them, that rank nothing.
NO_SCORES = (
    "id", "image_id", "category_id", "bbox", "area", "segmentation", "iscrowd", "ignore", "crop_box", "point_coords",
    "width", "height",
)  # fmt: skip


def read_coco(
    path: Path, name: str, on_bad: str, *, boxes_from: str = "auto", score: str | None = None
) -> Proposals:
    """Read COCO results: a list of ``{"image_id", "bbox": [x, y, w, h], "score"}``.

    Equal scores of an image rank by ``category_id``, then by their place in the file, as in pycocotools.

    Parameters
    ----------
    path, name, on_bad
        See :func:`propeval_lite.read_proposals`.
    boxes_from : {"auto", "bbox", "segmentation"}
        Use the box, the tight box of the run-length mask, or the box and, where there is none, the mask.
    score : str, optional
        Which entry ranks the boxes, "none" if their order does. By default ``score`` or a synonym.
    """
    return _coco(read_json(path, "COCO results"), name, on_bad, boxes_from, score)


def read_sam(
    path: Path,
    name: str,
    on_bad: str,
    *,
    boxes_from: str = "auto",
    score: str | None = None,
    ids: str = "auto",
) -> Proposals:
    """Read masks as SAM's generator writes them, with ``bbox``, ``predicted_iou`` and ``segmentation``.

    One file with a list of records that name their ``image_id``, one file with an object that maps image
    ids to lists, or one file per image (in a folder; a list, or ``{"image": …, "annotations": list}``),
    whose image id is the file's name without ending.

    Parameters
    ----------
    path, name, on_bad
        See :func:`propeval_lite.read_proposals`.
    boxes_from : {"auto", "bbox", "segmentation"}
        Use the box, the tight box of the run-length mask, or the box and, where there is none, the mask.
        SAM's own boxes end at the index of the last pixel and so are one pixel narrower and lower than
        the mask; "segmentation" gives the box around all pixels.
    score : str, optional
        Which entry ranks the masks, "none" if their order does. By default the first of ``predicted_iou``,
        ``stability_score`` and ``score`` that the records have, or a synonym of the last.
    ids : {"auto", "int", "str"}
        What becomes of ids that are file names or keys, see
        :func:`propeval_lite.read_proposals`.
    """
    files = files_in(path, ".json") if path.is_dir() else [path]
    if not files:
        raise fail("a folder with .json files", "none", "Check the path.", name)
    contents = [(file.stem, read_json(file, "SAM masks")) for file in files]
    return _sam(contents, name, on_bad, boxes_from, score, ids)


def read_json_kind(
    path: Path,
    name: str,
    on_bad: str,
    *,
    boxes_from: str = "auto",
    score: str | None = None,
    ids: str = "auto",
) -> Proposals:
    """Read COCO results or SAM masks, whichever the content is; for the options see :func:`read_sam`."""
    content = read_json(path, "proposals")
    first = content[0] if isinstance(content, list) and content else None
    if content == []:
        # A method that found nothing; the file's name must not become an image id.
        return _coco(content, name, on_bad, boxes_from, None)
    if isinstance(first, dict) and "image_id" in first and not any(key in first for key in SAM_SCORES[:2]):
        return _coco(content, name, on_bad, boxes_from, score)
    return _sam([(path.stem, content)], name, on_bad, boxes_from, score, ids)


def _coco(content, name: str, on_bad: str, boxes_from: str, score: str | None) -> Proposals:
    if not isinstance(content, list):
        remedy = "Truth (an instances file) is read with load_dataset('coco:FILE.json')."
        raise fail("a list of results", f"{_kind(content)}", remedy, name)
    records = [(None, record) for record in content]
    return _collect(records, (), boxes_from, BadInput(on_bad, name), score)


def _sam(contents: list, name: str, on_bad: str, boxes_from: str, score: str | None, ids: str) -> Proposals:
    groups: list[tuple] = []
    named: list[str] = []
    for stem, content in contents:
        if isinstance(content, dict) and isinstance(content.get("annotations"), list):
            if "images" in content:
                remedy = "This is truth; read it with load_dataset('coco:FILE.json')."
                raise fail("masks of one image", "an instances file of many images", remedy, name)
            content = {stem: content["annotations"]}
        elif isinstance(content, list) and not any(isinstance(r, dict) and "image_id" in r for r in content):
            content = {stem: content}
        if isinstance(content, dict) and all(isinstance(records, list) for records in content.values()):
            named.extend(content)
            groups.extend((key, record) for key, records in content.items() for record in records)
        elif isinstance(content, list):
            groups.extend((None, record) for record in content)
        else:
            remedy = "Write a list of masks, or an object that maps image ids to such lists."
            raise fail("lists of masks", f"{_kind(content)} in {stem}", remedy, name)
    known = dict(zip(named, text_ids(named, ids, name).tolist(), strict=True))
    groups = [(known.get(key), record) for key, record in groups]
    made = _collect(groups, SAM_SCORES, boxes_from, BadInput(on_bad, name), score)
    return made.with_images(list(known.values()))


def _kind(content) -> str:
    return f"a JSON {'object' if isinstance(content, dict) else type(content).__name__}"


def _score_key(records: list[dict], known: tuple, score: str | None, where: str) -> str | None:
    """Return the entry that ranks the records; None if their order does."""
    names = dict.fromkeys(key for record in records for key in record)
    if score is None and (found := next((key for key in known if key in names), None)):
        return found
    rest = [key for key in names if key not in NO_SCORES]
    numbers = [key for key in rest if any(is_number(record.get(key)) for record in records)]
    return score_name(rest, numbers, score, where)


def _collect(groups: list, known: tuple, boxes_from: str, bad: BadInput, score: str | None) -> Proposals:
    """Proposals from pairs of image id (None: the record names it) and record."""
    check_choice(boxes_from, SOURCES, "boxes_from")
    records = [record for _, record in groups if isinstance(record, dict)]
    key = _score_key(records, known, score, bad.where)
    seen: set = set()
    images, boxes, scores = [], [], []
    categories: list[Any] = []
    for number, (image_id, record) in enumerate(groups):
        if image_id is None and isinstance(record, dict):
            image_id = record.get("image_id")
        named = isinstance(image_id, (int, str)) and not isinstance(image_id, bool)
        if not named or not isinstance(record, dict):
            bad(
                image_id,
                "image_id",
                "records with image_id",
                f"record {number}: {str(record)[:60]}",
                "Name the image in each record, or write one file per image.",
            )
            continue
        # SAM numbers the masks of each image anew.
        own = (record.get("id"), image_id if known else None)
        if isinstance(own[0], (int, str)):
            if own in seen:
                got = f"{own[0]!r} again in record {number}"
                bad(image_id, "id", "each id once", got, "Number the records anew.")
                continue
            seen.add(own)
        box = _box(record, image_id, number, boxes_from, bad)
        if box is None:
            continue
        rank = None if key is None else record.get(key)
        if key is not None and not (is_number(rank) and not abs(rank) > 1e300):
            bad(
                image_id,
                "score",
                f"a number called {key}",
                f"{str(rank)[:40]} in record {number}",
                "Give every record a score, or none.",
            )
            continue
        images.append(image_id)
        boxes.append(box)
        scores.append(0.0 if rank is None else float(rank))
        categories.append(record.get("category_id"))
    if key is not None and all(isinstance(category, int) for category in categories):
        # pycocotools pools detections category by category, and that order decides between equal scores.
        order = np.argsort(categories, kind="stable")
        images, boxes, scores = ([column[i] for i in order] for column in (images, boxes, scores))
    provenance = {"left_out": bad.left_out, "boxes_from": boxes_from, "score": key}
    return Proposals.from_columns(
        images,
        np.array(boxes).reshape(-1, 4),
        None if key is None else np.array(scores),
        bad.where,
        bad.on_bad,
        provenance=provenance,
        **FRAME,
    )


def _box(record: dict, image_id, number: int, boxes_from: str, bad: BadInput):
    """Corners of one record, or None where it was left out."""
    box, mask = record.get("bbox"), record.get("segmentation")
    if boxes_from == "segmentation" or (boxes_from == "auto" and box is None):
        try:
            box = mask_box(mask) if isinstance(mask, dict) else None
            got = f"{str(mask)[:40]} in record {number}"
        except InputError as error:
            box, got = None, f"record {number}: {error}"
        if box is None:
            bad(
                image_id,
                "segmentation",
                "a run-length mask with at least one pixel",
                got,
                "Write COCO run lengths, or use boxes_from='bbox'.",
            )
        return box
    numbers = four_numbers(box)
    if numbers is None:
        bad(
            image_id,
            "bbox",
            "bbox with four numbers x, y, width, height",
            f"{str(box)[:40]} in record {number}",
            "Repair or remove the record.",
        )
        return None
    x, y, width, height = numbers
    if width < 0 or height < 0:
        bad(
            image_id,
            "bbox",
            "bbox with width and height of at least 0",
            f"{box} in record {number}",
            "bbox is x, y, width, height.",
        )
        return None
    return x, y, x + width, y + height


def _records(proposals: Proposals, score_key: str):
    """Pairs of image id and record, in rank order; numbers as plain Python values."""
    boxes = proposals.boxes.copy()
    boxes[:, 2:] -= boxes[:, :2]
    for i, image_id in enumerate(proposals.image_ids):
        for row in range(proposals.offsets[i], proposals.offsets[i + 1]):
            record = {"bbox": boxes[row].tolist()}
            if proposals.scores is not None:
                record[score_key] = float(proposals.scores[row])
            yield as_python(image_id), record


def write_coco(proposals: Proposals, path: Path) -> None:
    """Write COCO results; all boxes get category 1 because proposals have no class."""
    records = _records(proposals.declared().converted(**FRAME), "score")
    content = [{"image_id": image_id, "category_id": 1, **record} for image_id, record in records]
    path.write_text(json.dumps(content), encoding="utf-8")


def write_sam(proposals: Proposals, path: Path) -> None:
    """Write one object that maps image ids to lists of ``{"bbox", "predicted_iou"}``."""
    content: dict[str, list[dict]] = {str(image_id): [] for image_id in proposals.image_ids}
    for image_id, record in _records(proposals.declared().converted(**FRAME), "predicted_iou"):
        content[str(image_id)].append(record)
    path.write_text(json.dumps(content), encoding="utf-8")
