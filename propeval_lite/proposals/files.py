"""Read and write proposals: CSV, Parquet, NPZ, JSON, and one MATLAB file per image."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path

from propeval_lite._checks.values import check_choice, check_positive_int, check_text, fail
from propeval_lite.datasets.files import existing, files_in
from propeval_lite.datasets.frame import Frame, checked_frame
from propeval_lite.proposals.check import check_proposals
from propeval_lite.proposals.container import Proposals
from propeval_lite.proposals.json import read_coco, read_json_kind, read_sam, write_coco, write_sam
from propeval_lite.proposals.mat import read_mat_folder, write_mat_folder
from propeval_lite.proposals.tables import (
    read_csv_boxes,
    read_npz_boxes,
    read_parquet_boxes,
    write_csv,
    write_npz,
    write_parquet,
)

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
    path,
    format: str | None = None,
    name: str | None = None,
    on_bad: str = "error",
    pixels: str | None = None,
    origin: int | None = None,
    longest: int | None = None,
    **options,
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
    pixels : {"edges", "inclusive"}, optional
        Whether a box is ``x2 - x1`` or ``x2 - x1 + 1`` wide.
    origin : {0, 1}, optional
        Coordinate of the first pixel; to be given together with `pixels`.
    longest : int, optional
        The boxes were made on pictures shrunk to this longest side. By default they are those of full pictures.
    **options
        Of the format: ``ids`` (csv, sam, mat: "auto", "int" or "str"), ``variable`` (mat: name of the array),
        ``boxes_from`` (coco, sam), see :func:`~propeval_lite.proposals.json.read_coco` and
        :func:`~propeval_lite.proposals.json.read_sam`. All formats have ``score``: which column, array or entry
        ranks the boxes, "none" if their order does. Those with four numbers per box have ``boxes``: "corners",
        "xywh" (left, top, width, height) or "relative" (corners as shares of width and height).

    Returns
    -------
    Proposals
        Coordinates are those of the file. COCO and SAM files are known to count edges from 0 and MATLAB
        files inclusive pixels from 1. Parquet and NPZ files of ours say how they count. Other files do not, unless
        `pixels` and `origin` do: they match a data set only if that counts edges from 0, as most programs do.
        ``provenance["frame"]`` says which it is and why.

    Notes
    -----
    CSV and Parquet have the columns ``image_id``, ``x1``, ``y1``, ``x2``, ``y2`` and perhaps ``score`` (also called
    conf, confidence, prob, probability or objectness); other numbers without a score are an error that asks. NPZ
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
    layout = options.get("boxes")
    made = reader(path, path.name, on_bad, **options)
    if on_bad == "drop" and layout is None:
        _ask_about_sides(made, path.name)
    made = _framed(made, format, pixels, origin, longest, layout)
    provenance = {**made.provenance, "file": path.name, "format": format}
    if layout is not None:
        provenance["boxes"] = layout
    stored = path.name.split(".")[0] if made.name == path.name else made.name
    return made._copy(name=name or stored, provenance=provenance)


def _framed(made: Proposals, format: str, pixels, origin, longest, layout: str | None) -> Proposals:
    """Proposals with the coordinate frame and the scale that the user or the file says."""
    if longest is not None and layout == "relative":
        remedy = "Relative boxes fit pictures of any size."
        raise fail("one of longest and boxes=relative", "both", remedy, made.name)
    scale = "relative" if layout == "relative" else made.scale
    if longest is not None:
        scale = check_positive_int(longest, "longest")
    elif scale is None and format not in ("parquet", "npz"):
        scale = "full"
    if layout == "xywh":
        # Width and height count pixels, whichever way corners would be told.
        pixels = "edges" if pixels == "inclusive" or origin is not None else pixels
        made = made._copy(pixels="edges" if made.pixels else None)
    told = pixels is not None or origin is not None
    if told and made.pixels is not None and format != "mat":
        known = Frame.of(made)
        if (pixels, origin) != known:
            got = f"pixels={pixels}&origin={origin}"
            remedy = "Leave them out."
            raise fail(
                f"pixels={known.pixels}&origin={known.origin} as this file has them", got, remedy, made.name
            )
    fields = {"pixels": pixels, "origin": origin} if told else {}
    pixels, origin, scale = checked_frame(made._copy(scale=scale, **fields))
    made = made._copy(pixels=pixels, origin=origin, scale=scale)
    source = "as told" if told else "as the file or its format has it"
    frame = f"{made.pixels} from {made.origin}, {source}" if made.pixels else "as in the data set, not told"
    if made.scale not in (None, "full"):
        frame += f", {made.scale}" if layout == "relative" else f", of pictures shrunk to {made.scale}"
    return made._copy(provenance={**made.provenance, "frame": frame})


def _ask_about_sides(made: Proposals, name: str) -> None:
    """Raise an error where so many rows were left out as no corners that the others may be none either."""
    wrong = sum(
        record["boxes"]
        for record in made.provenance.get("left_out", ())
        if record["expected"] in ("x2 >= x1", "y2 >= y1")
    )
    if wrong > 1 and wrong * 10 > len(made) + wrong:
        got = f"{wrong} of {len(made) + wrong} with x2 < x1 or y2 < y1"
        remedy = "Write boxes=xywh if they are x, y, width, height, or boxes=corners to leave such rows out."
        raise fail("boxes x1, y1, x2, y2 (two corners)", got, remedy, name)


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
    if format not in ("parquet", "npz") and proposals.scale not in (None, "full"):
        got, remedy = f"scale={proposals.scale!r}", "Write Parquet or NPZ, which can say so."
        raise fail(f"boxes of full pictures for {format}", got, remedy, proposals.name)
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
        found = [kind for kind, ending in (("mat", ".mat"), ("sam", ".json")) if files_in(path, ending)]
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


READERS: dict[str, Callable[..., Proposals]] = {
    "csv": read_csv_boxes,
    "parquet": read_parquet_boxes,
    "npz": read_npz_boxes,
    "json": read_json_kind,
    "coco": read_coco,
    "sam": read_sam,
    "mat": read_mat_folder,
}
WRITERS = {
    "csv": write_csv,
    "parquet": write_parquet,
    "npz": write_npz,
    "json": write_coco,
    "coco": write_coco,
    "sam": write_sam,
    "mat": write_mat_folder,
}
