"""Measures of measures on BSDS500 in words: what the comparisons say, and the verdicts of the ledger on them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from propeval_lite.datasets import Dataset
from propeval_lite.meta.seism import FILE_NAMES
from propeval_lite.results import verdict
from propeval_lite.segmenters.grouping import compact_graph
from propeval_lite.segmenters.registry import segment_all
from propeval_lite.studies.ponttuset_meta_authors import META, split_by
from propeval_lite.studies.ponttuset_meta_paper import as_printed, beyond_margin

#: The authors' files print six decimals.
PRINT = 5e-7
#: Where numbers come from that need nothing of ours.
FILES = "the authors' scores per image"
#: Decimals of both tables.
DIGITS = 1
LATER = "MCG-UCM, ISCRA and saliency maps and the random baseline have no public scores by all measures"
NO_DRAW = "the public pairs give the journal's column; those behind this one are not public"
NO_FR = "the public scores give another number; how they differ from the printed table's is not known"


def words_of_conference(table: pd.DataFrame) -> str:
    """Say which columns of the conference table come out of the files (`beside` of it)."""
    parts = []
    for key in META:
        equal = as_printed(table, key)
        others = ", ".join(f"`{name}`" for name in equal.index[~equal])
        rest = f" (not {others})" if 0 < (~equal).sum() <= 3 else ""
        parts.append(f"{key.upper()} {equal.sum()} of {len(equal)}{rest}")
    boundary = table.set_index("measure").loc["fb"]
    return (
        f"Equal to the printed digit: {'; '.join(parts)}. For `fb` the files give SABD {boundary['sabd: here']:.2f}, "
        f"the table prints {boundary['sabd: paper']:.1f}."
    )


def words_of_sihd(table: pd.DataFrame) -> str:
    """Say how near our SIHD is to the printed one, and our measures to the authors' files."""
    equal = as_printed(table, "sihd")
    near = table["largest difference"] <= PRINT * (1 + 1e-6)
    far = table.loc[~near, ["measure", "largest difference"]]
    apart = "; ".join(f"`{name}` by up to {gap:.3f}" for name, gap in far.itertuples(index=False))
    return (
        f"{equal.sum()} of {len(equal)} numbers are those that the paper prints. Over "
        f"{table['pairs'].iloc[0]:,} pairs, {near.sum()} of {len(near)} measures equal the authors' files to the last "
        f"printed decimal" + (f"; {apart}." if apart else ".")
    )


def words_of_readings(distances: pd.DataFrame) -> str:
    """Say what each step away from the rule costs (`reading_distances`)."""
    draws = distances[distances.index.str.startswith("another draw")]
    rows = distances.drop(draws.index)
    steps = "; ".join(
        f"{words}: {row['mean difference']:.2f} points on average, {row['as printed']:.0f} as printed"
        for words, row in rows.iterrows()
    )
    size = draws["largest"].abs()
    return (
        f"{steps}. Another draw moves single measures by up to {size.min():.1f} to {size.max():.1f} points."
    )


def words_of_agreement(label: str, table: pd.DataFrame) -> str:
    """Say how the order and the level of the measures agree with the journal's table (`agreement`)."""
    parts = [
        f"{what} rank correlation {order:.2f}, largest difference {gap:.1f} points (`{of}`)"
        for what, order, gap, of in table.itertuples(index=False)
    ]
    return f"Beside the journal, {label}: {'; '.join(parts)}."


def global_range(journal: pd.DataFrame, half: float = 0.05) -> pd.DataFrame:
    """Mean of the three printed numbers, and whether rounding alone explains the printed global value.

    Parameters
    ----------
    journal : DataFrame
        From `printed_table`.
    half : float
        Half of the last printed digit: each of the three, and so their mean, can be off by it.

    Examples
    --------
    >>> row = pd.DataFrame({"sihd": [98.4], "sabd": [94.8], "sisd": [97.9], "global": [97.1]}, index=["fop"])
    >>> global_range(row).round(2).to_numpy().tolist()
    [[97.03, 97.1, True]]
    """
    mean = journal[list(META)].mean(axis=1)
    gap = (mean - journal["global"]).abs()
    return pd.DataFrame({"mean": mean, "global": journal["global"], "by rounding": gap <= 2 * half + 1e-9})


def words_of_global(journal: pd.DataFrame) -> str:
    """Say whether the printed global values are the means of the printed numbers."""
    table = global_range(journal)
    off = table[(table["mean"] - table["global"]).abs() > 0.05 + 1e-9]
    odd = "; ".join(f"`{name}`: {row['mean']:.2f}, printed {row['global']}" for name, row in off.iterrows())
    allowed = (
        "rounding of the three allows it" if table["by rounding"].all() else "rounding does not explain all"
    )
    return (
        f"*Global* is the rounded mean of the printed three for {len(table) - len(off)} of {len(table)} measures"
        + (f" ({odd}; {allowed})." if odd else ".")
    )


def words_of_figure_5(ways: pd.DataFrame, examples: pd.DataFrame) -> str:
    """Say which way of pairing people puts the threshold where figure 5 needs it."""
    parts = [
        f"{way} at {at:.3f}, which {'fits' if split_by(float(at), examples) else 'does not fit'}"
        for way, at in zip(ways["way"], ways["threshold"], strict=True)
    ]
    return f"The densities cross: {'; '.join(parts)} the four pairs of the figure."


