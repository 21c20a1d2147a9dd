"""Studies of segmenters: precision-recall curves of boundaries and of objects and parts, and where the two disagree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from propeval_lite._checks.values import check_choice, fail
from propeval_lite.datasets import Dataset, load_dataset
from propeval_lite.datasets.registry import load_distinct
from propeval_lite.meta import human_scores
from propeval_lite.meta.scales import ods, ois, sweep_methods
from propeval_lite.meta.summaries import SUMMARY, mean_sides
from propeval_lite.partitions.boundaries import BoundaryCounts
from propeval_lite.partitions.precision_recall import f_of, sides_of_counts


def load_pools(
    train: Sequence[str], test: Sequence[str], shrink: int = 1
) -> dict[str, tuple[Dataset, Dataset]]:
    """Load pairs of data sets, one to choose scales on and one to report, by the name of the latter.

    Parameters
    ----------
    train, test : sequence of str
        See `load_dataset`; equally many. No data set is reported twice.
    shrink : int
        Sides of all pictures are divided by this.
    """
    if len(train) != len(test):
        got = f"{len(train)} and {len(test)}"
        raise fail(
            "as many data sets to choose on as to report", got, "Name them in pairs.", "train and test"
        )
    reports = load_distinct(test, blocks=shrink)
    learnt = [load_dataset(spec, blocks=shrink) for spec in train]
    return {report.name: (learn, report) for learn, report in zip(learnt, reports, strict=True)}


def pool_sizes(pools: Mapping[str, tuple[Dataset, Dataset]]) -> pd.DataFrame:
    """Count the pictures of every pool and their usual size."""
    rows = [
        (name, split, len(part.images), *(int(part.images[side].median()) for side in ("width", "height")))
        for name, parts in pools.items()
        for split, part in zip(("train", "test"), parts, strict=True)
    ]
    return pd.DataFrame(rows, columns=["data set", "split", "pictures", "median width", "median height"])


def sweep_pools(
    methods: Sequence, pools: Mapping[str, tuple[Dataset, Dataset]], seed: int = 0
) -> pd.DataFrame:
    """Score several segmenters by fb and fop on every pool: rows of `sweep_methods` with a column ``dataset``."""
    tables = [sweep_methods(list(SUMMARY), methods, *parts, seed=seed).assign(dataset=name)
              for name, parts in pools.items()]  # fmt: skip
    return pd.concat(tables, ignore_index=True)


def judge_humans(pools: Mapping[str, tuple[Dataset, Dataset]], seed: int = 0) -> pd.DataFrame:
    """Score the human partitions of every pool's test pictures: `human_scores` with a column ``dataset``."""
    tables = [
        human_scores(list(SUMMARY), test, seed=seed).assign(dataset=name) for name, (_, test) in pools.items()
    ]
    return pd.concat(tables, ignore_index=True)


def precision_recall(scores: pd.DataFrame, by: Sequence[str], boundaries: str = "means") -> pd.DataFrame:
    """Precision and recall of boundaries and of objects and parts over the images of each group.

    Parameters
    ----------
    scores : DataFrame
        One row per image with the columns of fb and fop that `score_all` gives.
    by : sequence of str
        Columns that name a group, such as method, parameter and swapped.
    boundaries : {"means", "counts"}
        Precision and recall of fb are means over the rows, as in the paper's figure, or those of the added counts, as
        in the BSDS benchmark and the authors' later program.

    Returns
    -------
    DataFrame
        Columns `by`, ``measure, precision, recall, f, images``. For fop precision and recall are means over the rows;
        F is that of the two.

    Examples
    --------
    >>> table = pd.DataFrame({"method": ["a", "a"], "matched_truth": [1, 3], "truth": [4, 4],
    ...     "matched_partition": [2, 3], "partition": [2, 6], "fop_precision": [1, 0], "fop_recall": [1, 0.5]})
    >>> precision_recall(table, ["method"])[["measure", "precision", "recall", "f"]].to_numpy().tolist()
    [['fb', 0.75, 0.5, 0.6], ['fop', 0.5, 0.75, 0.6]]
    >>> precision_recall(table, ["method"], "counts")["precision"].tolist()
    [0.625, 0.5]
    """
    check_choice(boundaries, ("means", "counts"), "boundaries")
    rows = []
    for key, group in scores.groupby(list(by), sort=False):
        for measure in SUMMARY:
            if measure == "fb" and boundaries == "counts":
                added = BoundaryCounts(*(int(group[name].sum()) for name in BoundaryCounts._fields))
                f, precision, recall = added.scores()
            else:
                precision, recall = mean_sides(group, measure)
                f = f_of(precision, recall)
            rows.append((*key, measure, precision, recall, f, len(group)))
    return pd.DataFrame(rows, columns=[*by, "measure", "precision", "recall", "f", "images"])


