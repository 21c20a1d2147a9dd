"""OMA as a study: data sets, overlap tables of methods run here or published elsewhere, and their criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite._checks.naming import unique_names
from propeval_lite._checks.values import check_positive_int
from propeval_lite.boxes.bootstrap import bootstrap
from propeval_lite.boxes.cover import cover, usable
from propeval_lite.boxes.oma import average_oma, chance_recall, oma
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets import Dataset
from propeval_lite.datasets.registry import load_distinct
from propeval_lite.datasets.transforms import counted_only
from propeval_lite.methods.registry import BUILT_IN
from propeval_lite.results.published import find_published, load_best_iou, load_recalls
from propeval_lite.studies.hosang_recall import TAUS
from propeval_lite.studies.hosang_recall import file_frames as file_frames  # pages of this study print it

CURVE = ["axis", "criterion"]
#: The method that draws all boxes with the same probability: chance itself.
CHANCE = "random_boxes"
#: Methods that see nothing of a picture.
BLIND = ("random_boxes", "uniform", "gaussian", "sliding_window")


def load_all(specs: Sequence[str], longest: int) -> dict[str, Dataset]:
    """Load data sets without the objects that are not counted, by what they are called without path and options.

    Parameters
    ----------
    specs : sequence of str
        As in :func:`propeval_lite.load_dataset`. Where two would be called the same, the later one goes by its whole
        spec.
    longest : int
        As in :func:`propeval_lite.datasets.transforms.shrink`.

    Examples
    --------
    >>> loaded = load_all(["scenes?n=1", "scenes?n=2"], longest=0)
    >>> {key: data.name for key, data in loaded.items()}
    {'scenes': 'scenes', 'scenes?n=2': 'scenes?n=2'}
    """
    loaded: dict[str, Dataset] = {}
    for spec, data in zip(specs, load_distinct(specs, longest=longest), strict=True):
        data = counted_only(data)
        key = data.provenance["spec"]
        loaded[spec if key in loaded else key] = data
    return loaded


def describe(dataset: Dataset, lattice: str, seed: int, tables: dict[str, Overlaps] | None = None) -> str:
    """Say what the numbers of a data set are made from; methods published with another matching are named."""
    size = f"{len(dataset.images):,} images, {len(dataset.objects):,} objects"
    others = [name for name, table in (tables or {}).items() if table.conventions["matching"] != "best"]
    matching = f" ({', '.join(others)}: one-to-one)" if others else ""
    return f"{dataset.name}: {size}, best box per object{matching}, lattice {lattice}, seed {seed}"


def count(dataset: Dataset) -> pd.DataFrame:
    """Return the numbers of images and objects of a data set, as a row."""
    sizes = {"dataset": dataset.name, "images": len(dataset.images), "objects": len(dataset.objects)}
    return pd.DataFrame([sizes])


def tiny_dataset(seed: int, size: tuple[int, int] = (16, 12), images: int = 30) -> Dataset:
    """Return made-up images, so small that chance hits often, with one to four boxes each.

    Examples
    --------
    >>> tiny = tiny_dataset(seed=1)
    >>> tiny.objects["image_id"].value_counts().between(1, 4).all(), len(tiny.images)
    (np.True_, 30)
    """
    rng = np.random.default_rng(seed)
    side, rows = np.array(size), []
    for i in range(images):
        for j in range(rng.integers(1, 5)):
            low = rng.integers(0, side - 2)
            high = rng.integers(low + 2, side + 1)
            rows.append((f"im{i:02d}", j, "thing", *low, *high, False))
    columns = ["image_id", "object_id", "category", "x1", "y1", "x2", "y2", "ignore"]
    objects = pd.DataFrame(rows, columns=columns)
    sizes = {"image_id": pd.unique(objects["image_id"]), "width": side[0], "height": side[1]}
    return Dataset("tiny", pd.DataFrame(sizes), objects)


def chance_test(dataset: Dataset, taus: Sequence[float], trials: int) -> pd.DataFrame:
    """Measure OMA of boxes drawn at random: 20 boxes charged for 20, and 60 boxes charged for 20 only.

    Parameters
    ----------
    dataset : Dataset
    taus : sequence of float
    trials : int
        Repetitions, seeds 0, 1, ….

    Returns
    -------
    DataFrame
        Columns ``drawn, charged, IoU, mean OMA, standard error, ratio``; the last is the mean over its error.
    """
    runs = [evaluate([CHANCE], dataset, [20, 60], seed)[0]["random_boxes"] for seed in range(trials)]
    rows = []
    for place, drawn in enumerate((20, 60)):
        ious = [run.assigned_iou("chance_test")[:, [place]] for run in runs]
        charged = [Overlaps.from_iou(iou, [20], dataset=dataset) for iou in ious]
        for tau in taus:
            values = [oma(table, tau, "image", lattice="edges").to_numpy().item() for table in charged]
            mean, error = np.mean(values), np.std(values, ddof=1) / np.sqrt(trials)
            rows.append((drawn, 20, tau, mean, error, mean / error))
    return pd.DataFrame(rows, columns=["drawn", "charged", "IoU", "mean OMA", "standard error", "ratio"])


def published_recalls(methods: Sequence[str], spec: str) -> pd.DataFrame | None:
    """Return the recalls that one of the methods, ``"recall:FILE?dataset=SPEC"``, names; None if none does.

    Parameters
    ----------
    methods : sequence of str
    spec : str
        Data set that the recalls must belong to.

    Returns
    -------
    DataFrame or None
        As from :func:`propeval_lite.results.published.load_recalls`.
    """
    for known in map(find_published, methods):
        if known is not None and known.kind == "recall" and known.dataset == spec:
            return load_recalls(known.path)
    return None


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
    chance = chance_recall(blank, taus, average="object", lattice=lattice, round=True)
    level = chance.reindex(recalls["tau"]).to_numpy()[:, 0]
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
        By the method's short name. An object's IoU is that with its best box, which may serve others too; in a
        published table it is what its authors took, see :func:`load_best_iou`.
    left_out : list of str
        Methods that belong to another data set or were published for it. One that cannot run is an error.
    """
    tables, left_out = {}, []
    for name, method in unique_names(methods, BUILT_IN):
        known = find_published(method)
        if known is not None:
            if known.kind == "best" and known.dataset == dataset.provenance.get("spec"):
                tables[name] = load_best_iou(known.path, dataset, name)
            else:
                left_out.append(method)
        elif usable([method], dataset)[0]:
            (table,) = cover(method, dataset, budgets, seed, [{"matching": "best"}], made=made)
            tables[name] = table
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
    chance: dict[str, Any] = {"average": average, "lattice": lattice, "round": True}
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
            rows += [
                ("IoU", name, tau, k, value)
                for tau, value in zip(levels, curves.to_numpy()[:, 0], strict=True)
            ]
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
    options: dict[str, Any] = {"average": average, "lattice": lattice, "round": True}
    parts = []
    for method, table in tables.items():
        near = nearest_budget(table, budget)
        band = bootstrap(near, oma, list(taus), n=n, seed=seed, **options)
        found = recall(near, list(taus), average=average).to_numpy()[:, 0]
        value = band["estimate"].to_numpy()
        part = pd.DataFrame({"dataset": table.conventions["dataset"], "method": method, "average": average,
                             "tau": list(taus), "budget": int(near.budgets[0]), "recall": found,
                             "chance": found - value, "OMA": value})  # fmt: skip
        part["low"], part["high"] = band["low"].to_numpy(), band["high"].to_numpy()
        parts.append(part.assign(**{"of possible": value / (1 - part["chance"])}))
    return pd.concat(parts, ignore_index=True)


def _rows(axis: str, criterion: str, tau: float, curve: pd.Series | pd.DataFrame) -> list[tuple]:
    return [
        (axis, criterion, tau, int(k), value) for k, value in zip(curve.index, curve.to_numpy(), strict=True)
    ]


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
