"""Sentences and side-by-side tables of the page on tuning and oracles, made from its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from propeval_lite.boxes.precision import average_precision
from propeval_lite.detector import Described, Detector, detect
from propeval_lite.results.published import published
from propeval_lite.studies.hosang_tuning import ADAPTIVE, ORACLES, REGRESSION
from propeval_lite.studies.hosang_tuning_and_oracles import ALPHA, Bench, tuned_parameters

PUBLISHED = "published, VOC 2007"
FEW = ("AR", "recall at 0.5", "recall at 0.6", "recall at 0.7", "recall at 0.8", "recall at 0.9")
EFFECTS = ("truth added", "perfect suppression", "both")


def same_density(deltas: Sequence[float], beta: float, eta: float) -> dict[str, tuple[float, float | None]]:
    """Threshold and factor of the variants whose windows lie as dense as the adaptive one's.

    Examples
    --------
    >>> same_density([0.5, 0.9], 0.9, 0.99)
    {'0.50': (0.55, None), 'AR': (0.9, 0.99)}
    """
    found: dict[str, tuple[float, float | None]] = {}
    for delta in deltas:
        alpha, level = tuned_parameters(delta)
        if alpha == ALPHA:
            found[f"{delta:.2f}"] = level, None
    return found | {ADAPTIVE: (beta, eta)}


def agreement(compared: pd.DataFrame) -> dict[str, int]:
    """Sum up a comparison of boxes: images, those with the same boxes, boxes, and those that only one side has.

    Examples
    --------
    >>> agreement(pd.DataFrame({"boxes": [3, 2], "others": [3, 2], "shared": [3, 1]}))
    {'images': 2, 'the same': 1, 'boxes': 5, 'only here': 1, 'only OpenCV': 1}
    """
    same = (compared["boxes"] == compared["shared"]) & (compared["others"] == compared["shared"])
    return {
        "images": len(compared),
        "the same": int(same.sum()),
        "boxes": int(compared["boxes"].sum()),
        "only here": int((compared["boxes"] - compared["shared"]).sum()),
        "only OpenCV": int((compared["others"] - compared["shared"]).sum()),
    }


def agreement_in_words(table: pd.DataFrame) -> str:
    """Say whether both suppressions keep the same boxes."""
    images, same = int(table["images"].sum()), int(table["the same"].sum())
    apart = int(table["only here"].sum() + table["only OpenCV"].sum())
    if images == same:
        return f"In all {images:,} cases (variants times images) both keep the same boxes."
    return (
        f"In {same:,} of {images:,} cases (variants times images) both keep the same boxes; {apart:,} boxes in all are "
        "kept by one side only. OpenCV computes in single precision and orders equal scores as it likes."
    )


def with_published(curves: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    """Put published and own recalls into one table: ``dataset, variant, tau, value``."""
    theirs = curves.reset_index().melt("tau", var_name="variant", value_name="value")
    ours = summary[summary["criterion"] == "recall"].rename(columns={"method": "variant"})
    columns = ["dataset", "variant", "tau", "value"]
    return pd.concat([theirs.assign(dataset=PUBLISHED)[columns], ours[columns]], ignore_index=True)


def peaks_in_words(peaks: pd.DataFrame, adaptive: Sequence[float], ar: pd.Series) -> str:
    """Say at which IoUs the variant tuned for it is the best, and where the adaptive one is."""
    right, n = int(peaks["is best"].sum()), len(peaks)
    far = float((peaks["its recall"] - peaks["tuned for it"]).max())
    somewhere = (
        f"is the best of all ten at {_list([f'{tau:g}' for tau in adaptive])}, against the text: "
        '"not optimal at any particular IoU threshold"'
        if adaptive
        else "is the best at none of the 21 thresholds, as the text says"
    )
    order = ar.sort_values(ascending=False)
    first = ", ".join(f"{_name(variant)} ({value:.3f})" for variant, value in order[:3].items())
    return (
        f"At {right} of {n} IoUs the variant tuned for it is the best of the nine; elsewhere it misses that by "
        f"{far:.3f} at most. The adaptive variant {somewhere}. The highest AR have {first}."
    )


def best_ar_in_words(table: pd.DataFrame) -> str:
    """Say which variant has the highest AR on each data set here, and where the adaptive one stands."""
    parts = []
    for dataset, rows in table.groupby("dataset", sort=False):
        ar = rows.set_index("variant")["AR"]
        place = int(ar.rank(ascending=False, method="min")[ADAPTIVE])
        best = f"on {dataset} {_name(ar.idxmax())} has the highest AR ({ar.max():.3f})"
        rank = f", the adaptive one has place {place} of {len(ar)} ({ar[ADAPTIVE]:.3f})" if place > 1 else ""
        parts.append(best + rank)
    text = "; ".join(parts)
    return (
        f"{text[0].upper()}{text[1:]}. Published it is the adaptive one. Here edges come from our own edge map, not "
        "from the trained one, and the pictures are others."
    )


def points(table: pd.DataFrame) -> pd.DataFrame:
    """Turn one row per variant into one per point: ``detector, variant, AR, mAP``."""
    long = table.rename_axis("variant").reset_index()
    return long.melt(["variant", "AR"], var_name="detector", value_name="mAP")[
        ["detector", "variant", "AR", "mAP"]
    ]


def correlations_in_words(table: pd.DataFrame) -> str:
    """Say what the correlations are, with and without the adaptive variant, and how far one variant moves them."""
    one = table.set_index("detector")
    moved = np.maximum(one["highest"] - one["without AR"], one["without AR"] - one["lowest"])
    return (
        f"Over {int(table['variants'].iloc[0])} variants r lies between {one['without AR'].min():.3f} "
        f"({one['without AR'].idxmin()}) and {one['without AR'].max():.3f} ({one['without AR'].idxmax()}). One variant "
        f"less moves it by {moved.max():.3f} at most ({moved.idxmax()}), the adaptive one more by "
        f"{(one['with AR'] - one['without AR']).abs().max():.3f}. What panel d prints is not in the text we have; "
        f"ours is {one.loc[REGRESSION, 'without AR']:.3f}."
    )


def chosen_table(chosen: pd.DataFrame) -> pd.DataFrame:
    """Show a few of the criteria to choose by: one row each, the chosen variant, and points lost per detector."""
    rows = chosen[chosen["chosen by"].isin(FEW)]
    lost = rows.pivot_table(index="chosen by", columns="detector", values="lost", sort=False)
    variant = rows.groupby("chosen by", sort=False)["variant"].first()
    return pd.concat([variant, lost], axis=1).reset_index()


def chosen_in_words(chosen: pd.DataFrame) -> str:
    """Say what choosing by AR loses, and which thresholds do as well."""
    lost = chosen.groupby("chosen by", sort=False)["lost"].max()
    single = lost.drop("AR")
    good = [name.removeprefix("recall at ") for name in single.index[single <= lost["AR"] + 1e-12]]
    plain = chosen[chosen["chosen by"] != "AR"]
    best = plain.loc[plain.groupby("detector", sort=False)["r"].idxmax()]
    above = chosen[chosen["chosen by"] == "AR"].set_index("detector")["r"]
    beaten = [
        f"{name} ({r:.3f} at {by.removeprefix('recall at ')}, AR {above[name]:.3f})"
        for name, r, by in best[["detector", "r", "chosen by"]].itertuples(index=False)
        if r > above[name]
    ]
    return (
        f"Choosing by AR loses {lost['AR']:.1f} points at most. So does recall at a single IoU of "
        f"{_list(good) or 'none of the thresholds'}; the worst single IoU loses {single.max():.1f}. "
        + (
            f"Over all ten variants a single threshold correlates better than AR for {_list(beaten)}."
            if beaten
            else "Over all ten variants no single threshold correlates better than AR for any detector."
        )
    )


def gain_reason(gains: pd.DataFrame) -> str:
    """Say why the printed gain is another one: what it is over the default, and over the best."""
    rows = gains[gains["detector"] == REGRESSION].set_index("over")
    default, best = rows.iloc[0], rows.loc["the best"]
    return (
        f"the gain is {default['gain']:.1f} over the variant for {_name(default['variant'])}, but the best of the "
        f"others with this detector is {_name(best['variant'])} ({best['mAP of it']:.1f} against "
        f"{default['mAP of it']:.1f})"
    )


def gains_in_words(gains: pd.DataFrame) -> str:
    """Say what the adaptive variant gains over the best of the others, by detector, and whether classes agree."""
    best = gains[gains["over"] == "the best"]
    parts = [
        f"{row['detector']} {row['gain']:+.1f} over {_name(row['variant'])} ({row['low']:+.1f} to {row['high']:+.1f}, "
        f"better in {row['better in']} of {row['of']} classes)"
        for _, row in best.iterrows()
    ]
    unsure = best.loc[best["low"] <= 0, "detector"].tolist()
    return (
        f"Over the best of the nine: {'; '.join(parts)}. "
        f"For Fast R-CNN with regression {gain_reason(gains)}. "
        + (f"Where the interval reaches 0 ({_list(unsure)}) classes do not settle it." if unsure else "")
    )


def detections(detector: Detector, boxes: Described, suppression: float | None) -> pd.DataFrame:
    """Let the detector find objects, with regression; without suppression where it is None."""
    return detect(detector, boxes, nms=suppression)


def here_in_words(correlated: pd.DataFrame, table: pd.DataFrame) -> str:
    """Say how AR and mAP go together here, and how sure the best variant is."""
    parts = []
    for _, row in correlated.iterrows():
        mine = table[table["way"] == row["detector"]].set_index("variant")
        ours = mine.drop(index=ADAPTIVE, errors="ignore")
        by_ar, by_map = ours["AR"].idxmax(), ours["mAP"].idxmax()
        clear = int(((mine["lost low"] > 0) | (mine["lost high"] < 0)).sum())
        lost = ours["mAP"].max() - ours.loc[by_ar, "mAP"]
        costs = f"lose {lost:.1f} points to {_name(by_map)}" if by_ar != by_map else "lose nothing"
        parts.append(
            f"{row['detector'].capitalize()} r = {_number(row['without AR'])} over {row['variants']} variants "
            f"({_number(row['lowest'])} to {_number(row['highest'])} without one), {_number(row['with AR'])} with the "
            f"adaptive one; AR would choose {_name(by_ar)} of them and {costs}; {clear} of {len(ours)} differ from the "
            "adaptive one beyond their interval"
        )
    return ". ".join(parts) + "."


def grid_in_words(grid: pd.DataFrame, beta: float, eta: float) -> str:
    """Say where the grid has its best AR, and how far the authors' setting lies below it."""
    best = grid.loc[grid["AR"].idxmax()]
    at = grid[np.isclose(grid["beta"], beta) & np.isclose(grid["eta"], eta)]
    still = grid[grid["eta"] == 1]
    text = f"The best of the grid is β₀ = {best['beta']:g}, η = {best['eta']:g} with AR {best['AR']:.3f}"
    if len(at):
        text += f"; β₀ = {beta:g}, η = {eta:g} has {at['AR'].iloc[0]:.3f}"
    if len(still):
        top = still.loc[still["AR"].idxmax()]
        text += f"; of the thresholds that stay the best is {top['beta']:g} with {top['AR']:.3f}"
    return text + "."


