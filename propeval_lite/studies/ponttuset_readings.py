"""Formulas of the paper against the authors' values of every test picture: which reading gives their numbers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from propeval_lite.datasets import Dataset
from propeval_lite.meta.seism import read_seism_scores
from propeval_lite.partitions import classify_regions, fb, fop
from propeval_lite.partitions.contingency import Contingency, contingency_tables
from propeval_lite.partitions.measures import TABLE_2
from propeval_lite.partitions.scores import partition_scores
from propeval_lite.segmenters.contour_maps import read_ucm2, ucm_tree
from propeval_lite.studies.ponttuset_files import curves_of_files, people_of_files

#: Region measures of Table 2.
MEASURES = tuple(name for name in TABLE_2 if name not in ("fb", "fop"))
#: Measures whose direction the arrow of equation (3) exchanges.
EXCHANGED = {"hamming_partition": "hamming_truth", "hamming_truth": "hamming_partition"}
#: Half of the sixth decimal is lost in the files, and twice that in measures up to 2.
PRINTED = 1.1e-6
#: Readings of equation (10), each one step from the one before; see the arguments of `fragmentation`.
EQUATION_10 = {
    "as printed": (False, False, False, False),
    "overlaps exchanged": (True, False, False, False),
    "and divided by the number of truths": (True, True, False, False),
    "and ≥ in place of >": (True, True, True, False),
    "and without pairs that cover each other": (True, True, True, True),
}
#: Thresholds of gPb-UCM at which partitions are compared, as in the names of the files: fine, its best, coarse.
CUTS = ("0.064516", "0.22581", "0.51613")


def fragmentation(
    partition: np.ndarray,
    truths: Sequence[np.ndarray],
    exchanged: bool,
    divided: bool,
    equal: bool,
    one_sided: bool,
    gamma_object: float = 0.9,
) -> tuple[float, float]:
    """Precision and recall for objects and parts with equation (10) read in one of several ways.

    Parameters
    ----------
    partition, truths, gamma_object
        See `fop`.
    exchanged : bool
        A region is credited with the shares *of itself* that regions of the other side fill which lie inside it. As
        printed the two overlaps stand in each other's place.
    divided : bool
        The sum over the truths is divided by their number.
    equal : bool
        An overlap equal to the threshold counts.
    one_sided : bool
        A pair in which each region covers the other is no fragment; it can only be met where one of them is too small
        to be judged, since else both are objects.

    Returns
    -------
    precision, recall : float
        With all four as `fop` gives them; objects and parts are those of `classify_regions`.

    Examples
    --------
    A region that holds two whole objects is a fragment. As printed, equation (10) gives it nothing.

    >>> truth, merged = np.array([[0] * 5 + [1] * 5]), np.zeros((1, 10), dtype=int)
    >>> [fragmentation(merged, [truth], *EQUATION_10[name])[0] for name in ("as printed", "overlaps exchanged")]
    [0.0, 1.0]
    """
    tables = contingency_tables(partition, truths)
    classes = classify_regions(partition, truths, gamma_object=gamma_object)
    whole = np.greater_equal if equal else np.greater
    mine = _Credits(classes.partition)
    theirs = []
    for k, table in enumerate(tables):
        side = _Credits(classes.truth[classes.truth["truth"] == k])
        theirs.append(side)
        of_s, of_g = _overlaps(table)
        # A region that is too small to be judged still fills another one.
        for credits, place, own, other in ((mine, table.column, of_s, of_g), (side, table.row, of_g, of_s)):
            given, asked = (own, other) if exchanged else (other, own)
            hit = whole(asked, gamma_object) & ~(one_sided & whole(given, gamma_object))
            share = given[hit] / (len(tables) if divided and credits is mine else 1)
            np.add.at(credits.filled, place[hit], share)
    recall = sum(side.total() for side in theirs) / sum(int(side.judged.sum()) for side in theirs)
    return mine.total() / int(mine.judged.sum()), recall


class _Credits:
    """Regions of one side: which are judged, what objects and parts earn, and what others fill of the rest."""

    def __init__(self, classes: pd.DataFrame):
        self.judged = (classes["kind"] != "ignored").to_numpy()
        self.settled = classes["kind"].isin(["object", "part"]).to_numpy()
        self.credit = classes["credit"].to_numpy()
        self.filled = np.zeros(len(classes))

    def total(self) -> float:
        """Sum of the credits."""
        return float(np.where(self.settled, self.credit, self.filled)[self.judged].sum())


def _overlaps(table: Contingency) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the partition's and of the truth's region that each cell of a table holds."""
    return table.count / table.partition_sizes[table.column], table.count / table.truth_sizes[table.row]


