"""Figure 11 from the authors' own files: curves of nine methods, points of people, the legend, and what §6.4 reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from propeval_lite.meta.seism import read_seism_humans, read_seism_scores
from propeval_lite.meta.summaries import SUMMARY
from propeval_lite.partitions.precision_recall import f_of
from propeval_lite.studies.ponttuset_partitions import precision_recall

#: The package that came with the conference version of the paper, and the one that its repository holds today.
CONFERENCE, LATER = "conference package", "later package"
#: Folders of the methods, and their names in figure 11.
METHODS = {"MCG": "MCG-UCM", "gPb-UCM": "gPb-UCM", "UCM": "gPb-UCM", "ISCRA": "ISCRA", "EGB": "EGB", "NCut": "NCut",
           "MShift": "MShift", "NWMC": "NWMC", "IIDKL": "IID-KL", "QuadTree": "QuadTree"}  # fmt: skip
#: The baseline of the figure that has files; the rest look at the picture.
BLIND = "QuadTree"
SWAPPED = "_swapped"
#: Rows of panels in which the methods are drawn.
GROUPS = (("MCG-UCM", "gPb-UCM", "ISCRA", "QuadTree"), ("EGB", "NCut", "MShift", "NWMC", "IID-KL"))


def curves_of_files(root: Path) -> pd.DataFrame:
    """Precision and recall of every method at every parameter over the test pictures, from the per-picture files.

    Parameters
    ----------
    root : Path
        Folder of the real data, with ``seism`` and ``seism2013``.

    Returns
    -------
    DataFrame
        Columns ``package, method, swapped, measure, parameter, precision, recall, f, images``, lines in the order of
        their recall. Precision and recall are means over the pictures, as the programs of the conference package have
        it; only for boundaries in the later package the counts are added over the pictures. Only the conference
        package has swapped pictures, only the later one MCG-UCM and ISCRA.
    """
    ids = (root / "seism" / "gt_sets" / "BSDS500" / "test.txt").read_text().split()
    tables = []
    for folder in sorted((root / "seism" / "BSDS500").iterdir()):
        fb, fop = (read_seism_scores(folder, measure, ids) for measure in ("fb", "fop"))
        both = fb.merge(fop, on=["image_id", "parameter"], validate="one_to_one")
        points = precision_recall(both, ["parameter"], "counts")
        tables.append(points.assign(package=LATER, method=METHODS[folder.name], swapped=False))
    for folder in sorted((root / "seism2013" / "results").iterdir()):
        name = folder.name.removesuffix(SWAPPED)
        if name in METHODS:
            swapped = folder.name.endswith(SWAPPED)
            tables.append(
                _means(folder, ids).assign(package=CONFERENCE, method=METHODS[name], swapped=swapped)
            )
    columns = ["package", "method", "swapped", "measure", "parameter", "precision", "recall", "f", "images"]
    table = pd.concat(tables, ignore_index=True)[columns]
    return table.sort_values(["package", "method", "swapped", "measure", "recall"], ignore_index=True)


def _means(folder: Path, ids: list[str]) -> pd.DataFrame:
    """Mean precision and recall at each parameter of a method of the conference package."""
    rows = []
    for measure in SUMMARY:
        sides = [f"{measure}_precision", f"{measure}_recall"]
        scores = read_seism_scores(folder, measure, ids).groupby("parameter", sort=False)[sides].mean()
        rows += [(measure, parameter, *pair, f_of(*pair), len(ids))
                 for parameter, *pair in scores.itertuples()]  # fmt: skip
    return pd.DataFrame(rows, columns=["measure", "parameter", "precision", "recall", "f", "images"])


def people_of_files(root: Path) -> pd.DataFrame:
    """Points of people in figure 11 from the authors' values of every human partition, averaged in two ways.

    Returns
    -------
    DataFrame
        Columns ``same, measure, average, precision, recall, f, images, error``: the mean within each picture and then
        over the pictures ("picture first"), or over all partitions ("all together"); `error` is the larger standard
        error of the two sides over the pictures.
    """
    scores = read_seism_humans(root / "seism2013", list(SUMMARY))
    rows = []
    for same, table in scores.groupby("same", sort=False):
        for measure in SUMMARY:
            sides = [f"{measure}_precision", f"{measure}_recall"]
            pictures = table.groupby("image_id")[sides].mean()
            error = (pictures.std() / len(pictures) ** 0.5).max()
            for average, values in (("picture first", pictures), ("all together", table[sides])):
                precision, recall = values.mean()
                f = f_of(precision, recall)
                rows.append((same, measure, average, precision, recall, f, len(pictures), error))
    columns = ["same", "measure", "average", "precision", "recall", "f", "images", "error"]
    return pd.DataFrame(rows, columns=columns)


def curves_of_figure(curves: pd.DataFrame) -> pd.DataFrame:
    """Rows of `curves_of_files` that the figure shows: a method's conference package, or else its later one."""
    first = curves.groupby("method")["package"].transform(
        lambda names: CONFERENCE if CONFERENCE in set(names) else LATER
    )
    return curves[curves["package"] == first].reset_index(drop=True)


