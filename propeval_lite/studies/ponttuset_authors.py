"""Published contour maps scored and compared, image by image, with the files of the SEISM authors."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from tqdm import tqdm

from propeval_lite._checks.values import fail
from propeval_lite.datasets.base import Dataset
from propeval_lite.partitions.boundaries import BoundaryCounts, fb_counts
from propeval_lite.partitions.contingency import contingency_tables
from propeval_lite.partitions.objects_parts import fop_of_tables
from propeval_lite.segmenters.contour_maps import read_ucm2, ucm_tree

#: Matched counts that differ by no more than this share count as near.
NEAR = 0.005


def score_contour_maps(
    dataset: Dataset,
    folder: object,
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
    for parameter, group in both.groupby("parameter", sort=False):
        row = {"parameter": float(parameter), "images": len(group)}
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
            # The authors' files give an empty contour precision 1.
            precision = (group[f"matched_partition{end}"] / group[f"partition{end}"]).fillna(1)
            row[f"fb_{label}_mean_precision"] = precision.mean()
            row[f"fb_{label}_mean_recall"] = (group[f"matched_truth{end}"] / group[f"truth{end}"]).mean()
            p, r = (group[f"fop_{part}{end}"].mean() for part in ("precision", "recall"))
            row[f"fop_{label}"] = 2 * p * r / (p + r)
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
    others = [name for name in authors if name.startswith("fop@")]
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
