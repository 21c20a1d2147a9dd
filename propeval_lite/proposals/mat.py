"""Proposals in MATLAB files, one per image: corners of inclusive pixels counted from 1."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import scipy.io

from propeval_lite._checks.boxes import as_scores, score_name, text_ids
from propeval_lite._checks.values import fail
from propeval_lite.datasets.files import BadInput, files_in, read_mat
from propeval_lite.proposals.columns import as_corners
from propeval_lite.proposals.container import Proposals


def read_mat_folder(
    path: Path,
    name: str,
    on_bad: str,
    *,
    ids: str = "auto",
    variable: str | None = None,
    score: str | None = None,
    boxes: str | None = None,
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
    score, boxes
        As in :func:`propeval_lite.read_proposals`.
    """
    bad = BadInput(on_bad, name)
    files = files_in(path, ".mat") if path.is_dir() else [path]
    if not files:
        raise fail("a folder with .mat files", "none", "Check the path.", name)
    images, found, scores = [], [np.zeros((0, 4))], [np.zeros(0)]
    for file, image_id in zip(
        files, text_ids([file.stem for file in files], ids, name).tolist(), strict=True
    ):
        content = {key: value for key, value in read_mat(file).items() if isinstance(value, np.ndarray)}
        key = variable or ("boxes" if "boxes" in content or len(content) != 1 else next(iter(content)))
        array = content.get(key)
        if array is not None and array.size == 0:
            array = np.zeros((0, 4))
        if array is None or array.dtype.kind not in "fiu" or array.ndim != 2 or array.shape[1] not in (4, 5):
            shapes = ", ".join(f"{name} of shape {value.shape}" for name, value in content.items())
            expected = f"an (n, 4) or (n, 5) array of numbers called {key}"
            got = f"{shapes or 'nothing'} in {file.name}"
            bad(image_id, key, expected, got, "Name the array with variable=.", action="image left out")
            continue
        ranks = _scores(content, key, array, score, file.name)
        if ranks is not None:
            scores.append(ranks)
        images.append(image_id)
        found.append(as_corners(array[:, :4].astype(np.float64), boxes))
    rows, ranking = np.concatenate(found), np.concatenate(scores)
    if len(ranking) not in (0, len(rows)):
        got = f"{len(ranking)} scores for {len(rows)} boxes"
        raise fail("scores in all files or in none", got, "Write all files alike.", name)
    made = Proposals.from_columns(
        pd.Index(images).repeat([len(part) for part in found[1:]]),
        rows,
        ranking if len(ranking) else None,
        name,
        on_bad,
        provenance={"left_out": bad.left_out},
        pixels="inclusive",
        origin=1,
    )
    return made.with_images(images)


def _scores(content: dict, key: str, array: np.ndarray, score: str | None, where: str) -> np.ndarray | None:
    """Scores of one file: the fifth column of its boxes, or an array beside them."""
    rest = {name: value for name, value in content.items() if name != key}
    if array.shape[1] == 5:
        if score not in (None, "none") or score_name(rest, (), None, where) is not None:
            remedy = "Remove the one that is not the ranking."
            raise fail("scores once", "a fifth column and an array scores", remedy, where)
        return None if score == "none" else as_scores(array[:, 4], len(array), where)
    numbers = [
        name for name, value in rest.items() if value.dtype.kind in "fiu" and 1 < value.size == len(array)
    ]
    found = score_name(rest, numbers, score, where)
    if found is None or not len(array):
        return None
    return as_scores(np.ravel(rest[found]), len(array), f"{where}: variable {found}")


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
