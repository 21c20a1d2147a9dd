"""Read and write proposals: CSV, Parquet, NPZ, JSON, and one MATLAB file per image."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
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
    need_score,
    text_ids,
)
from propeval_lite._checks.values import check_choice, check_text, fail
from propeval_lite.datasets.files import DOWNLOAD_AGAIN, Unpacked, existing, read_npz
from propeval_lite.proposals.container import Proposals, check_proposals
from propeval_lite.proposals.json import read_coco, read_json_kind, read_sam, write_coco, write_sam
from propeval_lite.proposals.mat import read_mat_folder, write_mat_folder

META = b"propeval"
ENDINGS = {
    ".csv": "csv",
    ".csv.gz": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".npz": "npz",
    ".json": "json",
    ".mat": "mat",
}


def read_proposals(
    path, format: str | None = None, name: str | None = None, on_bad: str = "error", **options
) -> Proposals:
    r"""Read the proposals of one method.

    Parameters
    ----------
    path : str or Path
        A file, or a folder with one `.mat` or one `.json` per image.
    format : {"csv", "parquet", "npz", "json", "coco", "sam", "mat"}, optional
        None means by the file's ending; "json" is COCO or SAM by its content.
    name : str, optional
        Name of the method; the file's name without ending if None.
    on_bad : {"error", "drop"}
        Stop at an unusable row, or leave it out and report it in ``provenance["left_out"]``.
    **options
        Of the format: ``ids`` (csv, sam, mat: "auto", "int" or "str"), ``variable`` (mat: name of the array),
        ``boxes_from`` (coco, sam) and ``score`` (sam), see
        :func:`~propeval_lite.proposals.json.read_coco` and :func:`~propeval_lite.proposals.json.read_sam`.

    Returns
    -------
    Proposals
        Coordinates are those of the file. COCO and SAM files are known to count edges from 0 and MATLAB
        files inclusive pixels from 1; :meth:`Proposals.aligned` turns them into the data set's frame. The
        other formats do not say and are taken to be in the frame of the data set.

    Notes
    -----
    CSV and Parquet have the columns ``image_id``, ``x1``, ``y1``, ``x2``, ``y2`` and perhaps ``score``. NPZ
    has ``image_ids``, ``offsets``, ``boxes`` and perhaps ``scores``, as in :class:`Proposals`, or one
    ``image_id`` per box instead of ``image_ids`` and ``offsets``. A MATLAB file has one (n, 4) array of
    corners, or (n, 5) with the score last, called ``boxes`` or the only one in the file; an array
    ``scores`` may stand beside it.

    In text an id that is the plain spelling of a whole number becomes a number if all ids are such
    (``ids="auto"``), so that "000012" stays text.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("image_id,x1,y1,x2,y2,score\n7,0,0,4,4,0.1\n7,1,1,5,5,0.9\n")
    ...     read_proposals(path)
    Proposals('mine': 2 boxes, 1 images, by score)
    """
    path = existing(path, "proposals")
    name = name if name is None else check_text(name, "name")
    format = _format(path) if format is None else check_choice(format, tuple(READERS), "format")
    reader = READERS[format]
    known = list(inspect.signature(reader).parameters)[3:]
    unknown = [key for key in options if key not in known]
    if unknown:
        expected = f"options of format {format}: {', '.join(known) or 'it has none'}"
        raise fail(expected, f"unknown option {unknown[0]!r}", "Check the spelling or the format.", path.name)
    check_choice(on_bad, ("error", "drop"), "on_bad")
    made = reader(path, path.name, on_bad, **options)
    provenance = {**made.provenance, "file": path.name, "format": format}
    stored = path.name.split(".")[0] if made.name == path.name else made.name
    return made._copy(name=name or stored, provenance=provenance)


def write_proposals(proposals: Proposals, path, format: str | None = None) -> Path:
    """Write proposals to a file, or with format "mat" to a folder with one file per image.

    Parameters
    ----------
    proposals : Proposals
        For "coco", "sam" and "mat", whose coordinate frame is fixed, its frame must be known.
    path : str or Path
    format : {"csv", "parquet", "npz", "json", "coco", "sam", "mat"}, optional
        None means by the ending; "json" is "coco", no ending is "mat".

    Returns
    -------
    Path

    Notes
    -----
    Parquet, NPZ, SAM and MATLAB files keep images without proposals; CSV and COCO results cannot.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> found = Proposals(["a", "b"], [0, 1, 1], [[0, 0, 4, 4]], name="mine")
    >>> with TemporaryDirectory() as folder:
    ...     read_proposals(write_proposals(found, Path(folder) / "mine.parquet"))
    Proposals('mine': 1 boxes, 2 images, given order)
    """
    check_proposals(proposals)
    if not isinstance(path, (str, os.PathLike)):
        raise fail("a path", type(path).__name__, "Name a file or a folder.", "path")
    path = Path(path)
    if format is None:
        format = "mat" if not path.suffix else _format(path)
    check_choice(format, tuple(WRITERS), "format")
    if format != "mat" and path.exists() and not path.is_file():
        raise fail("a file to write", "a folder or a device", "Name a file.", str(path))
    # Written aside and renamed: a disk that runs full leaves the old file, not half of a new one.
    aside = path if format == "mat" else path.with_name(f".{os.getpid()}-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        WRITERS[format](proposals, aside)
        if aside != path:
            os.replace(aside, path)
    except OSError as error:
        if aside != path and path.parent.is_dir():
            aside.unlink(missing_ok=True)
        raise fail(
            "a file that can be written", error.strerror or error, "Choose another place.", str(path)
        ) from None
    return path


def _format(path: Path) -> str:
    if path.is_dir():
        found = [kind for kind, ending in (("mat", "*.mat"), ("sam", "*.json")) if any(path.glob(ending))]
        if len(found) != 1:
            got = "both" if found else "neither"
            raise fail(
                "a folder of .mat or of .json files", got, "Pass format='mat' or format='sam'.", path.name
            )
        return found[0]
    for ending, kind in ENDINGS.items():
        if path.name.lower().endswith(ending):
            return kind
    remedy = f"Pass format=, one of {', '.join(READERS)}."
    raise fail(f"a folder or a file ending in {', '.join(ENDINGS)}", repr(path.name), remedy)


def _read_csv(path: Path, name: str, on_bad: str, *, ids: str = "auto") -> Proposals:
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
    return Proposals.from_table(table, name, on_bad)


def _unpacked(path: Path) -> contextlib.AbstractContextManager:
    return Unpacked(path) if path.suffix.lower() == ".gz" else contextlib.nullcontext(path)


def _write_csv(proposals: Proposals, path: Path) -> None:
    proposals.to_table().to_csv(path, index=False)


def _read_parquet(path: Path, name: str, on_bad: str) -> Proposals:
    """Read column by column straight into the box array: no second copy of millions of boxes."""
    try:
        file = pq.ParquetFile(path, read_dictionary=["image_id"], page_checksum_verification=True)
        names = file.schema_arrow.names
        need_columns(names, name)
        boxes = np.empty((file.metadata.num_rows, 4))
        for j, column in enumerate(BOX_COLUMNS):
            boxes[:, j] = _arrow_numbers(file, column, name, on_bad)
        scores = _arrow_numbers(file, "score", name, on_bad) if "score" in names else None
        ids = file.read(["image_id"]).column(0)
    except (pa.ArrowException, OSError) as error:
        raise fail("a readable Parquet file", f"{error}", DOWNLOAD_AGAIN, name) from None
    try:
        stored = json.loads((file.schema_arrow.metadata or {}).get(META, b"{}"))
        empty = list(stored.get("images_without_proposals", []))
        method = str(stored.get("name", name))
        fields = {key: stored.get(key) for key in ("pixels", "origin")}
    except (ValueError, AttributeError, TypeError) as error:
        raise fail("our own notes in the file", error, DOWNLOAD_AGAIN, name) from None
    made = Proposals.from_columns(ids.to_pandas(), boxes, scores, name, on_bad, **fields)
    return made.with_images(empty)._copy(name=method)


def _arrow_numbers(file: pq.ParquetFile, column: str, where: str, on_bad: str) -> np.ndarray:
    values = file.read([column]).column(0)
    if values.null_count == 0 and (pa.types.is_floating(values.type) or pa.types.is_integer(values.type)):
        return values.to_numpy().astype(np.float64, copy=False)
    return as_numbers(values.to_pandas(), f"{where}: column {column}", on_bad)


def _write_parquet(proposals: Proposals, path: Path) -> None:
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
        "images_without_proposals": [as_python(image_id) for image_id in proposals.image_ids[counts == 0]],
    }
    table = pa.table(columns).replace_schema_metadata({META: json.dumps(fields).encode()})
    # A flipped bit in a box would be another box; with a sum for each page it is an error.
    pq.write_table(table, path, write_page_checksum=True)


def _read_npz(path: Path, name: str, on_bad: str) -> Proposals:
    content = read_npz(path)
    grouped = "offsets" in content
    needed = ("image_ids", "offsets", "boxes") if grouped else ("image_id", "boxes")
    missing = [key for key in needed if key not in content]
    if missing:
        got = f"no {missing[0]} among {', '.join(content) or 'no arrays'}"
        remedy = "Save image_ids, offsets and boxes, or image_id and boxes."
        raise fail(f"arrays {', '.join(needed)}", got, remedy, name)
    need_score(content, "scores", name)
    fields: dict[str, Any] = {}
    if str(content.get("pixels", "")):
        origin = content.get("origin", np.array(None))
        fields = {"pixels": str(content["pixels"]), "origin": origin[()]}
    boxes, scores = as_boxes(content["boxes"], name), content.get("scores")
    if not grouped:
        made = Proposals.from_columns(content["image_id"], boxes, scores, name, on_bad, **fields)
    elif on_bad == "error":
        made = Proposals(content["image_ids"], content["offsets"], boxes, scores, name, **fields)
    else:
        blank = Proposals(content["image_ids"], content["offsets"], np.zeros((len(boxes), 4)), None, name)
        ids = np.repeat(blank.image_ids, np.diff(blank.offsets))
        made = Proposals.from_columns(ids, boxes, scores, name, on_bad, **fields).with_images(blank.image_ids)
    return made._copy(name=str(content.get("name", name)))


def _write_npz(proposals: Proposals, path: Path) -> None:
    ids = proposals.image_ids
    arrays: dict[str, Any] = {
        "image_ids": ids if ids.dtype.kind in "iu" else ids.astype(np.str_),
        "offsets": proposals.offsets,
        "boxes": proposals.boxes,
        "name": np.array(proposals.name),
        "pixels": np.array(proposals.pixels or ""),
        "origin": np.array(proposals.origin or 0),
    }
    if proposals.scores is not None:
        arrays["scores"] = proposals.scores
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


READERS = {
    "csv": _read_csv,
    "parquet": _read_parquet,
    "npz": _read_npz,
    "json": read_json_kind,
    "coco": read_coco,
    "sam": read_sam,
    "mat": read_mat_folder,
}
WRITERS = {
    "csv": _write_csv,
    "parquet": _write_parquet,
    "npz": _write_npz,
    "json": write_coco,
    "coco": write_coco,
    "sam": write_sam,
    "mat": write_mat_folder,
}
