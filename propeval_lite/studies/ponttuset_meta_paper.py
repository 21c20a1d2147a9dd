"""Measures of measures on BSDS500: what the paper's Table 2 is compared with, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite.datasets import Dataset
from propeval_lite.meta import human_scores, report_of_scores, sabd_of_scores, sihd_of_scores, sisd_of_scores
from propeval_lite.meta.report import scale_and_swapped
from propeval_lite.meta.scales import ods, read_seism_scores, score_sweep
from propeval_lite.partitions.measures import TABLE_2, find_measure

#: Columns of the stored results: the value of each meta-measure, for SIHD also its lowest and highest draw.
STORED = {"sihd": ("crossing", "lowest draw", "highest draw"), "sabd": ("sabd",), "sisd": ("sisd",)}
#: Thresholds at which the contour maps of gPb-UCM are cut.
LEVELS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.7, 0.99)
#: The methods of the conference version whose scores are public.
EARLY = ("gPb-UCM", "EGB", "NCut", "MShift", "NWMC", "IIDKL")
LIBRARY = "here, BSDS500 (SABD, SISD: this library's methods)"
GPB = "here, gPb-UCM alone"


def real_tables(
    dataset: Dataset,
    root: Path,
    sihd: pd.DataFrame,
    humans: pd.DataFrame,
    sweeps: pd.DataFrame,
    bins: int = 50,
    against: str = "best",
    seed: int = 0,
) -> dict[str, pd.DataFrame]:
    """Compute on the test images of BSDS500 all that is compared with the paper.

    Parameters
    ----------
    dataset : Dataset
        The test images, or some of them.
    root : Path
        Folder of the real data, with ``bsds500/ucm2/test`` and ``seism``.
    sihd, humans, sweeps : DataFrame
        From `sihd_table`, `number_draws` and `sweep_table_2`, already computed there.
    bins, against, seed
        As for them. SABD and SISD count ties as right, as the authors do.

    Returns
    -------
    dict
        ``measures``: one row per measure; ``published_scores``: SABD from the authors' own scores;
        ``readings``: see `sihd_readings`.
    """
    names = list(TABLE_2)
    lenient = report_of_scores(names, humans, sweeps, bins=bins, ties="correct", against=against)
    maps = f"ucm:{root / 'bsds500' / 'ucm2' / 'test'}"
    single = single_sisd(score_sweep(names, dataset, maps, LEVELS, swapped=True, seed=seed), names)
    main = sihd.merge(lenient[["sabd", "sisd"]].reset_index(), on="measure")
    main = main.merge(single.add_prefix("ucm_").reset_index(), on="measure")
    sizes = {"images": len(dataset.images), "judged": sweeps.query("split == 'test'")["image_id"].nunique(),
             "draws": humans["draw"].max() + 1}  # fmt: skip
    alone = human_scores([*names, "nvoi"], dataset, swaps=1, seed=seed, truths="one by one")
    return {
        "measures": main.assign(**sizes),
        "published_scores": sabd_of_authors(root / "seism"),
        "readings": sihd_readings(humans, alone, names, bins),
    }


def single_sisd(sweep: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """SISD of one segmenter, its scale chosen on the judged images themselves.

    Parameters
    ----------
    sweep : DataFrame
        From `score_sweep`, with swapped rows.
    names : sequence of str
        Measures.

    Returns
    -------
    DataFrame
        Index ``measure``; columns ``correct`` and ``half``: what ties count.
    """
    found = {}
    for name in names:
        scale, other = scale_and_swapped(sweep.drop(columns="split", errors="ignore"), name)
        pair = scale.scores.to_frame("one"), other.to_frame("one")
        up = find_measure(name).higher_is_better
        found[name] = [sisd_of_scores(*pair, up, ties).value for ties in ("correct", "half")]
    return pd.DataFrame.from_dict(found, "index", columns=["correct", "half"]).rename_axis("measure")


def sihd_readings(humans: pd.DataFrame, alone: pd.DataFrame, names: Sequence[str], bins: int) -> pd.DataFrame:
    """SIHD of every measure under several readings of the paper, each one step away from the first.

    Parameters
    ----------
    humans, names, bins
        See `sihd_table`; with the scores of ``nvoi``.
    alone : DataFrame
        From `human_scores`, one annotator against one.
    """
    readings: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
        "as above": (humans, {}),
        "mean of the errors, not their sum": (humans, {"errors": "mean"}),
        "nVoI over the bound for pixels": (humans, {}),
        "best threshold, no densities": (humans, {"classifier": "threshold"}),
        "half as many bins": (humans, {"bins": bins // 2}),
        "twice as many bins": (humans, {"bins": 2 * bins}),
        **{
            f"draw {k + 1} alone": (humans[humans["draw"].isin([-1, k])], {})
            for k in range(humans["draw"].max() + 1)
        },
        "one annotator against one, draw 1 alone": (alone, {}),
    }
    rows = []
    for words, (scores, choices) in readings.items():
        for name in names:
            column = "nvoi" if name == "nvoi_regions" and words.startswith("nVoI") else name
            rows.append((words, name, sihd_of_scores(scores, column, **{"bins": bins, **choices}).value))
    return pd.DataFrame(rows, columns=["reading", "measure", "sihd"])


def reading_distances(gaps: pd.DataFrame) -> pd.DataFrame:
    """How far each reading is from the paper, from columns ``reading, measure, gap`` (in points)."""
    sized = gaps.assign(size=gaps["gap"].abs())
    size = sized.groupby("reading", sort=False)["size"]
    worst = sized.loc[size.idxmax()].set_index("reading")
    within = {
        f"within {n} point{'s' * (n > 1)}": (sized["size"] <= n).groupby(sized["reading"], sort=False).sum()
        for n in (1, 2)
    }
    return pd.DataFrame(
        {"mean difference": size.mean(), "largest": worst["gap"], "of": worst["measure"], **within}
    )


def reading_gaps(readings: pd.DataFrame, journal: pd.DataFrame) -> pd.DataFrame:
    """Difference of every reading from the printed SIHD, in points: `sihd_readings` with a column ``gap``."""
    return readings.assign(gap=100 * readings["sihd"] - readings["measure"].map(journal["sihd"]))


def sabd_of_authors(seism: Path) -> pd.DataFrame:
    """SABD of `fop` and `fb` from the authors' scores of every test image: columns ``measure, methods, ties, sabd``.

    Parameters
    ----------
    seism : Path
        Folder of the authors' results.
    """
    ids = (seism / "gt_sets" / "BSDS500" / "test.txt").read_text().split()
    later = (*EARLY, "MCG", "ISCRA")
    sets = {"six of 2013": EARLY, "those six, MCG, ISCRA": later}
    found = []
    for name in ("fop", "fb"):
        scores = {
            method: ods(read_seism_scores(seism / "BSDS500" / method, name, ids), measure=name).scores
            for method in (*later, "QuadTree")
        }
        found.append(sabd_of_sets(scores, "QuadTree", sets))
        found[-1].insert(0, "measure", name)
    return pd.concat(found, ignore_index=True)


def sabd_of_sets(scores: Mapping, baseline: str, sets: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """SABD of several sets of methods (label to names) against one baseline, with ties right and half.

    Scores are Series per method, indexed by image; higher is better. Columns ``methods, ties, sabd``.
    """
    bad = pd.DataFrame({baseline: scores[baseline]})
    rows = [(label, ties, sabd_of_scores(pd.DataFrame({m: scores[m] for m in some}), bad, True, ties).value)
            for label, some in sets.items() for ties in ("correct", "half")]  # fmt: skip
    return pd.DataFrame(rows, columns=["methods", "ties", "sabd"])


def printed_table(printed: pd.DataFrame) -> pd.DataFrame:
    """Table 2 as printed, in per cent: a row per measure in its order, a column per meta-measure.

    Parameters
    ----------
    printed : DataFrame
        ``published("ponttuset_table2")``.
    """
    rows = printed[printed["table"] == "Table 2"]
    table = rows.pivot_table(index="measure", columns="meta_measure", values="value")
    return table.reindex(list(TABLE_2))


def compare_sihd(paper: pd.Series, stored: pd.DataFrame | None) -> pd.DataFrame:
    """SIHD as printed (per cent, by measure) beside `sihd_table` (shares, same index), in per cent."""
    table = paper.to_frame("paper")
    if stored is None:
        return table
    table["here"] = (100 * stored["crossing"]).round(1)
    table["difference"] = (table["here"] - table["paper"]).round(1)
    for column in ("lowest draw", "highest draw", "best threshold", "mean of errors"):
        table[column] = (100 * stored[column]).round(1)
    reached = table["paper"].between(table["lowest draw"], table["highest draw"])
    return table.assign(**{"paper within the draws": np.where(reached, "yes", "no")})


def compare_sabd(authors: pd.DataFrame, journal: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """SABD from the authors' scores beside what they printed, in per cent.

    Parameters
    ----------
    authors : DataFrame
        From `sabd_of_authors`. The six methods are those of the conference version (2013), which prints `fop` alone;
        the others are nearly those of the journal (2016).
    journal, printed : DataFrame
        See `printed_table`.
    """
    conference = printed.loc[printed["table"] != "Table 2", "value"].item()
    early = authors["methods"].str.startswith("six")
    table = authors.assign(here=(100 * authors["sabd"]).round(2)).drop(columns="sabd")
    table["paper"] = table["measure"].map(journal["sabd"]).where(~early)
    table.loc[early & (table["measure"] == "fop"), "paper"] = conference
    table["printed in"] = np.where(table["paper"].isna(), "–", np.where(early, "2013", "2016"))
    table["difference"] = (table["here"] - table["paper"]).round(2)
    return table


def stack_sources(journal: pd.DataFrame, stored: pd.DataFrame) -> pd.DataFrame:
    """All meta-measures in one long table: printed, computed here, and of gPb-UCM alone (SISD), in per cent.

    Parameters
    ----------
    journal, stored : DataFrame
        From `printed_table`, and the stored ``measures`` of `real_tables` with the same index.

    Returns
    -------
    DataFrame
        Columns ``measure, meta_measure, value, source, low, high``; the last two are the single draws of SIHD.
    """
    names = stored.index
    tables = [
        journal[list(STORED)].reset_index().melt("measure", var_name="meta_measure").assign(source="paper")
    ]
    for key, (column, *ends) in STORED.items():
        more = {"measure": names, "meta_measure": key, "source": LIBRARY, "value": stored[column]}
        more |= dict(zip(("low", "high"), (stored[end] for end in ends), strict=False))
        tables.append(pd.DataFrame(more))
    single = {"measure": names, "meta_measure": "sisd", "source": GPB, "value": stored["ucm_correct"]}
    tables.append(pd.DataFrame(single))
    for table in tables[1:]:
        numbers = table.columns.intersection(["value", "low", "high"])
        table[numbers] = 100 * table[numbers]
    return pd.concat(tables, ignore_index=True)


def compare_all(journal: pd.DataFrame, stored: pd.DataFrame) -> pd.DataFrame:
    """All meta-measures, printed and stored, in per cent: a row per measure (both tables have that index)."""
    table = pd.DataFrame(index=stored.index)
    for key, (column, *_) in STORED.items():
        table[f"{key}: paper"] = journal[key]
        table[f"{key}: here"] = (100 * stored[column]).round(1)
    ucm = (100 * stored[["ucm_correct", "ucm_half"]]).round(1)
    return table.assign(**{"gPb-UCM alone": ucm["ucm_correct"], "ties half": ucm["ucm_half"]}).reset_index()


def agreement(journal: pd.DataFrame, stored: pd.DataFrame) -> pd.DataFrame:
    """Rank correlation with the paper, and the largest difference in points, of each meta-measure.

    Returns
    -------
    DataFrame
        Columns ``what, rank correlation, largest difference, of`` (the measure of that difference).
    """
    columns = {key.upper(): (key, column) for key, (column, *_) in STORED.items()}
    columns["SISD of gPb-UCM alone"] = ("sisd", "ucm_correct")
    rows = []
    for words, (key, column) in columns.items():
        gap = (100 * stored[column] - journal[key]).abs()
        order = stored[column].corr(journal[key], method="spearman")
        rows.append((words, order, gap.max(), gap.idxmax()))
    return pd.DataFrame(rows, columns=["what", "rank correlation", "largest difference", "of"])
