"""Files of SEISM, the program of Pont-Tuset & Marqués: its scores of methods and people, and its draw of partners.

SEISM writes every measure as a similarity. Here all become scores of the measure of the same name, distances again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_choice, fail
from propeval_lite.partitions.boundaries import BoundaryCounts
from propeval_lite.partitions.measures import TABLE_2, find_measure

#: Measures of Table 2 and their names in the files.
FILE_NAMES = dict(
    zip(
        TABLE_2,
        ("fb", "fop", "nvoi", "ssc", "bce", "pri", "vd", "bgm", "sdhd", "fr", "sc", "dhd"),
        strict=True,
    )
)
_SPLIT = ("fb", "fop", "region_f")  # with precision and recall


def read_partners(path: str | Path) -> dict[str, str]:
    """Read which other image each image meets in the authors' SIHD.

    Parameters
    ----------
    path : str or Path
        ``one_to_all_SPLIT_diff_image_pairs.txt``: image, number of its partition from 1, other image, numbers of the
        other's partitions from 1, filled up with 0.

    Returns
    -------
    dict
        Image id to image id, as text: ``partners`` of `human_scores`.
    """
    pairs = read_pairs(path)
    others = pairs.groupby("image_id", sort=False)["other_id"].agg(["first", "nunique"])
    several = others.index[others["nunique"] > 1]
    if len(several):
        raise fail(
            "one other image for each", f"several for {several[0]!r}", "Use a one-to-all file.", str(path)
        )
    return dict(zip(others.index.astype(str), others["first"].astype(str), strict=True))


def read_pairs(path: str | Path) -> pd.DataFrame:
    """Read who is judged by whom in the authors' SIHD.

    Parameters
    ----------
    path : str or Path
        See `read_partners`; the ``same`` file has the same layout.

    Returns
    -------
    DataFrame
        Columns ``image_id`` (text), ``annotator`` (from 0), ``other_id`` (text), ``others`` (list of annotators).
    """
    rows = np.loadtxt(path, dtype=np.int64, ndmin=2)
    if rows.shape[1] < 4:
        raise fail("at least 4 numbers a line", rows.shape[1], "Use the file as published.", str(path))
    return pd.DataFrame(
        {
            "image_id": rows[:, 0].astype(str),
            "annotator": rows[:, 1] - 1,
            "other_id": rows[:, 2].astype(str),
            "others": [[number - 1 for number in row if number] for row in rows[:, 3:].tolist()],
        }
    )


def read_seism_humans(
    folder: str | Path, measures: Sequence[str] = TABLE_2, split: str = "test"
) -> pd.DataFrame:
    """Read how the authors scored people, against those of the same image and of another one.

    Parameters
    ----------
    folder : str or Path
        Of the conference package, with ``bsds500`` and ``results/human``.
    measures : sequence of str
        Of Table 2.
    split : str
        "test" or "train".

    Returns
    -------
    DataFrame
        As from `human_scores`: ``image_id, annotator, other_id, same, draw``, then the measures, and for those that
        have them their precision and recall.
    """
    folder = Path(folder)
    sides = []
    for side, draw in (("same", -1), ("diff", 0)):
        table = read_pairs(folder / "bsds500" / f"one_to_all_{split}_{side}_image_pairs.txt").drop(
            columns="others"
        )
        table = table.assign(same=draw < 0, draw=draw)
        for name in measures:
            file = folder / "results" / "human" / f"one_to_all_{split}_{side}_{_file_name(name)}.txt"
            columns = _read(file, name, len(table), f"{len(table)} pairs of people")
            table = pd.concat([table, columns], axis=1)
        sides.append(table)
    return pd.concat(sides, ignore_index=True)


def read_seism_scores(
    folder: str | Path, measure: str, image_ids: Sequence, split: str = "test"
) -> pd.DataFrame:
    """Read the per-image results that the authors of SEISM publish for one method.

    Parameters
    ----------
    folder : str or Path
        Folder of the method, with files ``SPLIT_MEASURE_PARAMETER.txt``.
    measure : str
        One of Table 2.
    image_ids : sequence
        The images in the order of the lines.
    split : str
        Beginning of the files' names.

    Returns
    -------
    DataFrame
        Columns ``image_id, parameter`` (text, as in the file name), the measure; for ``fb, fop, region_f`` its
        precision and recall; for fb, where the files have them, the four counts of `fb_counts`.
    """
    name = _file_name(measure)
    files = sorted(Path(folder).glob(f"{split}_{name}_*.txt"))
    if not files:
        raise fail(f"files {split}_{name}_*.txt", "none", "Give the folder of one method.", str(folder))
    frames = []
    for file in files:
        frame = _read(file, measure, len(image_ids), f"{len(image_ids)} images")
        frame.insert(0, "parameter", file.stem.removeprefix(f"{split}_{name}_"))
        frame.insert(0, "image_id", list(image_ids))
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def _file_name(measure: str) -> str:
    return FILE_NAMES[check_choice(measure, tuple(FILE_NAMES), "measure")]


def _read(file: Path, measure: str, lines: int, of: str) -> pd.DataFrame:
    """Columns of one file: the measure, its precision and recall, counts."""
    values = np.loadtxt(file, ndmin=2)
    names = [measure]
    if measure in _SPLIT:
        names += [f"{measure}_precision", f"{measure}_recall"]
    if measure == "fb" and values.shape[1] > len(names):
        names += BoundaryCounts._fields
    if values.shape != (lines, len(names)):
        expected = f"{lines} lines of {len(names)} numbers, for {of}"
        remedy = "Use the list of images that belongs to these results."
        raise fail(expected, f"{values.shape[0]} lines of {values.shape[1]}", remedy, str(file))
    table = pd.DataFrame(values, columns=names)
    return table.assign(**{measure: find_measure(measure).of_similarity(table[measure])})