def words_of_averages(averages: pd.DataFrame, beyond: pd.DataFrame) -> str:
    """Say whether the maximum or the median over the truths changes SIHD (`sihd_by_average`)."""
    parts = []
    for how in ("median", "maximum"):
        moved = beyond[beyond["average"] == how]
        far = 100 * (averages.set_index("measure")[how] - averages.set_index("measure")["mean"]).abs()
        parts.append(
            f"the {how} moves {len(moved)} of {len(averages)} measures by more than the margin, "
            f"`{far.idxmax()}` most, by {far.max():.1f} points"
        )
    return f"{parts[0][0].upper()}{parts[0][1:]}; {parts[1]}."


def merges_slic(image: np.ndarray, seed: int = 0, n_superpixels: int = 100) -> bool:
    """Whether ``random_slic`` joins whole SLIC superpixels, down to one region."""
    leaves = compact_graph(image, n_superpixels).labels
    wanted = [leaves.max() + 1, 10, 1]
    cuts = segment_all(f"random_slic?n_superpixels={n_superpixels}", image, wanted, seed)
    whole = all(
        len(np.unique(leaves.astype(np.int64) * (cut.max() + 1) + cut)) == leaves.max() + 1 for cut in cuts
    )
    return bool(whole and [cut.max() + 1 for cut in cuts] == wanted)


def judge_table_2(
    journal: pd.DataFrame,
    early: pd.DataFrame,
    conference: pd.DataFrame,
    tables: Mapping[str, pd.DataFrame],
    origin: str,
) -> None:
    """Give the verdicts on every number of both tables.

    Parameters
    ----------
    journal, early : DataFrame
        From `printed_table`.
    conference : DataFrame
        From `beside`, the conference's table.
    tables : mapping
        Tables of `real_tables`.
    origin : str
        What they were made from.
    """
    ours = 100 * tables["people"].set_index("measure")["sihd"]
    files = 100 * tables["authors"].set_index("measure")
    for measure, name in FILE_NAMES.items():
        verdict(f"ponttuset.table2.{name}.sihd", ours[measure], digits=DIGITS, source=origin)
        for key in ("sabd", "sisd"):
            near = f"{LATER}; the six methods of 2013 give {float(files[key][measure]):.1f}"
            verdict(f"ponttuset.table2.{name}.{key}", because=near, source=FILES)
        for key in META:
            equal = as_printed(conference, key)[measure]
            reason = "" if equal else NO_DRAW if key == "sihd" else NO_FR
            verdict(f"ponttuset.table2_2013.{name}.{key}", files.loc[measure, key], paper=early.loc[measure, key],
                    digits=DIGITS, because=reason, source=FILES)  # fmt: skip
    # Each of the three is off by half a digit at most, and so is their mean; the printed mean by another half.
    totals = global_range(journal)
    verdict("ponttuset.table2.global", totals["mean"], paper=totals["global"], digits=DIGITS, tolerance=0.1,
            because="rounding of the three numbers allows it")  # fmt: skip


def judge_rules(
    compared: pd.DataFrame,
    conference: pd.DataFrame,
    tables: Mapping[str, pd.DataFrame],
    origin: str,
    examples: pd.DataFrame,
    dataset: Dataset,
    seed: int = 0,
) -> None:
    """Give the verdicts on definitions, figures and claims.

    Parameters
    ----------
    compared : DataFrame
        From `beside`, SIHD of the journal's table.
    conference, tables, origin
        See `judge_table_2`.
    examples : DataFrame
        ``published("ponttuset_meta_figures")``.
    dataset : Dataset
        With pictures, for the random baseline.
    seed : int
        Of the baseline.
    """
    verdict("ponttuset.sihd", bool(as_printed(compared, "sihd").all()), source=origin,
            because="all twelve numbers are to be those of Table 2")  # fmt: skip
    for key in ("sabd", "sisd"):
        equal = as_printed(conference, key).drop("region_f")
        verdict(f"ponttuset.{key}", bool(equal.all()), source=FILES,
                because=f"{equal.sum()} of {len(equal)} numbers of 2013 come out, F_r aside")  # fmt: skip
    image = dataset.image(dataset.images["image_id"].iloc[0])
    verdict("ponttuset.slic_baseline", merges_slic(image, seed), source=f"one picture of {dataset.name}",
            because="its regions are to be unions of SLIC superpixels")  # fmt: skip
    apart = tables["people"].set_index("measure")["largest"]["region_f"]
    verdict("ponttuset.fr_several", bool(apart <= PRINT * (1 + 1e-6)), source=origin,
            because=f"F of mean precision and mean recall is within {apart:.1g} of the authors' scores")  # fmt: skip
    at = float(tables["crossings"].set_index("way")["threshold"]["one against one"])
    verdict("ponttuset.fig5", split_by(at, examples), source=origin,
            because=f"the densities of pairs of single people cross at {at:.3f}")  # fmt: skip
    found = tables["examples"]
    for figure in ("fig. 6", "fig. 7"):
        rows = found[found["figure"] == figure]
        verdict(f"ponttuset.{figure.replace('. ', '')}", rows[["good here", "bad here"]].to_numpy().ravel(),
                paper=rows[["good", "bad"]].to_numpy().ravel(), digits=2, source=FILES,
                because=f"images {' and '.join(rows['image_id'].astype(str))} of the test set")  # fmt: skip
    averages = tables["averages"]
    moved = beyond_margin(averages)
    verdict("ponttuset.claim_max_or_median", moved.empty, source=origin,
            because=words_of_averages(averages, moved).rstrip("."))  # fmt: skip
