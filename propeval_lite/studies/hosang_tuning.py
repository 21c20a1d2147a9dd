"""What the authors' files say of tuning EdgeBoxes: figure 15 recomputed, and what its few variants can show.

A variant goes by the IoU that it is tuned for, "0.50" to "0.90", or by "AR".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import t as student

from propeval_lite._checks.values import fail
from propeval_lite.results.published import published

ADAPTIVE = "AR"
#: Panels b to d: the detector, whether it regresses boxes, on whose proposals it was trained; the last is not drawn.
DETECTORS = {
    "R-CNN": ("R-CNN", False, "SelectiveSearch"),
    "Fast R-CNN without regression": ("Fast R-CNN", False, "each method"),
    "Fast R-CNN with regression": ("Fast R-CNN", True, "each method"),
    "Fast R-CNN not retrained": ("Fast R-CNN", True, "SelectiveSearch"),
}
DRAWN = tuple(DETECTORS)[:3]
#: Correlations as printed in panels b and c.
PRINTED = {DRAWN[0]: 0.985, DRAWN[1]: 0.974}
REGRESSION = DRAWN[2]
#: The orders in which table 5 adds its oracles.
ORACLES = ("none", "truth added", "perfect suppression", "both")


def variants() -> pd.DataFrame:
    """Return the published numbers of the ten variants: ``delta, detector, criterion, tau, category, value``.

    Criterion is "recall" at ``tau`` or "AR", without detector, or "AP"; category is "mean" where it is over all.

    Examples
    --------
    >>> table = variants()
    >>> table["delta"].nunique(), len(table) == 10 * (21 + 1 + len(DETECTORS) * 21)
    (10, True)
    """
    recall = published("hosang_detection_recall")
    recall = recall[recall["category"] == "all"].assign(category="mean", detector="")
    names = {kind: name for name, kind in DETECTORS.items()}
    aps = published("hosang_detection")
    kinds = list(zip(aps["detector"], aps["regression"], aps["trained"], strict=True))
    aps = aps.assign(detector=[names.get(kind, "") for kind in kinds], criterion="AP", tau=np.nan)
    table = pd.concat([recall, aps[aps["detector"] != ""]])
    table["delta"] = table["method"].map(_delta)
    columns = ["delta", "detector", "criterion", "tau", "category", "value"]
    return table.loc[table["delta"] != "", columns].reset_index(drop=True)


def _delta(method: str) -> str:
    """Which variant a published method is; empty for other methods."""
    if method == "EdgeBoxes":
        return "0.70"
    found = re.fullmatch(r"Edge ?Boxes ?(\d\d|AR)", method)
    return "" if not found else found[1] if found[1] == ADAPTIVE else f"0.{found[1]}"


def recalls(table: pd.DataFrame) -> pd.DataFrame:
    """Return recall at 1 000 proposals: a row per IoU threshold, a column per variant.

    Examples
    --------
    >>> recalls(variants()).shape
    (21, 10)
    """
    rows = table[table["criterion"] == "recall"]
    return rows.pivot_table(index="tau", columns="delta", values="value")


def by_variant(table: pd.DataFrame) -> pd.DataFrame:
    """Return AR and the mAP with each detector: a row per variant, a column each.

    Examples
    --------
    >>> by_variant(variants()).loc["AR"].round(3).tolist()
    [0.528, 54.653, 57.891, 62.003, 58.326]
    """
    ar = table[table["criterion"] == "AR"].set_index("delta")["value"].rename("AR")
    means = table[(table["criterion"] == "AP") & (table["category"] == "mean")]
    maps = means.pivot_table(index="delta", columns="detector", values="value")
    return pd.concat([ar, maps[[name for name in DETECTORS if name in maps]]], axis=1).sort_index()


def areas(curves: pd.DataFrame) -> pd.Series:
    """Return AR from curves of recall: the mean height from IoU .5 to 1, by the trapezoid rule.

    Parameters
    ----------
    curves : DataFrame
        From :func:`recalls`.

    Examples
    --------
    >>> areas(pd.DataFrame({"a": [1.0, 0.5, 0.0]}, index=[0.5, 0.75, 1])).tolist()
    [0.5]
    """
    return curves.apply(lambda column: np.trapezoid(column, curves.index) / np.ptp(curves.index))


def peaks(curves: pd.DataFrame) -> pd.DataFrame:
    """Find the best variant at each IoU that a variant is tuned for, with and without the adaptive one.

    Parameters
    ----------
    curves : DataFrame
        From :func:`recalls`.

    Returns
    -------
    DataFrame
        Columns ``IoU, tuned for it, best of the others, its recall, best of all, of all``, and ``is best``: whether the
        variant tuned for this IoU beats the others that are tuned for one.
    """
    plain = curves.drop(columns=ADAPTIVE)
    rows = []
    for delta in plain.columns:
        tau = float(delta)
        at = curves.loc[np.isclose(curves.index, tau)].iloc[0]
        rows.append(
            {
                "IoU": tau,
                "tuned for it": at[delta],
                "best tuned for one": at[plain.columns].idxmax(),
                "its recall": at[plain.columns].max(),
                "best of all": at.idxmax(),
                "recall of that": at.max(),
                "is best": at[plain.columns].idxmax() == delta,
            }
        )
    return pd.DataFrame(rows)


def best_somewhere(curves: pd.DataFrame, name: str = ADAPTIVE) -> list[float]:
    """Return the IoU thresholds at which a variant has the highest recall of all.

    Examples
    --------
    >>> best_somewhere(pd.DataFrame({"AR": [0.2, 0.9], "0.50": [0.3, 0.1]}, index=[0.5, 0.6]))
    [0.6]
    """
    return [float(tau) for tau in curves.index[curves.idxmax(axis=1) == name]]


def correlations(table: pd.DataFrame) -> pd.DataFrame:
    """Correlate AR with mAP over the variants, and ask how much so few of them can tell.

    Parameters
    ----------
    table : DataFrame
        From :func:`by_variant`, or of our own: a column ``AR`` and a column of mAP per detector.

    Returns
    -------
    DataFrame
        Columns ``detector, variants, without AR, lowest, highest, with AR, of ranks``: Pearson's r over the variants
        tuned for one IoU, its range when one of them is left out, r with the adaptive variant, and Spearman's over
        all. NaN where a column is constant.
    """
    plain = table.drop(index=ADAPTIVE, errors="ignore")
    rows = []
    for detector in table.columns.drop("AR"):
        out = [correlation(part["AR"], part[detector]) for part in _leave_one_out(plain)]
        rows.append(
            {
                "detector": detector,
                "variants": len(plain),
                "without AR": correlation(plain["AR"], plain[detector]),
                "lowest": float(np.min(out)) if out else np.nan,  # NaN if one of them is
                "highest": float(np.max(out)) if out else np.nan,
                "with AR": correlation(table["AR"], table[detector]),
                "of ranks": correlation(table["AR"].rank(), table[detector].rank()),
            }
        )
    return pd.DataFrame(rows)


def correlation(a, b) -> float:
    """Pearson's r; NaN where one of the two is constant, or where two pairs would always lie on a line.

    Examples
    --------
    >>> round(correlation([1, 2, 3], [2, 4, 7]), 3), correlation([1, 1, 1], [2, 3, 5])
    (0.993, nan)
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape:
        raise fail("as many values on both sides", f"{a.shape} and {b.shape}", "Pair them.", "correlation")
    if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


