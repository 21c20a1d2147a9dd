"""Seconds per object to count hits by exhaustion, by the paper's Algorithm 1 and by ours, in the same run.

Run ``python tests/bench_chance.py`` (or ``make bench``). The objects are those of VOC07 test where the real
data are found, else boxes of the same sizes drawn at random. The slow methods are timed on ``--sample``
objects (exhaustion on ``--exhaustive`` of them), ours on the same and on all; all on one thread, except the
last line but one, which counts all objects at ten thresholds on all threads.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numba
import numpy as np
from scipy.io import loadmat

from propeval_lite.chance import count_candidates, count_hits
from propeval_lite.chance.probability import hit_probability

DATA = Path(os.environ.get("PROPEVAL_DATA", Path(__file__).parents[2] / "shared" / "data"))
ANNOTATIONS = DATA / "hosang" / "pascal_voc07_test_annotations.mat"
N_OBJECTS, WIDTH, HEIGHT = 14976, 500, 375


def load_objects():
    """Boxes and image sizes, and what they are."""
    if not ANNOTATIONS.is_file():
        corners = np.sort(np.random.default_rng(0).integers(1, (WIDTH, HEIGHT), (N_OBJECTS, 2, 2)), axis=1)
        corners[:, 1] += 1
        return corners.reshape(-1, 4), np.tile((WIDTH, HEIGHT), (N_OBJECTS, 1)), "random boxes"
    images = loadmat(ANNOTATIONS, squeeze_me=True, struct_as_record=False)["impos"]
    boxes = [np.atleast_2d(image.boxes).astype(np.int64) for image in images]
    sizes = [np.tile(image.img_size, (len(part), 1)) for image, part in zip(images, boxes, strict=True)]
    return np.concatenate(boxes), np.concatenate(sizes).astype(np.int64), "VOC07 test"


def seconds(repeat, function, *arguments, **options):
    """Best time of a call, and its answer."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        answer = function(*arguments, **options)
        times.append(time.perf_counter() - start)
    return min(times), answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--exhaustive", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    boxes, sizes, name = load_objects()
    threads = numba.get_num_threads()
    for method in ("exact", "algorithm1", "exhaustive"):
        count_hits((2, 2, 5, 5), (9, 9), 0.5, method)
    hit_probability(1, 2, 1)
    chosen = np.random.default_rng(0).choice(len(boxes), options.sample, replace=False)
    few = chosen[: options.exhaustive]
    print(f"{len(boxes)} objects of {name}; slow methods on {options.sample} of them; one thread")
    numba.set_num_threads(1)
    for tau in (0.5, 0.8):
        slowest, tried = seconds(1, count_hits, boxes[few], sizes[few], tau, "exhaustive")
        slow, paired = seconds(2, count_hits, boxes[chosen], sizes[chosen], tau, "algorithm1")
        fast, summed = seconds(options.repeat, count_hits, boxes[chosen], sizes[chosen], tau)
        whole, _ = seconds(1, count_hits, boxes, sizes, tau)
        np.testing.assert_array_equal(summed, paired)
        np.testing.assert_array_equal(summed[: len(few)], tried)
        each = {
            "exhaustive": slowest / len(few),
            "algorithm1": slow / len(chosen),
            "exact": fast / len(chosen),
        }
        print(f"IoU {tau}, ms per object: " + ", ".join(f"{key} {1e3 * t:.4g}" for key, t in each.items()))
        print(
            f"    exact takes 1/{slow / fast:.0f} of algorithm1; {1e3 * whole / len(boxes):.4g} ms over all"
        )
    numba.set_num_threads(threads)
    taus = [f"{10 + k}/20" for k in range(1, 11)]
    spent, hits = seconds(1, count_hits, boxes, sizes, taus, progress=True)
    print(f"all objects x {len(taus)} thresholds on {threads} threads: {spent:.1f} s")
    budgets = np.unique(np.geomspace(1, 10_000, 30).astype(np.int64))
    totals = count_candidates(sizes)[:, None, None]
    spent, table = seconds(options.repeat, hit_probability, hits[:, :, None], totals, budgets)
    print(f"hit_probability x {table.size:,}: {spent:.2f} s, {1e9 * spent / table.size:.0f} ns each")


if __name__ == "__main__":
    main()