def effects_beside(effects: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Set table 5 beside our oracles: what it prints and gains, then AR, mAP and gains here."""
    theirs = effects[["oracle", "printed", "mean of classes", "gain"]].rename(
        columns={"gain": "gain in table 5"}
    )
    names = {"AR": "AR here", "mAP": "mAP here", "gain": "gain here", "gain thinned": "gain here, thinned"}
    mine = ours.rename(columns=names).drop(columns=["thinned", "detections", "removed"])
    return theirs.merge(mine, on="oracle")


def classes_beside(work: Bench, found: Mapping[str, pd.DataFrame], categories: Sequence) -> pd.DataFrame:
    """AP of each category with each oracle, published and here: ``source, oracle, category, AP``, in points."""
    theirs = published("hosang_table5")
    theirs = theirs[theirs["category"] != "mean"].rename(columns={"value": "AP"})
    parts = [theirs.assign(source="Fast R-CNN")[["source", "oracle", "category", "AP"]]]
    for oracle in ORACLES:
        ap = 100 * average_precision(work.test, found[oracle]).reindex(categories)
        part = pd.DataFrame({"category": [str(name) for name in categories], "AP": ap.to_numpy()})
        parts.append(part.assign(source="ours", oracle=oracle)[["source", "oracle", "category", "AP"]])
    return pd.concat(parts, ignore_index=True)


def table5_reason(effects: pd.DataFrame) -> str:
    """Say why table 5 cannot be made again, and what of it can be checked: that its means are those of its classes."""
    apart = effects["difference"].abs().max()
    right = "are those of its classes" if apart <= 0.05 + 1e-9 else "are not those of its classes"
    return (
        "the detections of Fast R-CNN's model L were not published; all that can be checked is that the four printed "
        f"means {right} (largest difference {apart:.3f})"
    )


def oracles_in_words(effects: pd.DataFrame, ours: pd.DataFrame) -> str:
    """Say what each oracle adds there and here, and whether the two add up."""
    parts = []
    for name, table in (("In the paper", effects), ("Here", ours)):
        gain = table.set_index("oracle")["gain"]
        total = gain["truth added"] + gain["perfect suppression"]
        larger = (
            "ground truth" if gain["truth added"] > gain["perfect suppression"] else "perfect suppression"
        )
        parts.append(
            f"{name} the gains are {gain['truth added']:.1f}, {gain['perfect suppression']:.1f} and, together, "
            f"{gain['both']:.1f}; alone they sum to {total:.1f}, and {larger} adds more"
        )
    perfect = ours.set_index("oracle").loc["perfect suppression"]
    literal = "gains" if perfect["gain"] >= 0 else "loses"
    return (
        ". ".join(parts)
        + f". Taken literally the perfect suppression {literal} {abs(perfect['gain']):.1f} here; if it "
        f"also thins the background, as the greedy rule does, its gain is {perfect['gain thinned']:.1f}."
    )


def errors_in_words(errors: pd.DataFrame) -> str:
    """Say which errors the oracles remove and which are left."""
    share = errors.set_index("oracle")
    none, both = share.loc["none"], share.loc["both"]
    return (
        f"Without an oracle {none['right']:.0%} of the first detections are right and {none['own category']:.0%} lie "
        "badly on an object of their own category or are copies; with both "
        f"{both['right']:.0%} and {both['own category']:.0%}. "
        f"What is then left is {both['other category']:.0%} on another category and {both['background']:.0%} on the "
        "background."
    )


def _name(variant: object) -> str:
    return "the adaptive one" if variant == ADAPTIVE else str(variant).removeprefix("0")


def _number(value: float) -> str:
    return f"{value:.2f}" if np.isfinite(value) else "undefined"


def _list(words: Sequence[str]) -> str:
    """Words with commas and an "and" before the last.

    Examples
    --------
    >>> _list(["a", "b", "c"]), _list(["a"]), _list([])
    ('a, b and c', 'a', '')
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
