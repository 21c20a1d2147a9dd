"""BSDS500 beside what the authors publish: their files, image by image, their human points and their figure 11."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from propeval_lite._checks.values import fail
from propeval_lite.datasets import Dataset
from propeval_lite.meta import human_scores
from propeval_lite.meta.scales import score_sweep
from propeval_lite.meta.seism import read_partners, read_seism_scores
from propeval_lite.meta.summaries import SUMMARY, mean_sides
from propeval_lite.partitions.boundaries import BoundaryCounts, fb_counts
from propeval_lite.partitions.contingency import contingency_tables
from propeval_lite.partitions.objects_parts import fop_of_tables
from propeval_lite.partitions.precision_recall import f_of
from propeval_lite.segmenters.contour_maps import read_ucm2, ucm_tree
from propeval_lite.studies.ponttuset_partitions import human_points, precision_recall

#: Methods here and those of the same name in figure 11.
NAMES = {"gPb-UCM": "gPb-UCM", "egb": "EGB", "mean_shift": "MShift", "ncut": "NCut", "quadtree": "QuadTree"}
#: Methods and people that stand beside each other in the legend of figure 11.
LEGEND = NAMES | {"random_slic": "Random", "watershed": "SMap", "human": "human"}
#: Matched counts that differ by no more than this share count as near.
NEAR = 0.005
#: Thresholds of the authors' files.
THRESHOLDS = tuple(k / 100 for k in range(1, 100))


def score_contour_maps(
    dataset: Dataset,
    folder: str | Path,
    thresholds: Sequence[float],
    gammas: Sequence[float] = (0.9,),
    progress: bool = False,
) -> pd.DataFrame:
    """Score published contour maps by fb and fop at every threshold, as the authors' files do.

    Parameters
    ----------
    dataset : Dataset
        With partitions and boundary maps.
    folder : path
        Of maps ``IMAGE_ID.mat``, see `read_ucm2`.
    thresholds : sequence of float
        Rising.
    gammas : sequence of float
        Values of gamma_object; the first gives the columns ``fop…``, each other one ``fop@VALUE…``.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        One row per image and threshold: ``image_id, parameter`` (text with two decimals), ``regions``, then
        the scores and counts.
    """
    rows = []
    for image_id in tqdm(dataset.images["image_id"], unit="image", disable=not progress, leave=False):
        tree, counts = ucm_tree(read_ucm2(folder, image_id), thresholds)
        tables = contingency_tables(tree.labels, dataset.partitions(image_id))
        drawn = dataset.boundaries(image_id)
        regions = 0
        for level, value in enumerate(thresholds):
            if tree.n_leaves - counts[level] != regions:
                regions = int(tree.n_leaves - counts[level])
                merged = [table.merged(tree.regions(counts[level])) for table in tables]
                found = fb_counts(tree.after(counts[level]), drawn)._asdict()
                for k, gamma in enumerate(gammas):
                    name = "fop" if k == 0 else f"fop@{gamma:g}"
                    names = (name, f"{name}_precision", f"{name}_recall")
                    found |= dict(zip(names, fop_of_tables(merged, gamma_object=gamma), strict=True))
            rows.append({"image_id": image_id, "parameter": f"{value:.2f}", "regions": regions, **found})
    return pd.DataFrame(rows)


def compare_with_authors(ours: pd.DataFrame, fop: pd.DataFrame, fb: pd.DataFrame) -> pd.DataFrame:
    """Compare our scores of every image with the authors' files, threshold by threshold.

    Parameters
    ----------
    ours : DataFrame
        From `score_contour_maps`.
    fop, fb : DataFrame
        From `read_seism_scores`, the same images and parameters.

    Returns
    -------
    DataFrame
        One row per parameter: largest difference of F, P and R of objects and parts over the images
        (``fop``; one more column per further gamma); images whose contour lengths differ (``lengths_differ``);
        largest relative difference of an image's matched counts (``matched_truth, matched_partition``);
        images where it is at most `NEAR` (``matched_truth_near, matched_partition_near``);
        relative difference of these counts added over the images (``matched_truth_all, matched_partition_all``);
        the least number of pairs by which ours exceed theirs in an image (``surplus``);
        F, precision and recall of boundaries over all images, ours and theirs (``fb_here…, fb_file…``), with
        counts added over the images, and precision and recall averaged over them (``…_mean_…``); F of objects and
        parts.
    """
    keys = ["image_id", "parameter"]
    both = ours.merge(fop, on=keys, suffixes=("", "_file"), validate="one_to_one").merge(
        fb, on=keys, suffixes=("", "_file"), validate="one_to_one"
    )
    if len(both) != len(ours):
        raise fail(f"the authors' scores of all {len(ours)} partitions", len(both), "Use the same images.")
    parts = ("", "_precision", "_recall")
    variants = [name for name in ours.columns if name.startswith("fop") and not name.endswith(parts[1:])]
    rows = []
    for _, group in both.groupby("parameter", sort=False):
        row = {"parameter": float(group["parameter"].iloc[0]), "images": len(group)}
        for name in variants:
            gaps = [(group[name + part] - group[f"fop{part}_file"]).abs().max() for part in parts]
            row[name] = max(gaps)
        lengths = [group[name] != group[f"{name}_file"] for name in ("truth", "partition")]
        row["lengths_differ"] = int((lengths[0] | lengths[1]).sum())
        for name in ("matched_truth", "matched_partition"):
            theirs = group[f"{name}_file"]
            apart = (group[name] - theirs).abs() / theirs.clip(lower=1)
            row[name], row[f"{name}_near"] = apart.max(), int((apart <= NEAR).sum())
            row[f"{name}_all"] = (group[name].sum() - theirs.sum()) / max(theirs.sum(), 1)
        row["surplus"] = int((group["matched_truth"] - group["matched_truth_file"]).min())
        counts = [BoundaryCounts(*(int(group[name + end].sum()) for name in BoundaryCounts._fields))
                  for end in ("", "_file")]  # fmt: skip
        for label, count in zip(("here", "file"), counts, strict=True):
            row |= dict(
                zip(
                    (f"fb_{label}", f"fb_{label}_precision", f"fb_{label}_recall"),
                    count.scores(),
                    strict=True,
                )
            )
        for end, label in (("", "here"), ("_file", "file")):
            counts_of = [name + end for name in BoundaryCounts._fields]
            table = group[counts_of].set_axis(BoundaryCounts._fields, axis=1)
            row[f"fb_{label}_mean_precision"], row[f"fb_{label}_mean_recall"] = mean_sides(table, "fb")
            row[f"fop_{label}"] = f_of(
                *(group[f"fop_{side}{end}"].mean() for side in ("precision", "recall"))
            )
        rows.append(row)
    return pd.DataFrame(rows)


def largest_differences(authors: pd.DataFrame) -> pd.DataFrame:
    """Summarise the comparison with the authors' files: the largest difference of each kind.

    Parameters
    ----------
    authors : DataFrame
        From `compare_with_authors`.

    Returns
    -------
    DataFrame
        Columns ``compared`` and ``value``.
    """
    others = [name for name in authors.columns if name.startswith("fop@")]
    rows = [("objects and parts: F, P, R of one picture", authors["fop"].max())]
    rows += [(f"the same with γ = {name[4:]}", authors[name].max()) for name in others]
    rows += [
        (f"{title}: F over all pictures", (authors[f"{name}_here"] - authors[f"{name}_file"]).abs().max())
        for name, title in (("fop", "objects and parts"), ("fb", "boundaries"))
    ]
    rows += [
        ("boundaries: pictures whose contours differ in length", float(authors["lengths_differ"].sum())),
        ("boundaries: matched truth pixels of one picture, relative", authors["matched_truth"].max()),
        ("boundaries: matched partition pixels of one picture, relative", authors["matched_partition"].max()),
        (
            "boundaries: matched truth pixels of all pictures, relative",
            authors["matched_truth_all"].abs().max(),
        ),
        (
            "boundaries: matched partition pixels of all pictures, relative",
            authors["matched_partition_all"].abs().max(),
        ),
        ("boundaries: pairs here minus theirs in one picture, least", float(authors["surplus"].min())),
    ]
    rows += [
        (
            f"boundaries: share of pictures whose matched {side} pixels differ by more than {NEAR:.1%}",
            1 - authors[f"matched_{side}_near"].sum() / authors["images"].sum(),
        )
        for side in ("truth", "partition")
    ]
    return pd.DataFrame(rows, columns=["compared", "value"])


def tables_on_bsds(
    dataset: Dataset,
    root: Path,
    curves: pd.DataFrame,
    scales: pd.DataFrame,
    gammas: Sequence[float] = (0.9,),
    thresholds: Sequence[float] = THRESHOLDS,
    seed: int = 0,
    partners: Mapping | None = None,
) -> dict[str, pd.DataFrame]:
    """Compute on the test images of BSDS500 all that is compared with the paper.

    Parameters
    ----------
    dataset : Dataset
        The test images, or some of them.
    root : Path
        Folder of the real data, with ``bsds500/ucm2/test``, ``seism`` and ``seism2013``.
    curves, scales : DataFrame
        Of the segmenters, already computed there: from `precision_recall` and `scales_of_pools`.
    gammas, thresholds
        See `score_contour_maps`; every tenth threshold is judged on swapped images, too.
    seed : int
        Of the swaps of gPb-UCM.
    partners : mapping, optional
        Which other picture people meet, see `human_scores`; by default the one that the authors drew.

    Returns
    -------
    dict
        ``authors`` (see `compare_with_authors`), ``curves`` (with gPb-UCM), ``humans`` (averaged in two ways), and
        ``scales`` as given.
    """
    maps, seism = root / "bsds500" / "ucm2" / "test", root / "seism"
    cuts = score_contour_maps(dataset, maps, thresholds, gammas)
    ids = (seism / "gt_sets" / "BSDS500" / "test.txt").read_text().split()
    files = [read_seism_scores(seism / "BSDS500" / "gPb-UCM", name, ids) for name in ("fop", "fb")]
    laid_over = score_sweep(list(SUMMARY), dataset, f"ucm:{maps}", thresholds[::10], swapped=True, seed=seed)
    ucm = pd.concat([cuts.assign(swapped=False), laid_over[laid_over["swapped"]]]).assign(method="gPb-UCM")
    ucm["parameter"] = ucm["parameter"].astype(float)
    points = precision_recall(ucm, ["method", "swapped", "parameter"])
    if partners is None:
        partners = read_partners(root / "seism2013" / "bsds500" / "one_to_all_test_diff_image_pairs.txt")
    people = human_scores(list(SUMMARY), dataset, partners=partners, shapes="rotate")
    ways = [human_points(people, ["same"]).assign(average="picture first"),
            precision_recall(people, ["same"], "counts").assign(average="all together")]  # fmt: skip
    return {
        "authors": compare_with_authors(cuts, *files),
        "curves": pd.concat([curves.drop(columns="dataset"), points], ignore_index=True),
        "humans": pd.concat(ways),
        "scales": scales,
    }


def compare_humans(printed: pd.DataFrame, sources: Mapping[str, pd.DataFrame | None]) -> pd.DataFrame:
    """Human points of figure 11 beside those of several sources, each way of averaging in a row of its own.

    Parameters
    ----------
    printed : DataFrame
        ``published("ponttuset_curves")``.
    sources : mapping
        From words to points with columns ``measure, same, average, precision, recall``; None where not known.
    """
    point = printed[printed["kind"] == "human"].assign(same=lambda rows: rows["image"] == "same")
    wanted = ["measure", "same", "values of", "average", "precision", "recall"]
    known = [table.assign(**{"values of": words}) for words, table in sources.items() if table is not None]
    ours = (
        pd.concat([pd.DataFrame(columns=wanted), *known])[wanted] if known else pd.DataFrame(columns=wanted)
    )
    side = point[["measure", "same", "precision", "recall"]].merge(
        ours.astype({"same": bool}), on=["measure", "same"], how="left", suffixes=(": paper", "")
    )
    for name in ("precision", "recall"):
        side[f"{name}: difference"] = side[name] - side[f"{name}: paper"]
    judged = side.pop("same").map({True: "same picture", False: "swapped"})
    side.insert(1, "judged by", judged)
    first = ["measure", "judged by", "values of", "average"]
    return side[first + [name for name in side.columns if name not in first]]


def curve_distances(printed: pd.DataFrame, curves: pd.DataFrame, authors: pd.DataFrame) -> pd.DataFrame:
    """How far the published points of gPb-UCM lie from several lines: ours, and those of averaged files.

    Parameters
    ----------
    printed : DataFrame
        ``published("ponttuset_curves")``.
    curves, authors : DataFrame
        Of `tables_on_bsds`.

    Returns
    -------
    DataFrame
        Columns ``line`` (in words), ``median, largest`` (distance in the plane of precision and recall).
    """
    lines = []
    ours = curves[curves["method"] == "gPb-UCM"]
    for (measure, swapped), rows in ours.groupby(["measure", "swapped"], sort=False):
        side = "swapped" if swapped else "same"
        lines.append((f"{measure}, {side} picture", measure, side, rows))
    for words, part in (("counts added", ""), ("averaged over pictures", "mean_")):
        for where in ("file", "here"):
            names = {f"fb_{where}_{part}{name}": name for name in ("precision", "recall")}
            rows = authors[[*names]].rename(columns=names)
            lines.append((f"fb, {where}, {words}", "fb", "same", rows))
    theirs = printed[(printed["method"] == "gPb-UCM") & (printed["kind"] == "curve")]
    found = []
    for words, measure, side, rows in lines:
        points = theirs[(theirs["measure"] == measure) & (theirs["image"] == side)]
        apart = distances_to_line(points, rows)
        found.append((words, np.median(apart), apart.max()))
    return pd.DataFrame(found, columns=["line", "median", "largest"])


def distances_to_line(points: pd.DataFrame, line: pd.DataFrame) -> np.ndarray:
    """Distance of each point from a line through others, both with columns ``recall, precision``.

    Examples
    --------
    >>> line = pd.DataFrame({"recall": [0.0, 1.0], "precision": [0.5, 0.5]})
    >>> distances_to_line(pd.DataFrame({"recall": [0.2], "precision": [0.9]}), line).round(3).tolist()
    [0.4]
    """
    given, corners = (table[["recall", "precision"]].to_numpy() for table in (points, line))
    steps = np.linspace(0, len(corners) - 1, 2000)
    dense = [np.interp(steps, np.arange(len(corners)), column) for column in corners.T]
    return np.linalg.norm(given[:, None] - np.transpose(dense), axis=2).min(axis=1)


def compare_legend(
    printed: pd.DataFrame, curves: pd.DataFrame, scales: pd.DataFrame, people: pd.DataFrame
) -> pd.DataFrame:
    """F at the optimal data set scale beside the legend of figure 11; for gPb-UCM the best of the curve.

    Parameters
    ----------
    printed : DataFrame
        ``published("ponttuset_curves")``.
    curves, scales, people : DataFrame
        Tables ``curves, scales, humans`` of `tables_on_bsds`.
    """
    single = curves[~curves["swapped"].astype(bool) & (curves["method"] == "gPb-UCM")]
    single = single.groupby("measure")["f"].max().rename("test").reset_index()
    crowd = people[people["same"].astype(bool) & (people["average"] == "picture first")]
    crowd = crowd.assign(method="human", test=crowd["f"]).drop(columns="f")
    known = pd.concat([scales, single.assign(method="gPb-UCM"), crowd])
    known = known.assign(paper=known["method"].map(LEGEND))
    legend = printed[(printed["kind"] == "legend") & (printed["image"] == "same")]
    legend = legend.drop(columns="paper").rename(columns={"method": "paper"})
    both = known.merge(legend[["paper", "measure", "f"]], on=["paper", "measure"], how="left")
    both["difference"] = both["test"] - both["f"]
    both = both[["measure", "method", "paper", "f", "test", "difference", "regions"]]
    both.columns = ["measure", "method here", "method in the paper", "F: paper", "F: here", "difference",
                    "regions (mean)"]  # fmt: skip
    return both.sort_values(["measure", "F: here"], ascending=[True, False])
