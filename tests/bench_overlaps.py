"""Seconds to judge VOC07-sized work here and in the COCO tools, on the same boxes in the same run.

Run ``python tests/bench_overlaps.py`` (or ``make bench``). Our four matchings are timed on all images. The
COCO tools, which hold every box as an object of its own, are timed on work with ``--compare`` images, beside
ours on the same work. Times are of judging only (loading is shown apart); ours are the best of ``--repeat``
after a call that compiles.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import resource
import tempfile
import time
from pathlib import Path

import numba
import numpy as np
import pandas as pd

from propeval_lite.boxes.match import match
from propeval_lite.boxes.recall import average_recall
from propeval_lite.datasets.base import Dataset
from propeval_lite.proposals.container import Proposals

N_IMAGES, N_OBJECTS, N_BOXES = 4952, 14976, 1000
BUDGETS = [10, 100, 1000]
WIDTH, HEIGHT = 500, 375


def random_boxes(rng, n):
    a, b = rng.integers(0, (WIDTH + 1, HEIGHT + 1), (2, n, 2))
    return np.concatenate((np.minimum(a, b), np.maximum(a, b) + 1), axis=1).astype(float)


def make_work(n_images, seed=0):
    """A data set and proposals of the size of VOC07 test, or of a part of it."""
    rng = np.random.default_rng(seed)
    n_objects = round(N_OBJECTS * n_images / N_IMAGES)
    owner = np.sort(np.concatenate((np.arange(n_images), rng.integers(0, n_images, n_objects - n_images))))
    images = pd.DataFrame({"image_id": np.arange(n_images) + 1, "width": WIDTH + 1, "height": HEIGHT + 1})
    objects = pd.DataFrame(random_boxes(rng, n_objects), columns=["x1", "y1", "x2", "y2"])
    objects["image_id"], objects["object_id"] = owner + 1, np.arange(n_objects) + 1
    objects["category"], objects["ignore"] = "thing", False
    boxes, scores = random_boxes(rng, n_images * N_BOXES), rng.random(n_images * N_BOXES)
    offsets = np.arange(n_images + 1) * N_BOXES
    return Dataset("random", images, objects), Proposals(
        images["image_id"], offsets, boxes, scores, name="random"
    )


def best_of(repeat, function):
    """Result and least seconds of `repeat` calls, after one that does not count."""
    function()
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        result = function()
        seconds.append(time.perf_counter() - start)
    return result, min(seconds)


def judge_here(dataset, proposals, matching, kind):
    return average_recall(match(dataset, proposals, BUDGETS, matching), kind)


def coco_format(dataset, proposals):
    """The same work as COCO truth and COCO results, all in one category."""

    def entries(corners, image_ids):
        sides = np.concatenate((corners[:, :2], corners[:, 2:] - corners[:, :2]), axis=1)
        return [
            {"image_id": i, "category_id": 1, "bbox": box}
            for i, box in zip(image_ids, sides.tolist(), strict=True)
        ]

    objects = dataset.objects
    truth = entries(objects[["x1", "y1", "x2", "y2"]].to_numpy(), objects["image_id"].tolist())
    for number, entry in enumerate(truth):
        entry |= {"id": number + 1, "iscrowd": 0, "area": entry["bbox"][2] * entry["bbox"][3]}
    found = entries(proposals.boxes, np.repeat(proposals.image_ids, np.diff(proposals.offsets)).tolist())
    for entry, score in zip(found, proposals.scores.tolist(), strict=True):
        entry["score"] = score
    pictures = dataset.images.rename(columns={"image_id": "id"}).to_dict("records")
    categories = [{"id": 1, "name": "thing"}]
    return {"info": {}, "images": pictures, "annotations": truth, "categories": categories}, found


def judge_there(tool, truth_file, found_file):
    """AR at the budgets and seconds to load and to judge, by one of the COCO tools."""
    if tool == "pycocotools":
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
    elif tool == "faster-coco-eval":
        from faster_coco_eval import COCO
        from faster_coco_eval import COCOeval_faster as COCOeval
    else:
        from hotcoco import COCO, COCOeval
    with contextlib.redirect_stdout(io.StringIO()):
        start = time.perf_counter()
        truth = COCO(str(truth_file))
        found = truth.loadRes(str(found_file))
        loaded = time.perf_counter()
        judge = COCOeval(truth, found, "bbox")
        judge.params.useCats = 0
        judge.params.maxDets = BUDGETS
        judge.params.areaRng = [[0, 1e10]]
        judge.params.areaRngLbl = ["all"]
        judge.evaluate()
        judge.accumulate()
        done = time.perf_counter()
    recall = np.asarray(judge.eval["recall"]).reshape(10, len(BUDGETS))
    return recall.mean(axis=0), loaded - start, done - loaded


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=int, default=N_IMAGES, help="images judged by our matchings")
    parser.add_argument("--compare", type=int, default=500, help="images judged by every tool")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()

    work = make_work(options.images)
    print(
        f"{options.images} images, {len(work[0].objects)} objects, {len(work[1])} boxes, budgets {BUDGETS}, ",
        end="",
    )
    print(f"{numba.get_num_threads()} threads")
    rows = []
    for matching in ("best", "greedy", "optimal", "coco"):
        kind = "coco" if matching == "coco" else "integral"
        curve, seconds = best_of(
            1 if matching == "optimal" else options.repeat, lambda m=matching, k=kind: judge_here(*work, m, k)
        )
        rows.append({"match + AR": f"{matching}, {kind}", "seconds": seconds, "AR": float(curve.iloc[-1])})
    print(pd.DataFrame(rows).to_string(index=False, float_format="%.3f"))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"largest memory of the process so far: {memory:.2f} GB\n")

    work = make_work(options.compare)
    curve, seconds = best_of(options.repeat, lambda: judge_here(*work, "coco", "coco"))
    rows = [
        {"tool": "propeval-lite (coco)", "load": np.nan, "judge": seconds, "ratio": 1.0, "AR": curve.iloc[-1]}
    ]
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "truth.json"), Path(folder, "found.json")
        for file, content in zip(files, coco_format(*work), strict=True):
            file.write_text(json.dumps(content))
        for tool in ("hotcoco", "faster-coco-eval", "pycocotools"):
            found, load, judge = judge_there(tool, *files)
            if not np.allclose(found, curve, rtol=0, atol=1e-9):
                print(f"{tool} disagrees: {found} against {curve.to_numpy()}")
            rows.append(
                {"tool": tool, "load": load, "judge": judge, "ratio": judge / seconds, "AR": found[-1]}
            )
    print(f"{options.compare} images, {len(work[1])} boxes, ten thresholds, budgets {BUDGETS}; ratio to ours")
    print(pd.DataFrame(rows).to_string(index=False, float_format="%.3f", na_rep="-"))


if __name__ == "__main__":
    main()
