"""BSDS500 in its original folders: pictures, and several human segmentations of each."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_choice, fail
from propeval_lite.datasets.base import Dataset, no_objects
from propeval_lite.datasets.files import (
    BadInput,
    existing,
    files_in,
    picture_reader,
    picture_size,
    read_mat,
)

SPLITS = ("train", "val", "test")


def load_bsds500(folder, *, split: str = "test", on_bad: str = "error") -> Dataset:
    """Load BSDS500, which has partitions and boundary maps but no objects.

    Parameters
    ----------
    folder : str or Path
        The folder with ``images`` and ``groundTruth``, or one above it (``BSDS500`` or ``BSR``).
    split : {"train", "val", "test"}
    on_bad : {"error", "drop"}
        Stop at a picture without segmentations, or leave it out and report it in
        ``provenance["left_out"]``.

    Returns
    -------
    Dataset
        Image ids are file names without ending, as text, in alphabetical order.
    """
    check_choice(split, SPLITS, "split")
    root = _root(existing(folder, "the BSDS500 folder"))
    bad = BadInput(on_bad, "bsds500")
    truth = root / "groundTruth" / split
    rows = []
    maps = {file.stem: file for file in files_in(truth, ".mat")} if truth.is_dir() else {}
    pictures = files_in(root / "images" / split, ".jpg") if (root / "images" / split).is_dir() else []
    for file in pictures:
        if file.stem not in maps:
            bad(
                file.stem,
                "groundTruth",
                f"a file groundTruth/{split}/{file.stem}.mat",
                "none",
                "Download the ground truth again.",
            )
            continue
        rows.append((file.stem, *picture_size(file)))
    if not rows:
        raise fail(f"pictures in images/{split}", "none", "Give the original BSDS500 folder.", str(root))
    images = pd.DataFrame(rows, columns=["image_id", "width", "height"]).astype({"image_id": "str"})
    shapes = {row.image_id: (row.height, row.width) for row in images.itertuples()}

    return Dataset(
        f"bsds500-{split}",
        images,
        no_objects(),
        read_image=picture_reader(
            root / "images" / split, images, [file.name for file in pictures if file.stem in maps]
        ),
        read_partitions=partial(_read_maps, maps, shapes, "Segmentation", np.int32),
        read_boundaries=partial(_read_maps, maps, shapes, "Boundaries", np.bool_),
        provenance={"source": "BSDS500", "split": split, "left_out": bad.left_out},
    )


def _read_maps(
    files: dict[str, Path], shapes: dict, field: str, kind: type, image_id: str
) -> list[np.ndarray]:
    file = files[image_id]
    content = read_mat(file, ("groundTruth",))
    try:
        maps = [np.asarray(entry[field][0, 0]) for entry in content["groundTruth"].ravel()]
    except (KeyError, IndexError, TypeError, ValueError):
        expected = f"a cell array groundTruth with {field}"
        raise fail(expected, "another content", "Use the ground truth as published.", str(file)) from None
    if not maps:
        raise fail("at least one annotator", "none", "Use the ground truth as published.", str(file))
    for entry in maps:
        whole = entry.dtype.kind in "iub" or (entry.dtype.kind == "f" and (entry == np.floor(entry)).all())
        if not whole or (entry.size and not 0 <= entry.min() <= entry.max() <= np.iinfo(np.int32).max):
            got = f"{entry.dtype} values" if not whole else f"values from {entry.min()} to {entry.max()}"
            expected = f"whole numbers from 0 in {field}"
            raise fail(expected, got, "Use the ground truth as published.", str(file))
    found = [entry.shape for entry in maps]
    if any(shape != shapes[image_id] for shape in found):
        raise fail(
            f"maps of shape {shapes[image_id]}", found, "Use the ground truth of this picture.", str(file)
        )
    return [entry.astype(kind) for entry in maps]


def _root(folder: Path) -> Path:
    for root in (folder, folder / "data", folder / "BSDS500" / "data"):
        if (root / "groundTruth").is_dir() and (root / "images").is_dir():
            return root
    raise fail(
        "a folder with images and groundTruth", f"{folder}", "Give the BSDS500 folder or its data folder."
    )
