"""Repeatability of several methods on several data sets: of this run, stored ones, and published ones beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.naming import short_name
from propeval_lite._checks.values import fail
from propeval_lite.boxes import repeatability as rep
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.perturbations import PERTURBATIONS
from propeval_lite.results.provenance import Result
from propeval_lite.results.published import published
from propeval_lite.results.store import fresh_or_stored
from propeval_lite.studies import hosang_repeatability as study
from propeval_lite.studies.hosang_datasets import PAPER_NAMES

#: Data sets whose results are stored, by the name of their spec.
REAL = ("voc2007", "voc2012", "coco")
#: Where each kind is drawn in the paper.
FIGURES = {
    "scale": "5c", "jpeg": "5d", "rotation": "5e", "illumination": "5f", "blur": "5g", "salt_and_pepper": "5h",
}  # fmt: skip
BLIND_TOLERANCE = 0.01  # of the issue, under scale and rotation
KEYS = ["method", "perturbation", "value", "of"]


class Options(NamedTuple):
    """How boxes are made and pooled: per picture k of them, `thin` and `empty` of the measure, seeds and draws."""

    k: int = 1000
    seed: int = 0
    thin: int | None = rep.THIN
    empty: str = "zero"
    n_bootstrap: int = 200
    example: tuple[str, float] = ("blur", 1)


class Measured(NamedTuple):
    """What a run found on one data set; tables have columns ``dataset`` and ``method``.

    Attributes
    ----------
    spec : str
    dataset : Dataset
    curve, sizes, recall, problems : DataFrame
        As in :class:`propeval_lite.studies.hosang_repeatability.Repeated`; `sizes` has the true objects too.
    left_out : list of str
        Methods that cannot run there.
    """

    spec: str
    dataset: Dataset
    curve: pd.DataFrame
    sizes: pd.DataFrame
    recall: pd.DataFrame
    problems: pd.DataFrame
    left_out: list[str]


def measure(spec: str, dataset: Dataset, methods: Sequence[str], options: Options, **how) -> Measured:
    """Let each method that can repeat itself on a data set.

    Parameters
    ----------
    spec : str
        What the data set was loaded from.
    dataset : Dataset
    methods : sequence of str
    options : Options
    **how
        ``workers``, ``progress`` and ``checkpoint``, as in
        :func:`~propeval_lite.studies.hosang_repeatability.repeat_dataset`.
    """
    good, left_out = study.runnable(methods, dataset)
    parts: dict[str, list[pd.DataFrame]] = {
        "curve": [],
        "sizes": [true_sizes(dataset)],
        "recall": [],
        "problems": [],
    }
    for method in good:
        task, answers = study.repeat_dataset(method, dataset, None, options.k, options.seed, **how)
        found = {
            "curve": study.summarise(
                task, answers, options.thin, options.empty, options.n_bootstrap, options.seed
            ),
            "sizes": sizes_of(answers),
            "recall": recall_by_group(task, answers, options.example, options.thin),
            "problems": problems_of(task, answers, dataset),
        }
        for name, table in found.items():
            parts[name].append(table.assign(method=short_name(method)))
    if not good:
        got, remedy = ", ".join(methods) or "none", "Name one, such as uniform."
        raise fail(f"a method that can run on {dataset.name}", got, remedy, "methods")
    tables = {
        name: pd.concat(tables, ignore_index=True).assign(dataset=dataset.name)
        for name, tables in parts.items()
    }
    return Measured(spec, dataset, **tables, left_out=left_out)


def check_all_ran(methods: Sequence[str], measured: Sequence[Measured]) -> None:
    """Raise an error if a method that was asked for ran on no data set, so that none is missing in silence."""
    idle = [name for name in methods if all(name in found.left_out for found in measured)]
    if idle:
        names = ", ".join(found.dataset.name for found in measured)
        remedy = "Leave them out, or name a data set with pictures in others."
        raise fail(f"methods that can run on one of {names}", ", ".join(idle), remedy, "methods")


def true_sizes(dataset: Dataset) -> pd.DataFrame:
    """Count the objects of a data set by group of sizes; their method is "annotations"."""
    frame = Frame.of(dataset)
    areas = frame.areas(dataset.objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64))
    whole = dataset.images["width"].to_numpy() * dataset.images["height"].to_numpy()
    share = np.sqrt(areas / whole[dataset.image_rows(dataset.objects["image_id"])])
    groups = np.minimum((share * rep.GROUPS + 1e-9).astype(np.int64), rep.GROUPS - 1)
    return _shares(np.bincount(groups, minlength=rep.GROUPS)).assign(method="annotations")


def sizes_of(answers: Sequence[dict]) -> pd.DataFrame:
    """Count the boxes on unchanged pictures by group of sizes: columns ``size, boxes, share``."""
    kind = next(name.partition(".")[0] for name in answers[0] if not name.startswith("rotation"))
    groups = np.concatenate([answer[f"{kind}.group"] for answer in answers])
    return _shares(np.bincount(groups.astype(np.int64), minlength=rep.GROUPS))


def _shares(counts: np.ndarray) -> pd.DataFrame:
    middle = np.round((np.arange(rep.GROUPS) + 0.5) / rep.GROUPS, 6)
    total = counts.sum()
    return pd.DataFrame({"size": middle, "boxes": counts, "share": counts / total if total else np.nan})


def recall_by_group(
    task: study.Task, answers: Sequence[dict], example: tuple[str, float], thin: int | None
) -> pd.DataFrame:
    """Return recall against the IoU threshold for each group of sizes: columns ``size, iou, recall, boxes``.

    Empty where the method was not asked for that perturbation. Of a long curve at most a hundred points are kept.
    """
    kind, value = example
    values = dict(task.settings).get(kind, ())
    rows = []
    if value in values:
        parts = list(study.pooled(answers, kind, values.index(value)))
        iou, group = (np.concatenate([part[j] for part in parts]) for j in (0, 1))
        for g in range(rep.GROUPS):
            x, y = rep.recall_curve(iou[group == g], thin)
            few = np.unique(np.linspace(0, max(len(x) - 1, 0), min(len(x), 100)).astype(int))
            low, high = g / rep.GROUPS, (g + 1) / rep.GROUPS
            rows += [(f"{low:g}–{high:g}", x[i], y[i], int((group == g).sum())) for i in few]
    return pd.DataFrame(rows, columns=["size", "iou", "recall", "boxes"])


def problems_of(task: study.Task, answers: Sequence[dict], dataset: Dataset) -> pd.DataFrame:
    """List what could not be judged: columns ``image_id, perturbation, value, problem``."""
    rows = [
        (image_id, kind, float(value), str(problem))
        for image_id, answer in zip(dataset.images["image_id"], answers, strict=True)
        for kind, values in task.settings
        for value, problem in zip(values, answer[f"{kind}.problem"], strict=True)
        if problem
    ]
    return pd.DataFrame(rows, columns=["image_id", "perturbation", "value", "problem"])


def richest(measured: Sequence[Measured]) -> Measured:
    """Return the results with the most methods, the first of equals: pictures are needed for most of them."""
    return max(measured, key=lambda found: found.curve["method"].nunique())


class Everywhere(NamedTuple):
    """Curves of the run and stored ones behind them, and by each name of `REAL` where its curves come from."""

    curve: pd.DataFrame
    origins: dict[str, Result]


def describe(found: Measured, options: Options) -> str:
    """Say what numbers were made from, for captions."""
    thin = "all values" if options.thin is None else f"thinned to {options.thin}"
    empty = "empty groups count 0" if options.empty == "zero" else "empty groups left out"
    return (
        f"{found.dataset.name}: {len(found.dataset.images):,} images, {options.k:,} proposals, {thin}, {empty}, "
        f"seed {options.seed}"
    )


def everywhere(measured: Sequence[Measured], options: Options) -> Everywhere:
    """Join what a run found with stored results of the real data that it did not look at, and offer its own."""
    tables, origins = [found.curve for found in measured], {}
    here = {found.dataset.name for found in measured}
    for real in REAL:
        fresh = next(
            (found for found in measured if found.spec.partition("?")[0].partition(":")[0] == real), None
        )
        table, source = (None, "") if fresh is None else (fresh.curve, describe(fresh, options))
        origins[real] = fresh_or_stored(table, real, "hosang_repeatability", source)
        stored = origins[real].table
        if origins[real].stored and stored is not None:
            tables.append(stored[~stored["dataset"].isin(here)])
    return Everywhere(pd.concat(tables, ignore_index=True), origins)


def paper_curves() -> pd.DataFrame:
    """Return the published curves: ``figure, perturbation, of, method, value, repeatability``.

    Examples
    --------
    >>> table = paper_curves().query("of == 'all' and perturbation == 'blur' and value == 0").set_index("method")
    >>> round(float(table.loc["Uniform", "repeatability"]), 3), len(table)
    (0.654, 14)
    """
    return published("hosang_repeatability").drop(columns="paper")


def beside(curve: pd.DataFrame, theirs: pd.DataFrame) -> pd.DataFrame:
    """Set our values beside the published ones.

    Parameters
    ----------
    curve : DataFrame
        Of :class:`Measured`; one data set or several.
    theirs : DataFrame
        From :func:`paper_curves`.

    Returns
    -------
    DataFrame
        Columns ``dataset, method, perturbation, value, of, paper, here, low, high, difference``; `method` as the
        paper calls it.
    """
    ours = curve.assign(method=curve["method"].map(PAPER_NAMES), value=curve["value"].round(6))
    both = ours.rename(columns={"repeatability": "here"}).merge(
        theirs.rename(columns={"repeatability": "paper"})[[*KEYS, "paper"]], on=KEYS
    )
    both["difference"] = both["here"] - both["paper"]
    return both[["dataset", *KEYS, "paper", "here", "low", "high", "difference"]]


def unchanged(table: pd.DataFrame) -> np.ndarray:
    """Whether a row is one where nothing has changed."""
    same = table["perturbation"].map({kind: p.identity for kind, p in PERTURBATIONS.items()})
    return np.isclose(table["value"].astype(np.float64), same.astype(np.float64))


def condensed(compared: pd.DataFrame) -> pd.DataFrame:
    """Condense a comparison to a row per method and perturbation: points, largest and mean difference."""
    groups = compared.groupby(["method", "perturbation"], sort=False)
    table = groups["difference"].agg(points="size", largest=lambda d: d.abs().max(), mean="mean")
    same = compared[unchanged(compared)]
    same = same.set_index(["method", "perturbation"])[["paper", "here"]]
    table = table.join(same.rename(columns={"paper": "paper, unchanged", "here": "here, unchanged"}))
    return table.reset_index().rename(columns={"largest": "largest difference", "mean": "mean difference"})


def judge_figure(ours: Everywhere, theirs: pd.DataFrame, kind: str) -> dict:
    """Return the arguments of a verdict on one of figures 5c to 5h.

    Methods that need no picture are compared on the paper's own data set, where their numbers can be judged. Those that
    look run on other pictures, where only the order of values can be the same; they are judged where no others are.
    """
    names = ours.curve.assign(dataset=ours.curve["dataset"].str.split("-").str[0])
    rows = names[(names["perturbation"] == kind) & (names["of"] == study.ALL)]
    blind = beside(rows[rows["dataset"] == "voc2007"], theirs).dropna(subset=["here"])
    looking = beside(rows[rows["dataset"] == "voc2012"], theirs).dropna(subset=["here"])
    looking = looking[~looking["method"].isin(["Uniform", "Gaussian", "Sliding window"])]
    if blind.empty and looking.empty:
        return {"because": "no results on VOC 2007 or VOC 2012 are stored; run the profile paper"}
    said, trend = [], False
    if len(blind):
        trend = order_alike(blind) > 0.5
        worst = blind.iloc[int(blind["difference"].abs().to_numpy().argmax())]
        said.append(
            f"the {blind['method'].nunique()} blind methods differ by at most {abs(worst['difference']):.3f} "
            f"({worst['method']} at {worst['value']:g})"
        )
    if len(looking):
        alike = order_alike(looking)
        said.append(
            f"{looking['method'].nunique()} methods that look, in other programs and on other pictures (VOC 2012), "
            f"differ by {looking['difference'].abs().mean():.3f} on average; values correlate by rank at {alike:.2f}"
        )
        trend = trend or alike > 0.5
    points = blind if len(blind) else looking
    return {
        "here": points["here"].tolist(), "paper": points["paper"].tolist(), "tolerance": BLIND_TOLERANCE,
        "trend": bool(trend), "because": "; ".join(said),
    }  # fmt: skip


def order_alike(compared: pd.DataFrame) -> float:
    """Rank correlation of our values with the published ones over methods and values; NaN for fewer than three."""
    if len(compared) < 3 or compared["here"].nunique() < 2 or compared["paper"].nunique() < 2:
        return float("nan")
    return float(spearmanr(compared["here"], compared["paper"]).statistic)


def side_by_side(found: Measured, theirs: pd.DataFrame) -> pd.DataFrame:
    """Return published curves and those of a run as one table: ``source, method, perturbation, value, repeatability``.

    Our methods have the names of the paper where it knows them, so that a method has one colour.
    """
    columns = ["source", "method", "perturbation", "value", "repeatability"]
    ours = found.curve[found.curve["of"] == study.ALL]
    ours = ours.assign(source="here", method=ours["method"].map(PAPER_NAMES).fillna(ours["method"]))
    paper = theirs[theirs["of"] == study.ALL].assign(source="published")
    return pd.concat([paper[columns], ours[columns]], ignore_index=True).dropna(subset="repeatability")


def touching_pairs(found: Measured, theirs: pd.DataFrame) -> pd.DataFrame:
    """Pair repeatability of all boxes with that of boxes that touch objects: ``source, method, …, all, touching``."""
    parts = []
    named = found.curve.assign(method=found.curve["method"].map(PAPER_NAMES).fillna(found.curve["method"]))
    for source, table in (("published", theirs), ("here", named)):
        keys = ["method", "perturbation", "value"]
        wide = table.pivot_table(index=keys, columns="of", values="repeatability", sort=False)
        both = wide.reindex(columns=[study.ALL, study.TOUCHING]).dropna().reset_index()
        parts.append(
            both.rename(columns={study.ALL: "all", study.TOUCHING: "touching"}).assign(source=source)
        )
    return pd.concat(parts, ignore_index=True)[["source", *keys, "all", "touching"]]


def blind_on_voc(ours: Everywhere, theirs: pd.DataFrame) -> pd.DataFrame:
    """Set methods that look at nothing beside the published ones, on VOC 2007; empty where there are no results."""
    table = ours.curve[ours.curve["dataset"].str.startswith("voc2007") & (ours.curve["of"] == study.ALL)]
    return beside(table, theirs).dropna(subset="here").reset_index(drop=True)


def looking_beside(ours: Everywhere, theirs: pd.DataFrame) -> pd.DataFrame:
    """Set means over the changes of each kind beside the published ones: a row per data set, method and kind."""
    table = beside(ours.curve[ours.curve["of"] == study.ALL], theirs).dropna(subset="here")
    table = table[~unchanged(table) & ~table["dataset"].str.startswith("voc2007")]
    means = table.groupby(["dataset", "method", "perturbation"], sort=False)[["paper", "here"]].mean()
    out = table[["dataset", "method"]].drop_duplicates(ignore_index=True)
    for kind in pd.unique(table["perturbation"]):
        part = means.xs(kind, level="perturbation").add_prefix(f"{FIGURES[str(kind)]} ")
        out = out.merge(part.reset_index(), how="left", on=["dataset", "method"])
    return out
