"""Judge mask proposals on data sets: best score of every object, its summaries, and what they say (§2.3, §6.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite._checks.naming import check_distinct, short_name, unique_names
from propeval_lite._checks.seeding import image_draws, image_generator
from propeval_lite._checks.values import check_positive_int, check_threshold, fail
from propeval_lite.datasets.base import Dataset
from propeval_lite.masks.best import MASK_MEASURES, best_masks, mask_scores
from propeval_lite.masks.foreground import f_from_j, jaccard
from propeval_lite.masks.methods import propose_masks, quadtree
from propeval_lite.masks.proposals import MaskProposals
from propeval_lite.results.provenance import Result
from propeval_lite.results.store import fresh_or_stored
from propeval_lite.studies.ponttuset_situations import both_ways

#: Methods that do not look at the picture when they merge.
BLIND = ("random_merging", "quadtree")
VOC, VOID = "voc2012", 255
NAME = "ponttuset_objects"


def judge_masks(
    dataset: Dataset,
    method: str | Callable,
    budgets: Sequence[int],
    tolerance: float = 0.0075,
    void: int | None = None,
    seed: int = 0,
    progress: bool = True,
) -> pd.DataFrame:
    """Propose masks for every image of a data set and keep the best score of each object.

    Parameters
    ----------
    dataset : Dataset
        With images and masks. Objects marked ``ignore`` are left out.
    method, seed
        See `propose_masks`; the random numbers of an image depend on `seed` and the image's id.
    budgets, tolerance
        See `best_masks`.
    void : int, optional
        Label in ``dataset.partitions(id)[0]`` of the pixels that are not counted.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        One row per object and budget: ``dataset, method, image_id, object_id, share`` (of the image that the
        object covers), ``budget, proposals`` (masks that the method gave, at most the budget), ``jaccard, boundary``.
    """
    from tqdm import tqdm

    name = short_name(method) if isinstance(method, str) else method.__name__
    ids = dataset.objects.loc[~dataset.objects["ignore"], ["image_id", "object_id"]]
    tables = []
    for image_id in tqdm(dataset.images["image_id"], desc=name, disable=not progress, leave=False):
        wanted = dataset.objects["image_id"] == image_id
        counted = ~dataset.objects.loc[wanted, "ignore"].to_numpy(dtype=bool)
        if not counted.any():
            continue
        truths = dataset.masks(image_id)[counted]
        outside = None if void is None else np.asarray(dataset.partitions(image_id)[0]) == void
        proposals = propose_masks(method, dataset.image(image_id), image_generator(seed, image_id))
        best = [best_masks(proposals, truths, budgets, m, tolerance, outside) for m in MASK_MEASURES]
        objects = ids.loc[ids["image_id"] == image_id, "object_id"].to_numpy()
        for i, budget in enumerate(budgets):
            tables.append(
                pd.DataFrame(
                    {
                        "dataset": dataset.name,
                        "method": name,
                        "image_id": image_id,
                        "object_id": objects,
                        "share": truths.mean(axis=(1, 2)),
                        "budget": budget,
                        "proposals": min(budget, len(proposals)),
                        **{m: values[i] for m, values in zip(MASK_MEASURES, best, strict=True)},
                    }
                )
            )
    if not tables:
        raise fail("a data set with objects to find", dataset.name, "Choose other images.", "dataset")
    return pd.concat(tables, ignore_index=True)


def summarise_masks(
    table: pd.DataFrame, levels: Sequence[float] = (0.5, 0.7, 0.85), n_bootstrap: int = 200, seed: int = 0
) -> pd.DataFrame:
    """Summarise the best scores of the objects: mean, median, and recall at each level.

    Parameters
    ----------
    table : DataFrame
        From `judge_masks`; several may be joined.
    levels : sequence of float
        An object is found at a level if its best score reaches it.
    n_bootstrap, seed : int
        Replicates behind `error`, and the seed of their draws.

    Returns
    -------
    DataFrame
        ``dataset, method, budget, proposals, objects, measure, statistic, level, value, error``. `proposals` is a
        mean over images; `statistic` is ``mean``, ``median`` or ``recall``; `level` is NaN but for recall; `error` is
        the standard error.

    Notes
    -----
    Objects whose score is not defined are left out. Every object counts alike, whatever its image. The standard
    error is the spread of the statistic over replicates in which images are drawn with replacement, because objects
    of one image are found or missed together.

    References
    ----------
    Pont-Tuset & Marqués, §2.3 and fig. 9.

    Examples
    --------
    >>> best = {"image_id": ["a", "a", "b"], "object_id": [1, 2, 1], "jaccard": [0.2, 0.6, 0.7], "boundary": 0.5}
    >>> table = pd.DataFrame({"dataset": "d", "method": "m", "budget": 9, "proposals": 9, **best})
    >>> rows = summarise_masks(table, levels=[0.5]).query("measure == 'jaccard'")
    >>> rows.set_index("statistic")["value"].round(3).to_dict()
    {'mean': 0.5, 'median': 0.6, 'recall': 0.667}
    """
    levels = [float(check_threshold(level, "levels")) for level in levels]
    n_bootstrap = check_positive_int(n_bootstrap, "n_bootstrap", minimum=2)
    rows = []
    for key, group in table.groupby(["dataset", "method", "budget"], sort=False):
        given = group.drop_duplicates("image_id")["proposals"].mean()
        for measure in MASK_MEASURES:
            known = group.dropna(subset=[measure]).sort_values(measure, kind="stable")
            if known.empty:
                continue
            best = known[measure].to_numpy()
            weights = _draws(known["image_id"], n_bootstrap, seed)
            head = (*key, given, len(best), measure)
            rows.append((*head, "mean", np.nan, best.mean(), _spread(weights @ best, weights)))
            middle = [np.median(np.repeat(best, row)) for row in weights if row.any()]
            rows.append((*head, "median", np.nan, np.median(best), np.std(middle)))
            for level in levels:
                found = best >= level
                rows.append((*head, "recall", level, found.mean(), _spread(weights @ found, weights)))
    columns = ["dataset", "method", "budget", "proposals", "objects", "measure", "statistic", "level"]
    return pd.DataFrame(rows, columns=[*columns, "value", "error"])


def shorter_first(image: np.ndarray, rng: np.random.Generator) -> MaskProposals:
    """Propose the masks of `quadtree` with the shorter side halved first."""
    return quadtree(image, rng, first="shorter")


def judge_data_sets(
    data_sets: Mapping[str, Dataset],
    methods: Sequence[str],
    budgets: Sequence[int],
    tolerance: float,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Judge all methods on all data sets, as :func:`judge_masks` does.

    On VOC void pixels are left out, and the quadtree is judged under three further conventions, whose names have a
    comma. `data_sets` are named by their specs; a second one of the same name goes by its spec.

    Returns
    -------
    objects : DataFrame
    sizes : dict
        Number of images of each data set.
    """
    unique_names(methods)
    check_distinct(data_sets, "dataset and other_datasets")
    tables, sizes = [], {}
    rules: dict[str, Any] = {"budgets": budgets, "tolerance": tolerance, "seed": seed, "progress": False}
    for spec, data in data_sets.items():
        named = replace(data, name=spec) if data.name in sizes else data
        void = VOID if named.name.startswith("voc") else None
        sizes[named.name] = len(named.images)
        tables += [judge_masks(named, method, void=void, **rules) for method in methods]
        if void is not None:
            for title, method, label in (
                ("quadtree, void counted", "quadtree", None),
                ("quadtree, shorter side first", shorter_first, void),
                ("quadtree, both", shorter_first, None),
            ):
                tables.append(judge_masks(named, method, void=label, **rules).assign(method=title))
    return pd.concat(tables, ignore_index=True), sizes