def readings_on_bsds(
    dataset: Dataset, root: Path, cuts: Sequence[str] = CUTS, progress: bool = False
) -> pd.DataFrame:
    """Largest difference between formulas and the authors' values of gPb-UCM, over all pictures and some thresholds.

    Parameters
    ----------
    dataset : Dataset
        Test images of BSDS500, all or some.
    root : Path
        Folder of the real data, with ``bsds500/ucm2/test`` and ``seism2013``.
    cuts : sequence of str
        Thresholds as in the names of the files.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        Columns ``formula`` (measure, or "equation (10)"), ``reading``, ``largest`` and ``off``: the share of values
        that differ by more than the printed digits.
    """
    maps, package = root / "bsds500" / "ucm2" / "test", root / "seism2013"
    ids = (package / "bsds500" / "ids_test.txt").read_text().split()
    theirs = {
        name: read_seism_scores(package / "results" / "UCM", name, ids).set_index(["parameter", "image_id"])
        for name in (*MEASURES, "fop")
    }
    rows = []
    for image_id in tqdm(dataset.images["image_id"], unit="image", disable=not progress, leave=False):
        tree, counts = ucm_tree(read_ucm2(maps, image_id), [float(cut) for cut in cuts])
        truths = dataset.partitions(image_id)
        for cut, count in zip(cuts, counts, strict=True):
            labels, key = tree.after(count), (cut, image_id)
            scores = partition_scores(labels, truths)
            rows += [(name, "as in Table 2", theirs[name].loc[key, name], scores[name]) for name in MEASURES]
            rows += [(name, "arrow of equation (3)", theirs[name].loc[key, name], scores[other])
                     for name, other in EXCHANGED.items()]  # fmt: skip
            file = theirs["fop"].loc[key, ["fop_precision", "fop_recall"]]
            for reading, rules in EQUATION_10.items():
                found = fragmentation(labels, truths, *rules)
                rows += [("equation (10)", reading, *pair) for pair in zip(file, found, strict=True)]
    table = pd.DataFrame(rows, columns=["formula", "reading", "theirs", "here"])
    table["apart"] = (table["theirs"] - table["here"]).abs()
    table["off"] = table["apart"] > PRINTED
    groups = table.groupby(["formula", "reading"], sort=False)
    return groups.agg(largest=("apart", "max"), off=("off", "mean")).reset_index()


def time_measures(dataset: Dataset, limit: int = 20) -> pd.DataFrame:
    """Seconds that both measures take for a human partition judged by all people of its picture.

    Parameters
    ----------
    dataset : Dataset
    limit : int
        At most so many pictures.

    Returns
    -------
    DataFrame
        One row per picture: ``image_id, truths, fb, fop``, seconds of one call each; a call before the first is not
        counted, since it compiles.
    """
    rows = []
    ids = dataset.images["image_id"].tolist()[:limit]
    for warm, image_id in enumerate([ids[0], *ids]):
        truths = dataset.partitions(image_id)
        seconds = []
        for measure in (fb, fop):
            start = time.perf_counter()
            measure(truths[0], truths)
            seconds.append(time.perf_counter() - start)
        if warm:
            rows.append((image_id, len(truths), *seconds))
    return pd.DataFrame(rows, columns=["image_id", "truths", "fb", "fop"])


def summarise_times(clocks: Mapping[str, pd.DataFrame | None]) -> pd.DataFrame:
    """Mean seconds of both measures and their ratio, a row per run of `time_measures` that is known.

    Examples
    --------
    >>> summarise_times({"here": pd.DataFrame({"fb": [0.2, 0.4], "fop": [0.1, 0.1]})}).round(3).to_numpy().tolist()
    [['here', 2, 0.3, 0.1, 3.0]]
    """
    rows = [(words, len(table), table["fb"].mean(), table["fop"].mean())
            for words, table in clocks.items() if table is not None]  # fmt: skip
    found = pd.DataFrame(rows, columns=["run", "pictures", "boundaries", "objects and parts"])
    return found.assign(ratio=found["boundaries"] / found["objects and parts"])


def tables_of_files(dataset: Dataset, root: Path) -> dict[str, pd.DataFrame]:
    """Compute what the authors' files say about figure 11 and the formulas, for the test images of BSDS500.

    Returns
    -------
    dict
        ``files`` and ``people`` (see `curves_of_files`, `people_of_files`), ``readings`` and ``timing``.
    """
    return {
        "files": curves_of_files(root),
        "people": people_of_files(root),
        "readings": readings_on_bsds(dataset, root),
        "timing": time_measures(dataset),
    }
