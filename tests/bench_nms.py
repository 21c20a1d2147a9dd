"""Seconds of non-maximum suppression here and in OpenCV, on the same boxes in the same run.

Run ``python tests/bench_nms.py`` (or ``make bench``). Boxes have whole-number edges, so that ``pixels="edges"`` here is
``cv2.dnn.NMSBoxes``' rule, and scores that single precision holds. Two kinds: spread over the picture, of which most
are kept, and crowded around a few places, of which most go. The two take turns; the best of ``--repeat`` counts.
Public function against public function: ours checks its input, OpenCV's is given the widths and heights ready-made.
"""

from __future__ import annotations

import argparse
import time

import cv2
import numpy as np
import pandas as pd

import propeval_lite as pe

WIDTH, HEIGHT = 500, 375


def make_boxes(n, crowded, seed=0):
    """Whole-number boxes (n, 4) and scores (n,)."""
    rng = np.random.default_rng(seed)
    if crowded:
        centres = rng.integers(60, (WIDTH - 60, HEIGHT - 60), (12, 2))[rng.integers(0, 12, n)]
        sides = rng.integers(40, 80, (n, 2)) // 2
        middle = centres + rng.integers(-12, 13, (n, 2))
        boxes = np.concatenate((middle - sides, middle + sides), axis=1)
    else:
        a, b = rng.integers(0, (WIDTH + 1, HEIGHT + 1), (2, n, 2))
        boxes = np.concatenate((np.minimum(a, b), np.maximum(a, b) + 1), axis=1)
    scores = rng.permutation(n).astype(np.float32) + 1
    return boxes.astype(float), scores / n


def race(repeat, *functions):
    """Least seconds of each function, taking turns, after one call each that does not count."""
    seconds = [[] for _ in functions]
    for _ in range(repeat + 1):
        for times, function in zip(seconds, functions, strict=True):
            start = time.perf_counter()
            function()
            times.append(time.perf_counter() - start)
    return [min(times[1:]) for times in seconds]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    rows = []
    for n in (1000, 10_000):
        for kind in ("spread", "crowded"):
            boxes, scores = make_boxes(n, kind == "crowded")
            sides = np.concatenate((boxes[:, :2], boxes[:, 2:] - boxes[:, :2]), axis=1).astype(np.int32)
            for threshold, eta in ((0.5, None), (0.7, None), (0.9, 0.9996)):
                arguments = sides, scores, 0.0, threshold, 1.0 if eta is None else eta

                def here(work=(boxes, scores, threshold, eta)):
                    return pe.nms(*work)

                def there(work=arguments):
                    return cv2.dnn.NMSBoxes(*work)

                ours, theirs = here(), np.asarray(there()).ravel()
                seconds = race(options.repeat, here, there)
                rows.append(
                    {
                        "boxes": n,
                        "kind": kind,
                        "threshold": threshold,
                        "eta": eta,
                        "kept": len(ours),
                        "same boxes": ours.tolist() == theirs.tolist(),
                        "ours, ms": 1000 * seconds[0],
                        "OpenCV, ms": 1000 * seconds[1],
                        "ours / OpenCV": seconds[0] / seconds[1],
                    }
                )
    print(pd.DataFrame(rows).to_string(index=False, float_format="%.4g", na_rep="-"))


if __name__ == "__main__":
    main()