def without_variants(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the methods themselves, without those of the quadtree's other conventions."""
    return table[~table["method"].str.fullmatch("quadtree, .*")]


def at_largest(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the summaries at the largest budget, one row per data set, measure and method."""
    rows = without_variants(summary[summary["budget"] == summary["budget"].max()])
    level = "recall at " + rows["level"].map("{:g}".format)
    rows = rows.assign(
        what=rows["statistic"].where(rows["level"].isna(), level), masks=rows["proposals"].round().astype(int)
    )
    index = ["dataset", "measure", "method", "masks"]
    wide = rows.pivot_table(index=index, columns="what", values="value", sort=False)
    return wide.rename_axis(columns=None).reset_index()


def by_size(objects: pd.DataFrame) -> pd.DataFrame:
    """Return mean best scores at the largest budget, for the smaller and the larger half of the objects."""
    rows = without_variants(objects[objects["budget"] == objects["budget"].max()])
    middle = rows.groupby("dataset")["share"].transform("median")
    rows = rows.assign(half=np.where(rows["share"] <= middle, "smaller", "larger"))
    rows = rows.rename(columns={"jaccard": "J", "boundary": "Fb"})
    wide = rows.pivot_table(["J", "Fb"], ["dataset", "method"], "half", sort=False)
    wide.columns = wide.columns.map(": ".join)
    return wide.sort_index(axis=1, ascending=False).reset_index()


def below_baselines(halves: pd.DataFrame) -> list[str]:
    """Say which methods :func:`by_size` puts below a blind one, column by column, and compare the quadtree's halves."""
    lines = []
    for name, rows in halves.groupby("dataset", sort=False):
        blind = rows["method"].isin(BLIND)
        for column in rows.columns[2:]:
            floor = rows.loc[blind, column].max()
            below = rows.loc[~blind & (rows[column] < floor), "method"].tolist()
            lines.append(f"{name}, {column}, below a baseline: {' '.join(below or ['none'])}")
        if "quadtree" in rows["method"].tolist():
            tree = rows.set_index("method").loc["quadtree"]
            ratios = (f"{m} {tree[f'{m}: smaller'] / tree[f'{m}: larger']:.2f}" for m in ("J", "Fb"))
            lines.append(f"{name}, quadtree, smaller half / larger half: {', '.join(ratios)}")
    return lines


def disagreements(objects: pd.DataFrame) -> pd.DataFrame:
    """Count the pairs of methods, over all budgets, that mean F or mean boundary F rank unlike mean J."""
    scored = ["jaccard", "f", "boundary"]
    table = without_variants(objects).assign(f=lambda rows: f_from_j(rows["jaccard"].to_numpy()))
    average = table.groupby(["dataset", "budget", "method"])[scored].mean()
    rows = []
    for (name, _), group in average.groupby(level=[0, 1]):
        for one, two in combinations(group[scored].to_numpy(), 2):
            j, f, boundary = one - two
            rows.append((name, 1, int(j * f < 0), int(j * boundary < 0)))
    table = pd.DataFrame(rows, columns=["dataset", "pairs", "J against F", "J against boundary F"])
    return table.groupby("dataset", sort=False).sum().reset_index()


def figure_9_claims(summary: pd.DataFrame) -> dict[str, str]:
    """Return what the paper reads from its figure 9, read from our summary of one data set."""
    rows = without_variants(summary[summary["budget"] == summary["budget"].max()])
    wide = rows.fillna({"level": 0}).pivot_table("value", ["measure", "method"], ["statistic", "level"])
    mean, median = wide[("mean", 0)], wide[("median", 0)]
    recall = wide["recall"].loc["jaccard"].to_numpy()[:, [0, -1]]
    pairs = [(a - b).prod() < 0 for a, b in combinations(recall, 2)]
    above = (median >= mean).groupby(level=0).sum()
    return {
        "median above mean, pixels": f"{above['jaccard']} of {len(recall)} methods",
        "median above mean, boundaries": f"{above['boundary']} of {len(recall)} methods",
        "ranks exchanged between lowest and highest level": f"{sum(pairs)} of {len(pairs)} pairs",
        "largest median of boundary F": f"{median['boundary'].max():.3f}",
    }


def on_voc(summary: pd.DataFrame, halves: pd.DataFrame, source: str) -> tuple[Result, Result]:
    """Return the summary and the halves on VOC 2012: of this run where its first data set is that, else stored ones."""
    first = summary["dataset"].iloc[0]
    here = first.startswith(VOC)
    fresh = summary[summary["dataset"] == first] if here else None
    return (
        fresh_or_stored(fresh, VOC, NAME, source),
        fresh_or_stored(halves if here else None, VOC, NAME + "_by_size", source),
    )


def best_masks_found(
    methods: Sequence[str], image: np.ndarray, truth: np.ndarray, limit: int, tolerance: float, seed: int
) -> tuple[list[tuple[str, np.ndarray]], pd.DataFrame]:
    """Find the best mask of each method for one object: by J, and for the first method also by boundary F.

    Returns
    -------
    panels : list of (title, mask)
    table : DataFrame
        ``method, best by, rank, J, Fb``.
    """
    panels, rows = [], []
    for i, method in enumerate(methods):
        offered = propose_masks(method, image, seed)
        for measure, sign in (("jaccard", "$J$"), ("boundary", "$F_b$"))[: 2 if i == 0 else 1]:
            score = mask_scores(offered, truth[None], measure, tolerance, limit=limit)[:, 0]
            rank = int(np.nanargmax(score))
            mask = offered.mask(rank)
            j, (_, fb) = jaccard(truth, mask), both_ways(truth, mask, tolerance)
            rows.append((method, sign.strip("$"), rank + 1, j, fb))
            panels.append((f"{method}, best by {sign}\n$J$ = {j:.2f}, $F_b$ = {fb:.2f}", mask))
    return panels, pd.DataFrame(rows, columns=["method", "best by", "rank", "J", "Fb"])


def _draws(images: pd.Series, n: int, seed: int) -> np.ndarray:
    """How often each object is drawn in each replicate, int array of shape (n, objects)."""
    row, names = pd.factorize(images, sort=True)
    counts = np.stack(
        [np.bincount(drawn, minlength=len(names)) for drawn in image_draws(len(names), n, seed)]
    )
    return counts[:, row]


def _spread(totals: np.ndarray, weights: np.ndarray) -> float:
    drawn = weights.sum(axis=1)
    return float(np.std(totals[drawn > 0] / drawn[drawn > 0]))
