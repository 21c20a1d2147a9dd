"""OMA as a study: criteria of methods, run here or published elsewhere, and how far apart two curves are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_positive_int, fail
from propeval_lite.boxes.bootstrap import bootstrap
from propeval_lite.boxes.cover import cover, label, usable
from propeval_lite.boxes.oma import average_oma, chance_recall, oma
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets.base import Dataset
from propeval_lite.results.published import find_published, load_best_iou
from propeval_lite.studies.hosang_recall import TAUS

CURVE = ["axis", "criterion"]


def pooled_oma(
    recalls: pd.DataFrame, dataset: Dataset, budget: int, lattice: str | None = None
) -> pd.DataFrame:
    """OMA pooled over objects from nothing but recall pooled over objects.

    Parameters
    ----------
    recalls : DataFrame
        Columns ``method, tau, recall``, such as from :func:`load_recalls`.
    dataset : Dataset
        Its objects are those that recall was counted on.
    budget : int
        Proposals per image.
    lattice : {"pixels", "edges"}, optional
        As in :func:`oma`.

    Returns
    -------
    DataFrame
        `recalls` with ``chance`` and ``OMA`` as further columns.

    Notes
    -----
    ``OMA = recall − (1/n) Σ HPRS(o, k)`` over all n objects o. Per image the two averages do not separate: that
    needs to know *which* objects were hit.
    """
    blank = Overlaps.from_iou(np.zeros((len(dataset.objects), 1)), [budget], dataset=dataset)
    taus = pd.unique(recalls["tau"]).tolist()
    chance = chance_recall(blank, taus, average="object", lattice=lattice, round=True).iloc[:, 0]
    level = chance.reindex(recalls["tau"]).to_numpy()
    return recalls.assign(chance=level, OMA=recalls["recall"].to_numpy() - level)


def evaluate(
    methods: Sequence[str], dataset: Dataset, budgets, seed: int = 0, made: dict | None = None
) -> tuple[dict[str, Overlaps], list[str]]:
    """Return the overlap tables of methods that run on a data set or were published for it.

    Parameters
    ----------
    methods : sequence of str
        As in :func:`propose`, or ``"best:FILE?dataset=NAME"``, see :func:`load_best_iou`.
    dataset : Dataset
        Without ignored objects, see :func:`propeval_lite.datasets.transforms.counted_only`.
    budgets : list of int
        For methods that run here; published tables come with their own.
    seed : int
        Of the methods.
    made : dict, optional
        Proposals made earlier, as in :func:`propeval_lite.boxes.cover.cover`.

    Returns
    -------
    tables : dict of Overlaps
        By the method's short name. An object's IoU is that with its best box, which may serve others too.
    left_out : list of str
        Methods that need pictures where there are none, or were published for another data set.
    """
    tables, left_out = {}, []
    for method in methods:
        known = find_published(method)
        if known is not None:
            if known.kind == "best" and known.dataset == dataset.provenance.get("spec"):
                tables[known.path.stem] = load_best_iou(known.path, dataset)
            else:
                left_out.append(method)
        elif usable([method], dataset)[0]:
            tables[label(method)] = cover(method, dataset, budgets, seed, [{"matching": "best"}], made=made)[
                0
            ]
        else:
            left_out.append(method)
    return tables, left_out


def criteria_curves(
    tables: dict[str, Overlaps],
    budget: int = 1000,
    taus: Sequence[float] = (0.5, 0.8),
    levels: Sequence[float] = TAUS,
    average: str = "image",
    n_iou: int = 10,
    lattice: str | None = None,
) -> pd.DataFrame:
    """Return the six curves of each method: recall and OMA, their averages, and both against IoU.

    Parameters
    ----------
    tables : dict of Overlaps
        By method, all of one data set.
    budget : int
        Of the curves against IoU; where a table does not have it, the budget closest to it in ratio.
    taus, levels : sequences of float
        Thresholds of the curves against the number of candidates, and along the curves against IoU.
    average, lattice
        As in :func:`oma`. Objects off the lattice are moved onto it.
    n_iou : int
        Thresholds of average recall and average OMA, as in :func:`average_oma`.

    Returns
    -------
    DataFrame
        Tidy, columns ``dataset, method, average, axis, criterion, tau, budget, value``; axis is "number" or
        "IoU"; criterion "recall", "OMA", "AR" or "AO"; tau is NaN for the last two.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, figures 5 to 7.
    """
    chance = {"average": average, "lattice": lattice, "round": True}
    parts = []
    for method, table in tables.items():
        rows = []
        for tau in taus:
            rows += _rows("number", "recall", tau, recall(table, tau, average=average))
            rows += _rows("number", "OMA", tau, oma(table, tau, **chance))
        mean_recall = average_recall(table, kind="sum", average=average, n_iou=n_iou)
        rows += _rows("number", "AR", np.nan, mean_recall)
        rows += _rows("number", "AO", np.nan, average_oma(table, n_iou, **chance))
        near = nearest_budget(table, budget)
        for name, curves in (
            ("recall", recall(near, list(levels), average=average)),
            ("OMA", oma(near, list(levels), **chance)),
        ):
            k = int(near.budgets[0])
            rows += [("IoU", name, tau, k, value) for tau, value in curves.iloc[:, 0].items()]
        part = pd.DataFrame(rows, columns=[*CURVE, "tau", "budget", "value"])
        part.insert(0, "average", average)
        part.insert(0, "method", method)
        part.insert(0, "dataset", table.conventions["dataset"])
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def at_budget(
    tables: dict[str, Overlaps],
    budget: int = 1000,
    taus: Sequence[float] = (0.5, 0.8),
    average: str = "image",
    n: int = 200,
    seed: int = 0,
    lattice: str | None = None,
) -> pd.DataFrame:
    """Recall, chance and OMA of each method at one budget, with 95 % bootstrap intervals over images.

    Parameters
    ----------
    tables, budget, taus, average, lattice
        As in :func:`criteria_curves`.
    n, seed
        As in :func:`bootstrap`.

    Returns
    -------
    DataFrame
        Columns ``dataset, method, average, tau, budget, recall, chance, OMA, low, high, of possible``. The last
        is OMA as a share of the largest value it could have, ``(recall − chance) / (1 − chance)``.
    """
    options = {"average": average, "lattice": lattice, "round": True}
    parts = []
    for method, table in tables.items():
        near = nearest_budget(table, budget)
        band = bootstrap(near, oma, list(taus), n=n, seed=seed, **options)
        found = recall(near, list(taus), average=average).iloc[:, 0].to_numpy()
        value = band["estimate"].to_numpy()
        part = pd.DataFrame({"dataset": table.conventions["dataset"], "method": method, "average": average,
                             "tau": list(taus), "budget": int(near.budgets[0]), "recall": found,
                             "chance": found - value, "OMA": value})  # fmt: skip
        part["low"], part["high"] = band["low"].to_numpy(), band["high"].to_numpy()
        parts.append(part.assign(**{"of possible": value / (1 - part["chance"])}))
    return pd.concat(parts, ignore_index=True)


def _rows(axis: str, criterion: str, tau: float, curve: pd.Series) -> list[tuple]:
    return [(axis, criterion, tau, int(k), value) for k, value in curve.items()]


def nearest_budget(overlaps: Overlaps, budget: int) -> Overlaps:
    """Return the table with only the budget closest to `budget` in ratio.

    Examples
    --------
    >>> table = Overlaps.from_iou([[0.2, 0.5, 0.5]], budgets=[10, 900, 1300], image_row=[0])
    >>> nearest_budget(table, 1000).budgets.tolist()
    [900]
    """
    ratio = np.abs(np.log(overlaps.budgets / check_positive_int(budget, "budget")))
    i = int(np.argmin(ratio))
    rank = None if overlaps.rank is None else overlaps.rank[:, i : i + 1]
    return replace(
        overlaps,
        budgets=overlaps.budgets[i : i + 1],
        iou=overlaps.assigned_iou("OMA")[:, i : i + 1],
        rank=rank,
    )


def split_by_count(overlaps: Overlaps, few: int = 2) -> tuple[Overlaps, Overlaps]:
    """Part a table into images with up to `few` objects and images with more.

    Parameters
    ----------
    overlaps : Overlaps
    few : int
        Largest number of objects of an image of the first part.

    Returns
    -------
    few, multiple : Overlaps

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §5.4.

    Examples
    --------
    >>> table = Overlaps.from_iou([[0.2], [0.5], [0.9], [1]], budgets=[10], image_row=[0, 1, 1, 1])
    >>> [len(part) for part in split_by_count(table)]
    [1, 3]
    """
    counts = np.bincount(overlaps.image_row, minlength=overlaps.n_images)
    is_few = counts[overlaps.image_row] <= check_positive_int(few, "few")
    name = overlaps.conventions.get("dataset", "unknown")

    def part(keep, ending):
        table = overlaps.select(keep)
        return replace(table, conventions=table.conventions | {"dataset": f"{name}-{ending}"})

    return part(is_few, "few"), part(~is_few, "multiple")


def average_distance(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Mean vertical distance between the curves of the same method on two data sets.

    Parameters
    ----------
    first, second : DataFrame
        From :func:`criteria_curves`, each of one data set and with one threshold against the number.

    Returns
    -------
    DataFrame
        Columns ``method, axis, criterion, points, distance, level``: distance is the mean of ``|a − b|`` over the
        sampling points that both curves have, level the mean of ``(|a| + |b|) / 2``. Methods that only one
        table has are left out.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §5.4, Tables 2 and 3.

    Examples
    --------
    >>> curve = pd.DataFrame({"method": "m", "axis": "number", "criterion": "OMA", "tau": 0.8, "budget": [1, 10],
    ...                       "value": [0.25, 0.75]})
    >>> average_distance(curve, curve.assign(value=[0.5, 0.5])).distance.tolist()
    [0.25]
    """
    keys = ["method", *CURVE]
    for table in (first, second):
        number = table.loc[table["axis"] == "number", [*keys, "tau"]]
        if number.drop_duplicates().duplicated(keys).any():
            raise fail(
                "one threshold for the curves against the number",
                "several",
                "Choose one: table[table.tau.isna() | ...].",
                "average_distance",
            )
    # Along the IoU axis the budget may be the nearest one that each table has.
    points = [
        table.assign(x=np.where(table["axis"] == "IoU", table["tau"], table["budget"]))[[*keys, "x", "value"]]
        for table in (first, second)
    ]
    both = points[0].merge(points[1], on=[*keys, "x"], suffixes=("_a", "_b"), validate="one_to_one")
    both["distance"] = (both["value_a"] - both["value_b"]).abs()
    both["level"] = (both["value_a"].abs() + both["value_b"].abs()) / 2
    groups = both.groupby(keys, sort=False)
    return groups.agg(
        points=("x", "size"), distance=("distance", "mean"), level=("level", "mean")
    ).reset_index()