def human_points(humans: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Precision and recall of human partitions, averaged within each image first, then over the images.

    Parameters
    ----------
    humans : DataFrame
        From `human_scores` with fb and fop.
    by : sequence of str
        Columns that name a group, such as ``same``.

    Returns
    -------
    DataFrame
        As `precision_recall`; F is that of the two averages. This is how the authors' human point of fop is made:
        an image with many annotators weighs no more than one with few.

    Examples
    --------
    >>> table = pd.DataFrame({"image_id": [1, 1, 2], "same": True, "matched_truth": 1, "truth": [1, 1, 4],
    ...     "matched_partition": 1, "partition": [1, 1, 2], "fop_precision": [1, 1, 0], "fop_recall": 0.5})
    >>> human_points(table, ["same"])[["measure", "precision", "recall"]].to_numpy().tolist()
    [['fb', 0.75, 0.625], ['fop', 0.5, 0.5]]
    """
    sides = ("precision", "recall")
    contours = sides_of_counts(*(humans[name] for name in BoundaryCounts._fields))
    table = humans.assign(fb_precision=contours[0], fb_recall=contours[1])
    names = [f"{measure}_{side}" for measure in SUMMARY for side in sides]
    means = table.groupby([*by, "image_id"], sort=False)[names].mean().groupby(list(by), sort=False).mean()
    images = table.groupby(list(by), sort=False)["image_id"].nunique()
    rows = []
    for (key, row), n in zip(means.iterrows(), images, strict=True):
        for measure in SUMMARY:
            precision, recall = (float(row[f"{measure}_{side}"]) for side in sides)
            f = f_of(precision, recall)
            rows.append((*(key if isinstance(key, tuple) else (key,)), measure, precision, recall, f, n))
    return pd.DataFrame(rows, columns=[*by, "measure", "precision", "recall", "f", "images"])


def with_humans(curves: pd.DataFrame, points: pd.DataFrame) -> pd.DataFrame:
    """Curves of methods and points of humans in one table: a human is a method, and swapped if not the ``same``."""
    stars = points.assign(method="human", swapped=~points["same"]).drop(columns="same")
    return pd.concat([curves, stars], ignore_index=True)


def best_scales(scores: pd.DataFrame) -> pd.DataFrame:
    """Optimal scales of each method: chosen on the training images, reported on the test images.

    Parameters
    ----------
    scores : DataFrame
        From `sweep_methods`, of one data set.

    Returns
    -------
    DataFrame
        One row per method and measure: ``parameter`` and ``train`` (F there), ``test`` (F at this parameter),
        ``best`` (F at the parameter that the test images would have chosen), ``ois`` (F with the best
        parameter of each test image) and ``regions`` (mean number at the chosen parameter, test images).
    """
    rows = []
    own = scores[~scores["swapped"]]
    for method, table in own.groupby("method", sort=False):
        train, test = (table[table["split"] == split] for split in ("train", "test"))
        for measure in SUMMARY:
            chosen = ods(train, test, measure=measure)
            flattered = ods(test, measure=measure)
            oracle = ois(test, measure=measure)
            at = test[test["parameter"] == chosen.parameter]
            values = (chosen.chosen_at, chosen.value, flattered.value, oracle.value, at["regions"].mean())
            rows.append((method, measure, chosen.parameter, *values))
    return pd.DataFrame(
        rows, columns=["method", "measure", "parameter", "train", "test", "best", "ois", "regions"]
    )


def scales_of_pools(scores: pd.DataFrame) -> pd.DataFrame:
    """Optimal scales on every data set: `best_scales` of each, with a column ``dataset``."""
    tables = [
        best_scales(table).assign(dataset=name) for name, table in scores.groupby("dataset", sort=False)
    ]
    return pd.concat(tables, ignore_index=True)


def points_of_scales(scales: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Point of each method's curve at its optimal scale: rows of `scales` with ``precision, recall, f``.

    Examples
    --------
    >>> keys = {"dataset": "d", "method": "m", "measure": "fb"}
    >>> curve = pd.DataFrame({**keys, "parameter": [1, 2], "swapped": False, "f": [0.3, 0.7]})
    >>> points_of_scales(pd.DataFrame([{**keys, "parameter": 2}]), curve)["f"].tolist()
    [0.7]
    """
    own = curves[~curves["swapped"].astype(bool)]
    return scales.merge(own, on=["dataset", "method", "measure", "parameter"])


def value_ranges(points: pd.DataFrame, curves: pd.DataFrame, scales: pd.DataFrame) -> pd.DataFrame:
    """Range of values that F takes in practice: humans and the best segmenter, on their own picture and swapped.

    Parameters
    ----------
    points : DataFrame
        From `human_points`, by data set and ``same``.
    curves : DataFrame
        From `precision_recall`, by data set, method and ``swapped``.
    scales : DataFrame
        From `scales_of_pools`.

    Returns
    -------
    DataFrame
        One row per data set and measure.
    """
    keys = ["dataset", "measure"]
    own, swapped = (points[points["same"] == same].set_index(keys)["f"] for same in (True, False))
    columns = {
        "human": own,
        "best segmenter (ODS)": scales.groupby(keys)["test"].max(),
        "human, swapped": swapped,
        "best segmenter, swapped": curves[curves["swapped"].astype(bool)].groupby(keys)["f"].max(),
    }
    # Joined one by one, because a table of columns in different orders would be sorted.
    return pd.DataFrame({name: column.reindex(own.index) for name, column in columns.items()}).reset_index()


def list_scales(scales: pd.DataFrame) -> pd.DataFrame:
    """Optimal scales for readers: on every data set and for every measure the best method first."""
    order = ["dataset", "measure", "method", "parameter", "regions", "train", "test", "best", "ois"]
    listing = scales[order].sort_values(["dataset", "measure", "test"], ascending=[True, True, False])
    return listing.rename(columns={"ois": "OIS", "regions": "regions (mean)"})


def rank_methods(scales: pd.DataFrame) -> pd.DataFrame:
    """Place of every method on its data set by F at the optimal scale, by either measure.

    Examples
    --------
    >>> scales = pd.DataFrame({"dataset": "d", "method": ["a", "b"] * 2, "measure": ["fb"] * 2 + ["fop"] * 2,
    ...                        "test": [0.5, 0.6, 0.3, 0.2]})
    >>> rank_methods(scales)[["place by fb", "place by fop"]].to_numpy().tolist()
    [[2, 1], [1, 2]]
    """
    places = scales.pivot_table(index=["dataset", "method"], columns="measure", values="test")
    places = places.rename_axis(columns=None)
    for measure in SUMMARY:
        rank = places.groupby("dataset")[measure].rank(ascending=False)
        places[f"place by {measure}"] = rank.astype(int)
    return places.reset_index()


def disagreements(scores: pd.DataFrame) -> pd.DataFrame:
    """Rank every partition by fb and by fop and sort by how far the two ranks are apart.

    Parameters
    ----------
    scores : DataFrame
        One row per partition with columns ``fb`` and ``fop``.

    Returns
    -------
    DataFrame
        With ``fb_rank`` and ``fop_rank`` (share of partitions that score lower, ties counted half) and ``gap``,
        their difference; partitions that only fb likes come first, those that only fop likes last.

    Examples
    --------
    >>> table = disagreements(pd.DataFrame({"fb": [0.9, 0.1], "fop": [0.0, 0.5]}))
    >>> table["gap"].tolist()
    [0.5, -0.5]
    """
    ranks = {
        f"{name}_rank": (scores[name].rank() - 0.5) / scores[name].notna().sum() for name in ("fb", "fop")
    }
    table = scores.assign(**ranks)
    table["gap"] = table["fb_rank"] - table["fop_rank"]
    return table.sort_values("gap", ascending=False, kind="stable", ignore_index=True)
