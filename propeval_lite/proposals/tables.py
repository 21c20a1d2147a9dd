"""Tables of proposals in files: CSV, Parquet and NPZ."""

from __future__ import annotations

import contextlib
import json
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from propeval_lite._checks.boxes import (
    BOX_COLUMNS,
    as_boxes,
    as_numbers,
    as_python,
    need_columns,
    score_name,
    text_ids,
)
from propeval_lite._checks.values import check_choice, fail
from propeval_lite.datasets.files import DOWNLOAD_AGAIN, Unpacked, read_npz
from propeval_lite.proposals.columns import as_corners, table_columns
from propeval_lite.proposals.container import Proposals

META = b"propeval"
#: Arrays of an NPZ file that are no scores.
ARRAYS = ("image_ids", "image_id", "offsets", "boxes", "name", "pixels", "origin", "scale")


def read_csv_boxes(
    path: Path,
    name: str,
    on_bad: str,
    *,
    ids: str = "auto",
    score: str | None = None,
    boxes: str | None = None,
) -> Proposals:
    """Read one row per box; for the options see :func:`propeval_lite.read_proposals`."""
    check_choice(ids, ("auto", "int", "str"), "ids")
    try:
        with warnings.catch_warnings():
            # Rows longer than the header: without index_col=False all columns would move by one.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            with _unpacked(path) as file:
                header = pd.read_csv(file, header=None, nrows=1, dtype="str", keep_default_na=False)
            need_columns(header.iloc[0].str.removeprefix("\ufeff"), name)
            with _unpacked(path) as file:
                table = pd.read_csv(
                    file,
                    dtype={"image_id": "str"},
                    keep_default_na=False,
                    na_values=["", "nan", "NaN"],
                    index_col=False,
                )
    except pd.errors.ParserWarning:
        remedy = "Name all columns in the first line."
        raise fail(f"{header.shape[1]} columns as in the first line", "more", remedy, name) from None
    except UnicodeDecodeError:
        raise fail("a CSV file in UTF-8", "other bytes", "Save it again as UTF-8.", name) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, OSError, EOFError, zlib.error) as error:
        raise fail("a readable CSV file", f"{str(error).strip()}", DOWNLOAD_AGAIN, name) from None
    if "image_id" in table.columns and len(table) and table["image_id"].notna().all():
        codes, texts = pd.factorize(table["image_id"])
        table["image_id"] = text_ids(texts, ids, name).take(codes)
    image_id, rows, scores = table_columns(table, name, on_bad, score, boxes)
    return Proposals.from_columns(image_id, rows, scores, name, on_bad)


def _unpacked(path: Path) -> contextlib.AbstractContextManager:
    return Unpacked(path) if path.suffix.lower() == ".gz" else contextlib.nullcontext(path)


def write_csv(proposals: Proposals, path: Path) -> None:
    """Write one row per box."""
    proposals.to_table().to_csv(path, index=False)


def read_parquet_boxes(
    path: Path, name: str, on_bad: str, *, score: str | None = None, boxes: str | None = None
) -> Proposals:
    """Read column by column straight into the box array: no second copy of millions of boxes."""
    try:
        file = pq.ParquetFile(path, read_dictionary=["image_id"], page_checksum_verification=True)
        names = file.schema_arrow.names
        need_columns(names, name)
        rows = np.empty((file.metadata.num_rows, 4))
        for j, column in enumerate(BOX_COLUMNS):
            rows[:, j] = _arrow_numbers(file, column, name, on_bad)
        rest = [field for field in file.schema_arrow if field.name not in ("image_id", *BOX_COLUMNS)]
        numbers = [field.name for field in rest if _is_number(field.type)]
        ranking = score_name([field.name for field in rest], numbers, score, name)
        scores = None if ranking is None else _arrow_numbers(file, ranking, name, on_bad)
        ids = file.read(["image_id"]).column(0)
    except (pa.ArrowException, OSError) as error:
        raise fail("a readable Parquet file", f"{error}", DOWNLOAD_AGAIN, name) from None
    try:
        stored = json.loads((file.schema_arrow.metadata or {}).get(META, b"{}"))
        empty = list(stored.get("images_without_proposals", []))
        method = str(stored.get("name", name))
        fields = {key: stored.get(key) for key in ("pixels", "origin", "scale")}
    except (ValueError, AttributeError, TypeError) as error:
        raise fail("our own notes in the file", error, DOWNLOAD_AGAIN, name) from None
    if not stored:
        fields["scale"] = "full"
    rows = as_corners(rows, boxes)
    made = Proposals.from_columns(ids.to_pandas(), rows, scores, name, on_bad, **fields)
    return made.with_images(empty)._copy(name=method)