def below_chance(x, values, tolerance: float = 0.001, log: bool = False) -> list[tuple[float, float]]:
    """Return the stretches of a curve that lie below 0, ends interpolated.

    Parameters
    ----------
    x, values : array_like, shape (n,)
        Points of the curve, x rising.
    tolerance : float
        A stretch counts only if some point of it lies below ``-tolerance``: where chance itself is next to
        nothing, so is the difference.
    log : bool
        Interpolate in the logarithm of x, for numbers of candidates.

    Returns
    -------
    list of (start, end)

    Examples
    --------
    >>> below_chance([0.5, 0.6, 0.7, 0.8], [0.1, -0.1, -0.1, 0.3])
    [(0.55, 0.725)]
    """
    x = np.asarray(x, dtype=np.float64)
    y = np.asarray(values, dtype=np.float64)
    place = np.log(x) if log else x

    def zero(i):
        share = y[i] / (y[i] - y[i + 1])
        at = place[i] + share * (place[i + 1] - place[i])
        return float(np.round(np.exp(at) if log else at, 9))

    edges = np.diff(np.concatenate(([0], (y < 0).astype(np.int64), [0])))
    stretches = []
    for first, after in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        if y[first:after].min() < -tolerance:
            start = float(x[0]) if first == 0 else zero(first - 1)
            end = float(x[-1]) if after == len(y) else zero(after - 1)
            stretches.append((start, end))
    return stretches
