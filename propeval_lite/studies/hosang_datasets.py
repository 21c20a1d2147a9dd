"""Recall on several data sets: those of a run beside stored ones, how large their objects are, what the paper has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_positive_int
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.registry import load_distinct
from propeval_lite.datasets.transforms import counted_only
from propeval_lite.results.provenance import Result
from propeval_lite.results.store import fresh_or_stored

#: Data sets whose results are stored, by the name of their spec.
REAL = ("voc2007", "voc2012", "ilsvrc2013", "coco")

#: What the paper calls our methods.
PAPER_NAMES = {
    "uniform": "Uniform",
    "gaussian": "Gaussian",
    "sliding_window": "Sliding window",
    "superpixels": "Superpixels",
    "selective_search": "SelectiveSearch",
    "edge_boxes": "EdgeBoxes",
    "bing": "Bing",
    "randomized_prims": "RandomizedPrims",
}


class Judged(NamedTuple):
    """What a run found on one data set.

    Attributes
    ----------
    spec : str
        As given to :func:`load_dataset`.
    dataset : Dataset
    source : str
        For captions.
    recall, rivals : DataFrame
        From :func:`propeval_lite.studies.hosang_recall.summarise` and ``evaluate``.
    """

    spec: str
    dataset: Dataset
    source: str
    recall: pd.DataFrame
    rivals: pd.DataFrame


class Everywhere(NamedTuple):
    """Results on all data sets, those of the run first and stored ones after them.

    Attributes
    ----------
    recall, sizes, rivals : DataFrame
        Tidy, with a column ``dataset``.
    origins : dict of Result
        By each name of `REAL`: its recalls and where they come from.
    """

    recall: pd.DataFrame
    sizes: pd.DataFrame
    rivals: pd.DataFrame
    origins: dict[str, Result]


def size_histogram(dataset: Dataset, bins: int = 20) -> pd.DataFrame:
    """Count the objects that are not ignored by their size relative to the image.

    Parameters
    ----------
    dataset : Dataset
    bins : int
        Number of equal intervals of [0, 1].

    Returns
    -------
    DataFrame
        Columns ``dataset, low, high, objects, share``.

    Notes
    -----
    The relative size is ``sqrt(w h / (W H))``, w and h of the box and W and H of the image.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, fig. 10b.

    Examples
    --------
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [40], "height": [40]})
    >>> box = {"image_id": "a", "object_id": [1], "category": "cup", "x1": 0, "y1": 0, "x2": 10, "y2": 10}
    >>> size_histogram(Dataset("one cup", images, pd.DataFrame({**box, "ignore": False})), 2).share.tolist()
    [1.0, 0.0]
    """
    edges = np.linspace(0, 1, check_positive_int(bins, "bins") + 1)
    objects = counted_only(dataset).objects
    areas = Frame.of(dataset).areas(objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64))
    sizes = dataset.images[["width", "height"]].to_numpy()[dataset.image_rows(objects["image_id"])]
    counts = np.histogram(np.minimum(np.sqrt(areas / sizes.prod(axis=1)), 1), edges)[0]
    table = pd.DataFrame({"dataset": dataset.name, "low": edges[:-1], "high": edges[1:], "objects": counts})
    return table.assign(share=counts / len(objects) if len(objects) else np.nan)


def load_others(specs: Sequence[str], first: Dataset, longest: int) -> dict[str, Dataset]:
    """Load further data sets by spec, as :func:`propeval_lite.datasets.registry.load_distinct` does.

    Parameters
    ----------
    specs : sequence of str
    first : Dataset
        Loaded before.
    longest : int
        Larger pictures are shrunk to this side; 0: never.
    """
    return dict(zip(specs, load_distinct(specs, first, longest=longest), strict=True))


def everywhere(judged: Sequence[Judged]) -> Everywhere:
    """Join what a run found with the stored results on real data that it did not look at.

    What the run found on real data is offered for storing. Stored results of a data set that the run looked at
    itself, under whatever path, stay out.
    """
    here = {run.dataset.name for run in judged}
    names = ("hosang_recall", "hosang_recall_sizes", "hosang_recall_matching")
    found = [(run, (run.recall, size_histogram(run.dataset), run.rivals)) for run in judged]
    parts = [list(tables) for tables in zip(*(tables for _, tables in found), strict=True)]
    origins = {}
    for real in REAL:
        fresh = next(((run, tables) for run, tables in found if run.spec.partition("?")[0] == real), None)
        source, tables = ("", (None, None, None)) if fresh is None else (fresh[0].source, fresh[1])
        results = [
            fresh_or_stored(table, real, name, source) for table, name in zip(tables, names, strict=True)
        ]
        for part, result in zip(parts, results, strict=True):
            if result.stored and result.table is not None:
                part.append(result.table[~result.table["dataset"].isin(here)])
        origins[real] = results[0]
    recall, sizes, rivals = (pd.concat(part, ignore_index=True) for part in parts)
    return Everywhere(recall, sizes, rivals, origins)


def mean_sizes(histogram: pd.DataFrame) -> pd.Series:
    """Mean relative size of the objects of each data set, as its histogram tells it: every bin by its middle.

    Parameters
    ----------
    histogram : DataFrame
        From :func:`size_histogram`; any number of data sets.
    """
    middle = histogram["low"] + (histogram["high"] - histogram["low"]) / 2
    return (middle * histogram["share"]).groupby(histogram["dataset"], sort=False).sum()


def average_recalls(recall: pd.DataFrame, budget: int) -> pd.DataFrame:
    """Return the rows that hold average recall at one budget."""
    return recall[(recall["criterion"] == "AR") & (recall["budget"] == budget)]


def rank_correlations(ar: pd.DataFrame) -> pd.DataFrame:
    """Return how alike two data sets order the methods: Spearman's correlation over those that both have.

    Parameters
    ----------
    ar : DataFrame
        From :func:`average_recalls`.

    Returns
    -------
    DataFrame
        Columns ``one, other, correlation``, a row per pair of data sets with at least three methods in common.
    """
    wide = ar.pivot_table(index="method", columns="dataset", values="value")
    square = wide.corr(method="spearman", min_periods=3)
    pairs = [(one, other, square.loc[one, other]) for one, other in combinations(square.columns, 2)]
    return pd.DataFrame(pairs, columns=["one", "other", "correlation"]).dropna(ignore_index=True)


def largest_gain(rivals: pd.DataFrame) -> pd.DataFrame:
    """Return, for each data set, where AR with best lies furthest above AR with greedy matching.

    Parameters
    ----------
    rivals : DataFrame
        Of :class:`Everywhere`.

    Returns
    -------
    DataFrame
        Columns ``dataset, budget, method, greedy, best, gain``.
    """
    table = rivals.assign(gain=rivals["best"] - rivals["greedy"])
    most = table.groupby("dataset", sort=False)["gain"].idxmax()
    return table.loc[most, ["dataset", "budget", "method", "greedy", "best", "gain"]]


def beside_published(recall: pd.DataFrame, published: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Set what a data set gave here beside what the paper has of the same methods.

    Parameters
    ----------
    recall : DataFrame
        Of :class:`Everywhere`.
    published : DataFrame
        Columns ``method, budget, criterion, tau, value``; methods as in `PAPER_NAMES`.
    dataset : str
        Which of ours.

    Returns
    -------
    DataFrame
        Columns ``criterion, method, paper, here, low, high, difference`` (ours less theirs).
    """
    keys = ["method", "budget", "criterion", "tau"]
    ours = recall[recall["dataset"] == dataset].rename(columns={"value": "here"})
    ours = ours.assign(method=ours["method"].map(PAPER_NAMES))
    both = ours.merge(published[[*keys, "value"]].rename(columns={"value": "paper"}), on=keys)
    both["criterion"] = [
        name if np.isnan(tau) else f"{name} at {tau:g}"
        for name, tau in zip(both["criterion"], both["tau"], strict=True)
    ]
    both["difference"] = both["here"] - both["paper"]
    return both[["criterion", "method", "paper", "here", "low", "high", "difference"]]


def between_datasets(ar: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return AR of the methods that ran on all of some data sets, and its difference from the first of them.

    Parameters
    ----------
    ar : DataFrame
        From :func:`average_recalls`.
    names : sequence of str
        Data sets; those that `ar` does not have are left out.

    Returns
    -------
    DataFrame
        A row per data set, then a row ``NAME − FIRST`` per data set but the first; a column per method.
    """
    first, short = names[0], names[0].partition("-")[0]
    rows = ar[ar["dataset"].isin(names)]
    wide = rows.pivot_table(index="method", columns="dataset", values="value").dropna()
    if first in wide:
        for name in wide.columns.drop(first):
            wide[f"{name} − {short}"] = wide[name] - wide[first]
    return wide.T.rename_axis("data set").reset_index().rename_axis(columns=None)
