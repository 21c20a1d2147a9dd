"""Formulas of the paper against the authors' values of every test picture: which reading gives their numbers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from propeval_lite.datasets import Dataset
from propeval_lite.meta.swaps import fit_labels
from propeval_lite.partitions import classify_regions, fb, fop
from propeval_lite.partitions.boundaries import BoundaryCounts, fb_counts
from propeval_lite.partitions.contingency import Contingency, contingency_tables
from propeval_lite.partitions.measures import find_measure
from propeval_lite.partitions.scores import partition_scores
from propeval_lite.segmenters.contour_maps import read_ucm2, ucm_tree
from propeval_lite.studies.ponttuset_files import curves_of_files, people_of_files, read_pairs
from propeval_lite.studies.ponttuset_partitions import human_points

#: Names of the files of each measure; their values are similarities.
FILES = {"sdhd": "hamming_partition", "dhd": "hamming_truth", "vd": "van_dongen", "ssc": "covering_truth",
         "sc": "covering_partition", "bgm": "bgm", "bce": "bce", "nvoi": "nvoi", "pri": "pri", "fr": "region_f"}  # fmt: skip
#: Measures whose direction the arrow of equation (3) exchanges.
EXCHANGED = {"hamming_partition": "dhd", "hamming_truth": "sdhd"}
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


def similarity(name: str, value: float) -> float:
    """Value of a measure as a similarity: one minus its share of the largest distance.

    Examples
    --------
    >>> similarity("van_dongen", 0.5), similarity("pri", 0.5)
    (0.75, 0.5)
    """
    measure = find_measure(name)
    return value if measure.higher_is_better else 1 - value / measure.high


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
        Columns ``formula`` (file of the measure, or "equation (10)"), ``reading``, ``largest`` and ``off``: the share of
        pictures that differ by more than the printed digits.
    """
    package = root / "seism2013"
    place = {name: i for i, name in enumerate((package / "bsds500" / "ids_test.txt").read_text().split())}
    names = [*FILES, "fop"]
    files = {(name, cut): np.loadtxt(package / "results" / "UCM" / f"test_{name}_{cut}.txt", ndmin=1)
             for name in names for cut in cuts}  # fmt: skip
    rows = []
    for image_id in tqdm(dataset.images["image_id"], unit="image", disable=not progress, leave=False):
        tree, counts = ucm_tree(read_ucm2(root / "bsds500" / "ucm2" / "test", image_id), [float(c) for c in cuts])
        truths, line = dataset.partitions(image_id), place[image_id]
        for cut, count in zip(cuts, counts, strict=True):
            labels = tree.after(count)
            scores = partition_scores(labels, truths)
            alike = {name: similarity(name, scores[name]) for name in FILES.values()}
            for file, name in FILES.items():
                rows.append((file, "as in Table 2", np.ravel(files[file, cut][line])[0], alike[name]))
            for name, file in EXCHANGED.items():
                rows.append((file, "arrow of equation (3)", files[file, cut][line], alike[name]))
            for reading, rules in EQUATION_10.items():
                found = fragmentation(labels, truths, *rules)
                rows += [("equation (10)", reading, *pair)
                         for pair in zip(files["fop", cut][line][1:], found, strict=True)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["formula", "reading", "theirs", "here"])
    table["apart"] = (table["theirs"] - table["here"]).abs()
    # Six decimals, or six significant digits, are printed.
    table["off"] = table["apart"] > 1e-6
    groups = table.groupby(["formula", "reading"], sort=False)
    return groups.agg(largest=("apart", "max"), off=("off", "mean")).reset_index()


def swapped_people(dataset: Dataset, root: Path, progress: bool = False) -> pd.DataFrame:
    """Judge every human partition by people of the other picture that the authors drew for it.

    Returns
    -------
    DataFrame
        One row per partition: ``image_id, same`` (False), the counts of `fb_counts`, ``fop_precision, fop_recall``. Where
        the two pictures stand the other way, the truths are turned by a quarter, counter-clockwise.
    """
    known = set(dataset.images["image_id"])
    pairs = [pair for pair in read_pairs(root, "diff") if pair[0] in known and pair[2] in known]
    rows = []
    for image, k, other, judges in tqdm(pairs, unit="partition", disable=not progress, leave=False):
        labels, drawn = dataset.partitions(image)[k], dataset.partitions(other)
        truths = [fit_labels(drawn[j], labels.shape, "rotate", f"{image} and {other}") for j in judges]
        _, precision, recall = fop(labels, truths)
        row = {"image_id": image, "same": False, "fop_precision": precision, "fop_recall": recall}
        rows.append(row | fb_counts(labels, truths)._asdict())
    columns = ["image_id", "same", "fop_precision", "fop_recall", *BoundaryCounts._fields]
    return pd.DataFrame(rows, columns=columns)


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


def tables_of_files(dataset: Dataset, root: Path) -> dict[str, pd.DataFrame]:
    """Compute what the authors' files say about figure 11 and the formulas, for the test images of BSDS500.

    Returns
    -------
    dict
        ``files`` and ``people`` (see `curves_of_files`, `people_of_files`), ``readings``, ``partners`` (points of
        `swapped_people`) and ``timing``.
    """
    return {
        "files": curves_of_files(root),
        "people": people_of_files(root),
        "readings": readings_on_bsds(dataset, root),
        "partners": human_points(swapped_people(dataset, root), ["same"]),
        "timing": time_measures(dataset),
    }
