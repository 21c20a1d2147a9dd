"""Our repeatability beside the published curves of Hosang et al., and verdicts on their figures."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from propeval_lite.datasets.perturbations import PERTURBATIONS
from propeval_lite.results.published import published
from propeval_lite.studies import hosang_repeatability as study
from propeval_lite.studies.hosang_datasets import PAPER_NAMES
from propeval_lite.studies.hosang_repeatability_datasets import Everywhere, Measured

#: Where each kind is drawn in the paper.
FIGURES = {
    "scale": "5c", "jpeg": "5d", "rotation": "5e", "illumination": "5f", "blur": "5g", "salt_and_pepper": "5h",
}  # fmt: skip
BLIND_TOLERANCE = 0.01  # of the issue, under scale and rotation
KEYS = ["method", "perturbation", "value", "of"]


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