def predictors(curves: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Choose a variant by AR, or by recall at one IoU, and see what that costs the detectors.

    Parameters
    ----------
    curves, table
        From :func:`recalls` and :func:`by_variant`.

    Returns
    -------
    DataFrame
        Columns ``chosen by, detector, r`` (over all variants), ``variant, mAP, best, lost``: the chosen variant, its
        mAP, the best of all, and how far it is below.
    """
    criteria = {"AR": table["AR"], **{f"recall at {tau:g}": row for tau, row in curves.iterrows()}}
    rows = []
    for name, values in criteria.items():
        values = values.reindex(table.index)
        for detector in table.columns.drop("AR"):
            chosen, best = values.idxmax(), table[detector].max()
            rows.append(
                {
                    "chosen by": name,
                    "detector": detector,
                    "r": correlation(values, table[detector]),
                    "variant": chosen,
                    "mAP": table.loc[chosen, detector],
                    "best": best,
                    "lost": best - table.loc[chosen, detector],
                }
            )
    return pd.DataFrame(rows)


def gains(table: pd.DataFrame, rivals: Sequence[str] = ("0.70", "best")) -> pd.DataFrame:
    """Return what the adaptive variant gains in mAP over others, with the classes in which it does.

    Parameters
    ----------
    table : DataFrame
        From :func:`variants`.
    rivals : sequence of str
        Variants, or "best": the one with the highest mAP of those tuned for one IoU.

    Returns
    -------
    DataFrame
        Columns ``detector, over, variant, mAP of it, mAP of AR, gain, better in`` (classes), ``of``, and ``low, high``:
        Student's 95 % interval of the mean gain over classes.
    """
    maps = by_variant(table)
    single = table[(table["criterion"] == "AP") & (table["category"] != "mean")]
    classes = single.set_index(["detector", "delta", "category"])["value"].sort_index()
    rows = []
    for detector in maps.columns.drop("AR"):
        best = maps[detector].drop(ADAPTIVE).idxmax()
        for rival in rivals:
            other = best if rival == "best" else rival
            gain = classes[detector, ADAPTIVE] - classes[detector, other]
            reach = student.ppf(0.975, len(gain) - 1) * gain.std() / np.sqrt(len(gain))
            rows.append(
                {
                    "detector": detector,
                    "over": "the best" if rival == "best" else f"Δ = {other}",
                    "variant": other,
                    "mAP of it": maps.loc[other, detector],
                    "mAP of AR": maps.loc[ADAPTIVE, detector],
                    "gain": maps.loc[ADAPTIVE, detector] - maps.loc[other, detector],
                    "better in": int((gain > 0).sum()),
                    "of": len(gain),
                    "low": gain.mean() - reach,
                    "high": gain.mean() + reach,
                }
            )
    return pd.DataFrame(rows)


def oracle_effects() -> pd.DataFrame:
    """Recompute the means of table 5 from its classes, and what each oracle adds.

    Returns
    -------
    DataFrame
        Columns ``oracle, printed, mean of classes, difference, gain, better in``: in how many classes AP rises.

    Examples
    --------
    >>> oracle_effects()["gain"].round(1).tolist()
    [0.0, 3.4, 7.2, 10.3]
    """
    table = published("hosang_table5").pivot_table(index="oracle", columns="category", values="value")
    printed, classes = table["mean"], table.drop(columns="mean")
    rows = []
    for oracle in ORACLES:
        mean = classes.loc[oracle].mean()
        rows.append(
            {
                "oracle": oracle,
                "printed": printed[oracle],
                "mean of classes": mean,
                "difference": mean - printed[oracle],
                "gain": mean - classes.loc["none"].mean(),
                "better in": int((classes.loc[oracle] > classes.loc["none"]).sum()),
            }
        )
    return pd.DataFrame(rows)


def _leave_one_out(table: pd.DataFrame) -> list[pd.DataFrame]:
    return [table.drop(index=name) for name in table.index]