def _arrow_numbers(file: pq.ParquetFile, column: str, where: str, on_bad: str) -> np.ndarray:
    values = file.read([column]).column(0)
    if values.null_count == 0 and _is_number(values.type):
        return values.to_numpy().astype(np.float64, copy=False)
    return as_numbers(values.to_pandas(), f"{where}: column {column}", on_bad)


def _is_number(kind: pa.DataType) -> bool:
    return pa.types.is_floating(kind) or pa.types.is_integer(kind)


def write_parquet(proposals: Proposals, path: Path) -> None:
    """Write one row per box, and name, frame, scale and images without boxes as notes of ours."""
    counts = np.diff(proposals.offsets)
    ids = pa.DictionaryArray.from_arrays(
        np.repeat(np.arange(len(counts), dtype=np.int32), counts), pa.array(proposals.image_ids.tolist())
    )
    columns = {"image_id": ids if ids.dictionary.type == pa.string() else ids.dictionary_decode()}
    columns |= {column: proposals.boxes[:, j] for j, column in enumerate(BOX_COLUMNS)}
    if proposals.scores is not None:
        columns["score"] = proposals.scores
    fields = {
        "name": proposals.name,
        "pixels": proposals.pixels,
        "origin": proposals.origin,
        "scale": proposals.scale,
        "images_without_proposals": [as_python(image_id) for image_id in proposals.image_ids[counts == 0]],
    }
    table = pa.table(columns).replace_schema_metadata({META: json.dumps(fields).encode()})
    # A flipped bit in a box would be another box; with a sum for each page it is an error.
    pq.write_table(table, path, write_page_checksum=True)


def read_npz_boxes(
    path: Path, name: str, on_bad: str, *, score: str | None = None, boxes: str | None = None
) -> Proposals:
    """Read the arrays of :func:`write_npz`, or one ``image_id`` per box instead of ids and offsets."""
    content = read_npz(path)
    grouped = "offsets" in content
    needed = ("image_ids", "offsets", "boxes") if grouped else ("image_id", "boxes")
    missing = [key for key in needed if key not in content]
    if missing:
        got = f"no {missing[0]} among {', '.join(content) or 'no arrays'}"
        remedy = "Save image_ids, offsets and boxes, or image_id and boxes."
        raise fail(f"arrays {', '.join(needed)}", got, remedy, name)
    fields: dict[str, Any] = {"scale": None if "scale" in content else "full"}
    if str(content.get("scale", "")):
        text = str(content["scale"])
        fields["scale"] = int(text) if text.isdecimal() else text
    if str(content.get("pixels", "")):
        origin = content.get("origin", np.array(None))
        fields |= {"pixels": str(content["pixels"]), "origin": origin[()]}
    rows = as_corners(as_boxes(content["boxes"], name), boxes)
    rest = [key for key in content if key not in ARRAYS]
    numbers = [key for key in rest if content[key].dtype.kind in "fiu" and content[key].shape == (len(rows),)]
    key = score_name(rest, numbers, score, name)
    scores = None if key is None else content[key]
    if not grouped:
        made = Proposals.from_columns(content["image_id"], rows, scores, name, on_bad, **fields)
    elif on_bad == "error":
        made = Proposals(content["image_ids"], content["offsets"], rows, scores, name, **fields)
    else:
        blank = Proposals(content["image_ids"], content["offsets"], np.zeros((len(rows), 4)), None, name)
        ids = np.repeat(blank.image_ids, np.diff(blank.offsets))
        made = Proposals.from_columns(ids, rows, scores, name, on_bad, **fields).with_images(blank.image_ids)
    return made._copy(name=str(content.get("name", name)))


def write_npz(proposals: Proposals, path: Path) -> None:
    """Write ids, offsets, boxes, scores if any, and name, frame and scale."""
    ids = proposals.image_ids
    arrays: dict[str, Any] = {
        "image_ids": ids if ids.dtype.kind in "iu" else ids.astype(np.str_),
        "offsets": proposals.offsets,
        "boxes": proposals.boxes,
        "name": np.array(proposals.name),
        "pixels": np.array(proposals.pixels or ""),
        "origin": np.array(proposals.origin or 0),
        "scale": np.array("" if proposals.scale is None else str(proposals.scale)),
    }
    if proposals.scores is not None:
        arrays["scores"] = proposals.scores
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)
