"""Seconds and agreement of the segmentation measures on BSDS500: `python tests/bench_partitions.py [DATA] [--all]`.

One image against its ground truths is always timed. With ``--all`` the whole test set of gPb-UCM is scored at
99 thresholds on all cores and compared with the per-image results that the authors of SEISM published.
"""

import os
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from conftest import SHARED
from scipy.io import loadmat

from propeval_lite.partitions.boundaries import BoundaryCounts, fb
from propeval_lite.partitions.contingency import contingency_tables
from propeval_lite.partitions.objects_parts import fop, fop_of_tables
from propeval_lite.partitions.scores import table_scores
from propeval_lite.segmenters.hierarchies import score_hierarchies, ucm_hierarchy

THRESHOLDS = [k / 100 for k in range(1, 100)]
COUNTS = list(BoundaryCounts._fields)


def load(data: Path, image_id: str) -> tuple[np.ndarray, list[np.ndarray]]:
    """Contour map and human partitions of one BSDS500 test image."""
    truth = loadmat(data / f"bsds500/data/groundTruth/test/{image_id}.mat")["groundTruth"]
    truths = [truth[0, k]["Segmentation"][0, 0] for k in range(truth.shape[1])]
    return loadmat(data / f"bsds500/ucm2/test/{image_id}.mat")["ucm2"], truths


def image_ids(data: Path) -> list[str]:
    """Test images in the order of the published files."""
    return (data / "seism/gt_sets/BSDS500/test.txt").read_text().split()


def published(data: Path, measure: str) -> np.ndarray:
    """Published rows of gPb-UCM, shape (thresholds, images, columns)."""
    folder = data / "seism/BSDS500/gPb-UCM"
    return np.stack([np.loadtxt(folder / f"test_{measure}_{t:.2f}.txt") for t in THRESHOLDS])


def best_of(action, repeats: int = 20) -> float:
    """Least seconds of several runs."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def time_one_image(data: Path) -> None:
    """Print the milliseconds of one image with five ground truths, warm."""
    for image_id, threshold in (("100007", 0.13), ("226043", 0.13), ("226043", 0.02)):
        ucm2, truths = load(data, image_id)
        partition = ucm_hierarchy(ucm2, [threshold]).partition(0)

        def regions(partition=partition, truths=truths):
            tables = contingency_tables(partition, truths)
            return table_scores(tables), fop_of_tables(tables)

        line = f"{image_id} at {threshold}: {partition.max() + 1:4d} regions, {len(truths)} truths: "
        line += f"all region measures and fop {1e3 * best_of(regions):.1f} ms, "
        print(line + f"fb {1e3 * best_of(lambda p=partition, t=truths: fb(p, t)):.1f} ms")


def human_leave_one_out(data: Path) -> tuple[float, float]:
    """Precision and recall of annotators judged by the others: mean over each image's, then over the images."""
    means = []
    for image_id in image_ids(data):
        _, truths = load(data, image_id)
        scores = [fop(truth, truths[:k] + truths[k + 1 :])[1:] for k, truth in enumerate(truths)]
        means.append(np.mean(scores, axis=0))
    return tuple(np.mean(means, axis=0).tolist())


def compare_with_published(data: Path) -> pd.DataFrame:
    """Score every image at every threshold and print the largest differences from the published files."""
    for boundaries in (False, True):
        start = time.perf_counter()
        frame = score_hierarchies(
            partial(load, data), image_ids(data), THRESHOLDS, boundaries, workers=os.cpu_count() or 1
        )
        kind = "region measures, fop and fb" if boundaries else "region measures and fop"
        print(f"{kind}: {len(frame)} partitions in {time.perf_counter() - start:.0f} s")
    shape = (-1, len(THRESHOLDS))
    ours = np.stack(
        [frame[name].to_numpy().reshape(shape).T for name in ("fop", "fop_precision", "fop_recall")], -1
    )
    print(f"fop: largest difference {np.abs(ours - published(data, 'fop')).max():.1e}")
    ours = np.stack([frame[name].to_numpy().reshape(shape).T for name in COUNTS], -1)
    theirs = published(data, "fb")[..., 3:]
    print(f"fb: denominators that differ {(ours[..., 1::2] != theirs[..., 1::2]).sum()}")
    relative = np.abs(ours - theirs)[..., ::2] / np.maximum(theirs[..., ::2], 1)
    print(f"fb: images with matched counts within 0.5 %: {(relative <= 0.005).mean(axis=(0, 1))}")
    f = [[BoundaryCounts(*row).scores()[0] for row in side.sum(axis=1).tolist()] for side in (ours, theirs)]
    print(f"fb: largest difference of the data set's F {np.abs(np.subtract(*f)).max():.1e}")
    return frame


if __name__ == "__main__":
    folder = Path(next((argument for argument in sys.argv[1:] if argument != "--all"), SHARED))
    if not (folder / "seism").is_dir():
        sys.exit(print(f"skipped: no BSDS500 and SEISM at {folder}; name their folder or set PROPEVAL_DATA"))
    time_one_image(folder)
    if "--all" in sys.argv:
        print(
            "humans against each other: precision {:.4f}, recall {:.4f}".format(*human_leave_one_out(folder))
        )
        compare_with_published(folder)
