"""Judge mask proposals on a data set: best score of every object, and its summaries (§2.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from propeval_lite._checks.seeding import image_generator
from propeval_lite._checks.values import check_positive_int, check_threshold, fail
from propeval_lite.datasets.base import Dataset
from propeval_lite.masks.best import MASK_MEASURES, best_masks
from propeval_lite.masks.methods import propose_masks


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

    name = method if isinstance(method, str) else method.__name__
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


def _draws(images: pd.Series, n: int, seed: int) -> np.ndarray:
    """How often each object is drawn in each replicate, int array of shape (n, objects)."""
    row, names = pd.factorize(images, sort=True)
    draws = np.random.default_rng(seed).integers(0, len(names), (n, len(names)))
    counts = np.stack([np.bincount(drawn, minlength=len(names)) for drawn in draws])
    return counts[:, row]


def _spread(totals: np.ndarray, weights: np.ndarray) -> float:
    drawn = weights.sum(axis=1)
    return float(np.std(totals[drawn > 0] / drawn[drawn > 0]))
