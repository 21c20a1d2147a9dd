"""Milliseconds of the segmentation measures on BSDS500: `python tests/bench_partitions.py [DATA]`."""

import sys
import time
from pathlib import Path

import numpy as np
from conftest import SHARED
from scipy.io import loadmat

from propeval_lite.partitions.boundaries import fb
from propeval_lite.partitions.contingency import contingency_tables
from propeval_lite.partitions.objects_parts import fop_of_tables
from propeval_lite.partitions.scores import table_scores
from propeval_lite.segmenters.contour_maps import ucm_tree


def load(data: Path, image_id: str) -> tuple[np.ndarray, list[np.ndarray]]:
    """Contour map and human partitions of one BSDS500 test image."""
    truth = loadmat(data / f"bsds500/data/groundTruth/test/{image_id}.mat")["groundTruth"]
    truths = [truth[0, k]["Segmentation"][0, 0] for k in range(truth.shape[1])]
    return loadmat(data / f"bsds500/ucm2/test/{image_id}.mat")["ucm2"], truths


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
        partition = ucm_tree(ucm2, [threshold])[0].labels

        def regions(partition=partition, truths=truths):
            tables = contingency_tables(partition, truths)
            return table_scores(tables), fop_of_tables(tables)

        line = f"{image_id} at {threshold}: {partition.max() + 1:4d} regions, {len(truths)} truths: "
        line += f"all region measures and fop {1e3 * best_of(regions):.1f} ms, "
        print(line + f"fb {1e3 * best_of(lambda p=partition, t=truths: fb(p, t)):.1f} ms")


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else SHARED)
    if not (folder / "bsds500").is_dir():
        sys.exit(print(f"skipped: no BSDS500 at {folder}; name its folder or set PROPEVAL_DATA"))
    time_one_image(folder)
