"""Measures of measures from the authors' own files: SIHD, SABD and SISD of the twelve measures, and their examples."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite.meta import sabd_of_scores, sihd_of_scores, sisd_of_scores
from propeval_lite.meta.scales import ods
from propeval_lite.meta.seism import read_partners, read_seism_humans, read_seism_scores
from propeval_lite.partitions.measures import TABLE_2, find_measure

#: The methods of the conference version and its baseline, as their folders are called.
METHODS = ("UCM", "EGB", "NCut", "MShift", "NWMC", "IIDKL")
BASELINE = "QuadTree"
META = ("sihd", "sabd", "sisd")


class Judged(NamedTuple):
    """Scores of one measure at the scales it has chosen, a row per image and a column per method."""

    methods: pd.DataFrame
    baselines: pd.DataFrame
    swapped: pd.DataFrame


def authors_folder(root: str | Path) -> Path:
    """Folder of the authors' conference package below that of the real data."""
    return Path(root) / "seism2013"


def authors_partners(root: str | Path) -> dict[str, str]:
    """Which other test image each one meets in the authors' SIHD, see `read_partners`."""
    return read_partners(authors_folder(root) / "bsds500" / "one_to_all_test_diff_image_pairs.txt")


def authors_scores(root: str | Path, name: str) -> Judged:
    """Scores of the authors' methods by one measure, as their program compares them.

    Parameters
    ----------
    root : path
        Folder of the real data.
    name : str
        Measure.

    Notes
    -----
    Each method and the baseline is taken at the parameter with the best value over the *test* images; the swapped
    partition at the parameter of the method.
    """
    folder = authors_folder(root)
    ids = (folder / "bsds500" / "ids_test.txt").read_text().split()
    found: dict[str, dict[str, pd.Series]] = {"methods": {}, "baselines": {}, "swapped": {}}
    for method in (*METHODS, BASELINE):
        scale = ods(read_seism_scores(folder / "results" / method, name, ids), measure=name)
        if method == BASELINE:
            found["baselines"][method] = scale.scores
            continue
        found["methods"][method] = scale.scores
        other = read_seism_scores(folder / "results" / f"{method}_swapped", name, ids)
        at = other[other["parameter"] == scale.parameter]
        found["swapped"][method] = at.set_index("image_id")[name]
    return Judged(**{key: pd.DataFrame(columns) for key, columns in found.items()})


def authors_table(root: str | Path) -> pd.DataFrame:
    """SIHD, SABD and SISD of every measure from the authors' files, by the rules of their program.

    Returns
    -------
    DataFrame
        Columns ``measure, sihd, sabd, sisd, global`` (the mean of the three), shares; ties count as right.
    """
    people = read_seism_humans(authors_folder(root))
    rows = []
    for name in TABLE_2:
        up, scores = find_measure(name).higher_is_better, authors_scores(root, name)
        values = (
            sihd_of_scores(people, name).value,
            sabd_of_scores(scores.methods, scores.baselines, up, "correct").value,
            sisd_of_scores(scores.methods, scores.swapped, up, "correct").value,
        )
        rows.append((name, *values, np.mean(values)))
    return pd.DataFrame(rows, columns=["measure", *META, "global"])


def differences_per_pair(root: str | Path, humans: pd.DataFrame) -> pd.DataFrame:
    """Compare our scores of people with the authors' files, pair by pair, and the SIHD of both.

    Parameters
    ----------
    root : path
        Folder of the real data.
    humans : DataFrame
        From `judge_people` on the test images; its draw 0 met the authors' partners.

    Returns
    -------
    DataFrame
        Columns ``measure, pairs, largest`` (difference as similarities, as the files have them), ``mean``.
    """
    theirs = read_seism_humans(authors_folder(root))
    keys = ["image_id", "annotator", "other_id", "draw"]
    both = theirs.merge(humans, on=keys, suffixes=("_file", ""), validate="one_to_one")
    rows = []
    for name in TABLE_2:
        alike = find_measure(name).similarity
        gap = (alike(both[name]) - alike(both[f"{name}_file"])).abs()
        rows.append((name, len(gap), gap.max(), gap.mean()))
    return pd.DataFrame(rows, columns=["measure", "pairs", "largest", "mean"])


def find_examples(root: str | Path, printed: pd.DataFrame) -> pd.DataFrame:
    """Find the images of figures 6 and 7 in the authors' files: the nearest pair of scores of gPb-UCM and its rival.

    Parameters
    ----------
    root : path
        Folder of the real data.
    printed : DataFrame
        ``published("ponttuset_meta_figures")``.

    Returns
    -------
    DataFrame
        Rows of figures 6 (rival: the quadtree) and 7 (rival: gPb-UCM's partition of another image) with columns
        ``figure, measure, example, good, bad`` (printed), ``image_id, good here, bad here``.
    """
    rows = []
    for row in printed[printed["figure"] != "fig. 5"].itertuples():
        scores = authors_scores(root, str(row.measure))
        rival = scores.baselines[BASELINE] if row.figure == "fig. 6" else scores.swapped["UCM"]
        pairs = pd.DataFrame({"good here": scores.methods["UCM"], "bad here": rival})
        nearest = np.abs(pairs - [row.good, row.bad]).max(axis=1).idxmin()
        rows.append((row.figure, row.measure, row.example, row.good, row.bad, nearest, *pairs.loc[nearest]))
    names = ["figure", "measure", "example", "good", "bad", "image_id", "good here", "bad here"]
    return pd.DataFrame(rows, columns=names)


def split_by(threshold: float, printed: pd.DataFrame) -> bool:
    """Whether a threshold of F_b judges the four pairs of figure 5 as the figure says.

    Examples
    --------
    >>> pairs = pd.DataFrame({"figure": "fig. 5", "example": ["right", "wrong"], "good": [0.8, 0.2], "bad": [0.1, 0.4]})
    >>> split_by(0.3, pairs), split_by(0.5, pairs)
    (True, False)
    """
    pairs = printed[printed["figure"] == "fig. 5"].set_index("example")
    good, bad = (pairs[side].loc[["right", "wrong"]].to_numpy(dtype=np.float64) for side in ("good", "bad"))
    return (good > threshold).tolist() == [True, False] and (bad > threshold).tolist() == [False, True]