def points_apart(printed: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """How far each published point of figure 11 lies from the nearest point of the files, by package.

    Parameters
    ----------
    printed : DataFrame
        ``published("ponttuset_curves")``.
    curves : DataFrame
        From `curves_of_files`.

    Returns
    -------
    DataFrame
        Columns ``package, method, image, measure, points, largest``; `largest` is the largest difference in precision
        or recall.
    """
    rows = []
    drawn = printed[printed["kind"] == "curve"]
    image = curves["swapped"].astype(bool).map({True: "swapped", False: "same"})
    for (package, *keys), line in curves.groupby([curves["package"], curves["method"], image, "measure"]):
        method, side, measure = keys
        wanted = (drawn["method"] == method) & (drawn["image"] == side) & (drawn["measure"] == measure)
        points, ours = (table[["precision", "recall"]].dropna().to_numpy() for table in (drawn[wanted], line))
        if len(points):
            apart = np.abs(points[:, None] - ours).max(axis=2).min(axis=1)
            rows.append((package, method, side, measure, len(points), apart.max()))
    return pd.DataFrame(rows, columns=["package", "method", "image", "measure", "points", "largest"])


def best_of_files(curves: pd.DataFrame) -> pd.DataFrame:
    """Best F of every curve on the right pictures: the rows of `curves_of_files` where it is reached.

    The parameter is chosen on the test pictures, as the authors' programs choose it.
    """
    own = curves[~curves["swapped"].astype(bool)].dropna(subset=["f"])
    return own.loc[own.groupby(["package", "method", "measure"])["f"].idxmax()].reset_index(drop=True)


def compare_files(printed: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Legend of figure 11 beside the best F of each method in the files.

    Returns
    -------
    DataFrame
        One row per measure and method of the legend: ``measure, method, F: paper``, the best F of either package (NaN
        where it has no files), ``F: files`` (the package that drew the figure: the conference one where it has the
        method) and ``difference`` of that.
    """
    legend = printed[
        (printed["kind"] == "legend") & (printed["image"] == "same") & (printed["method"] != "human")
    ]
    best = best_of_files(curves).pivot_table("f", ["measure", "method"], "package")
    table = legend[["measure", "method", "f"]].rename(columns={"f": "F: paper"})
    table = table.join(best.rename_axis(columns=None), on=["measure", "method"])
    table["F: files"] = table[CONFERENCE].fillna(table[LATER])
    return table.assign(difference=table["F: files"] - table["F: paper"]).reset_index(drop=True)


def common_recalls(curves: pd.DataFrame, one: str, two: str, n: int = 200) -> pd.DataFrame:
    """Precision of two methods at equal recalls, over the range that both reach.

    Parameters
    ----------
    curves : DataFrame
        Rows of `curves_of_files` of one package, measure and side.
    one, two : str
        Methods.
    n : int
        Recalls.

    Returns
    -------
    DataFrame
        Columns ``recall, one, two, gap`` (precision of the first less that of the second), rising recall.

    Examples
    --------
    >>> lines = pd.DataFrame({"method": ["a", "a", "b", "b"], "recall": [0, 1, 0.5, 1], "precision": [1, 0, 1, 1]})
    >>> common_recalls(lines, "a", "b", n=2).to_numpy().tolist()
    [[0.5, 0.5, 1.0, -0.5], [1.0, 0.0, 1.0, -1.0]]
    """
    lines = [curves[curves["method"] == name].dropna(subset=["precision"]).sort_values("recall")
             for name in (one, two)]  # fmt: skip
    low, high = (
        pick(line["recall"].agg(end) for line in lines) for pick, end in ((max, "min"), (min, "max"))
    )
    recalls = np.linspace(low, high, n)
    first, second = (np.interp(recalls, line["recall"], line["precision"]) for line in lines)
    return pd.DataFrame({"recall": recalls, "one": first, "two": second, "gap": first - second})
