"""Proposals in MATLAB files, one per image: corners of inclusive pixels counted from 1."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import scipy.io

from propeval_lite._checks.boxes import as_scores, text_ids
from propeval_lite._checks.values import fail
from propeval_lite.datasets.files import BadInput, read_mat
from propeval_lite.proposals.container import Proposals


def read_mat_folder(
    path: Path, name: str, on_bad: str, *, ids: str = "auto", variable: str | None = None
) -> Proposals:
    """Read one file per image, whose id is the file's name without ending.

    Parameters
    ----------
    path, name, on_bad
        See :func:`propeval_lite.proposals.files.read_proposals`; `path` is the folder, or one file.
    ids : {"auto", "int", "str"}
        What becomes of file names that spell a whole number.
    variable : str, optional
        Name of the (n, 4) or (n, 5) array; ``boxes`` or the only one in the file if None.
    """
    bad = BadInput(on_bad, name)
    files = sorted(path.glob("*.mat")) if path.is_dir() else [path]
    if not files:
        raise fail("a folder with .mat files", "none", "Check the path.", name)
    images, boxes, scores = [], [np.zeros((0, 4))], [np.zeros(0)]
    for file, image_id in zip(
        files, text_ids([file.stem for file in files], ids, name).tolist(), strict=True
    ):
        content = {key: value for key, value in read_mat(file).items() if isinstance(value, np.ndarray)}
        key = variable or ("boxes" if "boxes" in content or len(content) != 1 else next(iter(content)))
        array, score = content.get(key), content.get("scores")
        if array is not None and array.size == 0:
            array, score = np.zeros((0, 4)), None
        if array is None or array.dtype.kind not in "fiu" or array.ndim != 2 or array.shape[1] not in (4, 5):
            shapes = ", ".join(f"{name} of shape {value.shape}" for name, value in content.items())
            expected = f"an (n, 4) or (n, 5) array of numbers called {key}"
            got = f"{shapes or 'nothing'} in {file.name}"
            bad(image_id, key, expected, got, "Name the array with variable=.", action="image left out")
            continue
        if array.shape[1] == 5 and score is not None:
            remedy = "Remove the one that is not the ranking."
            raise fail("scores once", "a fifth column and an array scores", remedy, file.name)
        score = array[:, 4] if array.shape[1] == 5 else score
        if score is not None:
            scores.append(as_scores(np.ravel(score), len(array), f"{file.name}: variable scores"))
        images.append(image_id)
        boxes.append(array[:, :4].astype(np.float64))
    rows, ranking = np.concatenate(boxes), np.concatenate(scores)
    if len(ranking) not in (0, len(rows)):
        got = f"{len(ranking)} scores for {len(rows)} boxes"
        raise fail("scores in all files or in none", got, "Write all files alike.", name)
    made = Proposals.from_columns(
        pd.Index(images).repeat([len(part) for part in boxes[1:]]),
        rows,
        ranking if len(ranking) else None,
        name,
        on_bad,
        provenance={"left_out": bad.left_out},
        pixels="inclusive",
        origin=1,
    )
    return made.with_images(images)


def write_mat_folder(proposals: Proposals, path: Path) -> None:
    """Write one file per image with ``boxes`` (n, 4) and, if there are any, ``scores`` (n, 1)."""
    proposals = proposals.declared().converted("inclusive", 1)
    path.mkdir(exist_ok=True)
    if any(path.glob("*.mat")):
        remedy = "Old files would count as proposals; move them."
        raise fail("an empty folder", "one with .mat files", remedy, path.name)
    names = [f"{image_id}.mat" for image_id in proposals.image_ids]
    for name in names:
        if Path(name).name != name:
            raise fail(
                "image ids that can name files", repr(name), "Rename the image, or write Parquet.", path.name
            )
    for i, name in enumerate(names):
        rows = slice(proposals.offsets[i], proposals.offsets[i + 1])
        content = {"boxes": proposals.boxes[rows]}
        if proposals.scores is not None:
            content["scores"] = proposals.scores[rows, None]
        scipy.io.savemat(path / name, content, do_compression=True)
