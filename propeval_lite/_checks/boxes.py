"""Find rows that are no usable box, and say so: as an error, or as a report of what was left out."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.values import as_floats, check_choice, check_text, fail, is_number, unmasked

BOX_COLUMNS = ("x1", "y1", "x2", "y2")
CHUNK = 1 << 18
SCORE_NAMES = ("score", "scores", "conf", "confidence", "prob", "probability", "objectness")


class Fault(NamedTuple):
    """One kind of fault in one column, with the rows that have it."""

    column: str
    expected: str
    remedy: str
    rows: np.ndarray


def as_python(value):
    """Return a numpy scalar as the plain Python value that prints and serialises well."""
    return value.item() if isinstance(value, np.generic) else value


def as_numbers(column, where: str, on_bad: str = "error") -> np.ndarray:
    """Return one column as float64; text that is no number is an error, or with "drop" NaN."""
    series = pd.Series(column)
    if series.dtype.kind in "fiu":
        return series.to_numpy(dtype=np.float64, na_value=np.nan)
    if series.dtype.kind in "bmMc":
        raise fail("numbers", f"{series.dtype} values", "Convert the column to numbers.", where)
    try:
        numbers = pd.to_numeric(series, errors="coerce")
        numbers = pd.Series(numbers.to_numpy(dtype=np.float64, na_value=np.nan), index=series.index)
    except OverflowError as error:
        raise fail("a number", error, "Repair or remove the row.", where) from None
    wrong = (numbers.isna() & series.notna()).to_numpy()
    if wrong.any() and on_bad == "error":
        row = int(np.argmax(wrong))
        raise fail("a number", f"{series.iloc[row]!r} in row {row}", "Repair or remove this row.", where)
    return numbers.to_numpy()


def as_flags(column, where: str) -> np.ndarray:
    """Return one column as bool; besides true and false only 0 and 1 are flags, never text or gaps."""
    series = pd.Series(column)
    if series.dtype == bool:
        return series.to_numpy()
    flags = series.map(
        lambda value: isinstance(value, (bool, np.bool_, int, np.integer, float)) and value in (0, 1)
    )
    if len(series) and not flags.all():
        row = int(np.argmin(flags.to_numpy(dtype=bool)))
        raise fail("true or false", f"{as_python(series.iloc[row])!r} in row {row}", "Write 0 or 1.", where)
    return series.to_numpy(dtype=bool)


def four_numbers(values) -> list[float] | None:
    """Return a list of four numbers from a JSON file as floats, or None if it is anything else."""
    if not isinstance(values, list) or len(values) != 4:
        return None
    if not all(map(is_number, values)):
        return None
    try:
        return [float(value) for value in values]
    except OverflowError:
        return None


def as_boxes(boxes, where: str, one: bool = False) -> np.ndarray:
    """Return `boxes` as an (n, 4) float64 array, values unchecked; with `one` a single box may come flat."""
    array = as_floats(boxes, "an array of numbers x1, y1, x2, y2", "Convert the boxes to numbers.", where)
    if array.size == 0:
        return array.reshape(0, 4)
    array = np.atleast_2d(array) if one else array
    if array.ndim != 2 or array.shape[1] != 4:
        raise fail("shape (n, 4)", f"shape {array.shape}", "Give one row x1, y1, x2, y2 per box.", where)
    return array


def as_scores(scores, n_boxes: int, where: str) -> np.ndarray:
    """Return `scores` as an (n_boxes,) float64 array, values unchecked."""
    array = as_floats(scores, "scores that are numbers", "Convert the scores to numbers.", where)
    if array.shape != (n_boxes,):
        raise fail(f"{n_boxes} scores, one per box", f"shape {array.shape}", "Give one score per box.", where)
    return array


def as_ids(image_ids, where: str) -> np.ndarray:
    """Return image ids as an array, each once; all whole numbers or all text."""
    remedy = "Give every image one id of the same type as in dataset.images."
    try:
        index = pd.Index(unmasked(image_ids, where) if np.ma.isMaskedArray(image_ids) else image_ids)
    except (TypeError, ValueError) as error:
        raise fail("a list of image ids", error, remedy, where) from None
    if isinstance(index, pd.MultiIndex):
        got = f"pairs such as {index[0]!r}" if len(index) else "pairs"
        raise fail("image ids that are all whole numbers or all text", got, remedy, where)
    if index.hasnans:
        raise fail("an id for every image", "a missing one", remedy, where)
    if len(index) and index.inferred_type not in ("integer", "string"):
        got = f"{index.inferred_type} values such as {as_python(index[0])!r}"
        raise fail("image ids that are all whole numbers or all text", got, remedy, where)
    if index.inferred_type == "string":
        try:
            "".join(index).encode()
        except UnicodeEncodeError as error:
            got = f"half of a character in {error.object[max(error.start - 9, 0) : error.end + 9]!a}"
            raise fail("image ids that can be written as UTF-8", got, "Rename the image.", where) from None
    if not index.is_unique:
        twice = as_python(index[index.duplicated()][0])
        raise fail("each image id once", f"{twice!r} twice", "Put all boxes of an image in one group.", where)
    return index.to_numpy()


def text_ids(ids, kind: str, where: str) -> pd.Index:
    """Ids read as text: whole numbers if `kind` is "int", or if it is "auto" and all are spelled as such.

    Examples
    --------
    >>> text_ids(["7", "12"], "auto", "").tolist(), text_ids(["007", "12"], "auto", "").tolist()
    ([7, 12], ['007', '12'])
    """
    check_choice(kind, ("auto", "int", "str"), "ids")
    ids = pd.Index(ids, dtype="str")
    plain = np.asarray(ids.str.fullmatch("0|[1-9][0-9]{0,17}"), dtype=bool)
    if kind == "int" and not plain.all():
        got = f"{ids[~plain][0]!r}"
        raise fail("image ids that are whole numbers", got, "Use ids='str'.", f"{where}: column image_id")
    return ids.astype(np.int64) if kind != "str" and plain.all() and len(ids) else ids


def need_columns(names, where: str) -> None:
    """Raise an error unless `names` has the columns of a table of proposals."""
    names = [str(name) for name in names]
    missing = [column for column in ("image_id", *BOX_COLUMNS) if column not in names]
    if missing:
        raise fail(
            "columns image_id, x1, y1, x2, y2 (and score)",
            f"no column called {', '.join(missing)} among {', '.join(names) or 'none'}",
            "Rename or add the columns."
            if len(names) != 1
            else "Name the columns in the first line, with commas.",
            where,
        )
    twice = [column for column in ("image_id", *BOX_COLUMNS, *SCORE_NAMES) if names.count(column) > 1]
    if twice:
        raise fail("each column once", f"{twice[0]!r} twice", "Remove or rename one of them.", where)


def score_name(names, numbers, wanted: str | None, where: str) -> str | None:
    """Return the name of the scores, or None if the given order is the ranking.

    Parameters
    ----------
    names : iterable of str
        What there is beside ids and boxes.
    numbers : iterable of str
        Those of `names` that hold a number per box. One that could be a score is not passed over in silence.
    wanted : str or None
        What the user calls the scores; "none" if there are none, None if the user does not say.
    where : str
        Place that errors name.

    Examples
    --------
    >>> score_name(["label", "Confidence"], ["Confidence"], None, ""), score_name(["area"], ["area"], "none", "")
    ('Confidence', None)
    """
    names, numbers = [str(name) for name in names], [str(name) for name in numbers]
    if wanted is not None:
        if check_text(wanted, "score") == "none":
            return None
        if wanted not in names:
            got = f"only {', '.join(names) or 'ids and boxes'}"
            raise fail(f"scores called {wanted!r}", got, "Correct the name, or leave out score=.", where)
        return wanted
    known = [name for name in names if name.strip().lower() in SCORE_NAMES]
    if len(known) > 1:
        remedy = f"Say which ranks the boxes: score={known[0]}."
        raise fail("one score for each box", " and ".join(map(repr, known)), remedy, where)
    if not known and numbers:
        remedy = (
            f"Say score={numbers[0]} if it ranks the boxes, score=none if the given order is the ranking."
        )
        raise fail(
            f"scores called {SCORE_NAMES[0]!r}, or no further numbers", repr(numbers[0]), remedy, where
        )
    return known[0] if known else None


def bad_boxes(boxes: np.ndarray, scores: np.ndarray | None) -> list[Fault]:
    """Rows with NaN or infinite numbers, or with corners in the wrong order; empty if all is well."""
    faults = []
    for j, column in enumerate(BOX_COLUMNS):
        rows = np.flatnonzero(~np.isfinite(boxes[:, j]))
        if rows.size:
            faults.append(Fault(column, f"a finite {column}", "Repair or remove this box.", rows))
    for low, high in ((0, 2), (1, 3)):
        rows = np.flatnonzero(boxes[:, high] < boxes[:, low])
        if rows.size:
            remedy = "The columns are x1, y1, x2, y2 (two corners), not x, y, width, height; "
            remedy += "for those write file:PATH?boxes=xywh."
            faults.append(
                Fault(BOX_COLUMNS[high], f"{BOX_COLUMNS[high]} >= {BOX_COLUMNS[low]}", remedy, rows)
            )
    if scores is not None:
        rows = np.flatnonzero(~np.isfinite(scores))
        if rows.size:
            remedy = "Repair or remove this box, or drop all scores if the order is the ranking."
            faults.append(Fault("score", "a finite score", remedy, rows))
    return faults


def overhang(boxes: np.ndarray, offsets: np.ndarray, limits: tuple, tolerance: float) -> list[Fault]:
    """Rows that leave their image by more than `tolerance`; `limits`: per column one value per image."""
    found: list[list[np.ndarray]] = [[] for _ in BOX_COLUMNS]
    owner_of = np.diff(offsets)
    images = np.arange(len(owner_of))
    # Whole images at a time keep the temporary arrays small beside millions of boxes.
    cuts = np.searchsorted(offsets, np.arange(0, len(boxes) + CHUNK, CHUNK))
    for begin, end in pairwise(cuts):
        part = slice(offsets[begin], offsets[min(end, len(owner_of))])
        owner = np.repeat(images[begin:end], owner_of[begin:end])
        for j, limit in enumerate(limits):
            over = boxes[part, j] - limit[owner]
            rows = np.flatnonzero((over if j > 1 else -over) > tolerance)
            if rows.size:
                found[j].append(rows + part.start)
    remedy = "Check origin and image size, or pass outside='clip', 'drop' or 'keep'."
    edge = ("left edge", "top edge", "right edge", "bottom edge")
    return [
        Fault(
            column,
            f"{column} within {tolerance:g} pixel of the image ({edge[j]})",
            remedy,
            np.concatenate(rows),
        )
        for j, (column, rows) in enumerate(zip(BOX_COLUMNS, found, strict=True))
        if rows
    ]


def _value(fault: Fault, row: int, boxes: np.ndarray, scores: np.ndarray | None) -> float:
    if scores is not None and fault.column == "score":
        return float(scores[row])
    return float(boxes[row, BOX_COLUMNS.index(fault.column)])


def check_boxes(boxes, where: str = "boxes", scores=None) -> np.ndarray:
    """Return one box or several as an (n, 4) float64 array without faults, or raise the error of `bad_boxes`."""
    array = as_boxes(boxes, where, one=True)
    faults = bad_boxes(array, scores)
    if faults:
        raise_first(faults, array, scores, None, where)
    return array


def raise_first(faults: list[Fault], boxes, scores, image_of_row: Callable | None, where: str):
    """Raise the error for the first faulty row, naming image (if known), column and how many more there are."""
    fault = min(faults, key=lambda fault: fault.rows[0])
    row = int(fault.rows[0])
    box = ", ".join(f"{value:g}" for value in boxes[row])
    total = len(np.unique(np.concatenate([fault.rows for fault in faults])))
    more = f" ({total} such rows in all)" if total > 1 else ""
    raise fail(
        fault.expected,
        f"{fault.column}={_value(fault, row, boxes, scores):g} in row {row}, box ({box}){more}",
        fault.remedy,
        where
        if image_of_row is None
        else f"{where}: image {as_python(image_of_row(row))!r}, column {fault.column}",
    )


def left_out_report(
    faults: list[Fault], boxes, scores, image_of_row: Callable, action: str = "left out"
) -> list[dict]:
    """One record per fault and image: how many boxes, what was expected, and the first value seen."""
    report: dict[tuple, dict] = {}
    for number, fault in enumerate(faults):
        for row in fault.rows.tolist():
            image = as_python(image_of_row(row))
            record = report.setdefault(
                (number, image),
                {
                    "image_id": image,
                    "column": fault.column,
                    "expected": fault.expected,
                    "got": repr(_value(fault, row, boxes, scores)),
                    "boxes": 0,
                    "action": action,
                },
            )
            record["boxes"] += 1
    return list(report.values())


def add_left_out(provenance: dict, report: list[dict]) -> dict:
    """Return `provenance` with `report` appended to its ``"left_out"`` list."""
    return {**provenance, "left_out": [*provenance.get("left_out", []), *report]}
