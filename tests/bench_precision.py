"""Average precision against pycocotools: the same detections and numbers. ``python tests/bench_precision.py``"""

import contextlib
import io
import time

import numpy as np
import pandas as pd
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

import propeval_lite as pe
from propeval_lite.boxes.match import COCO_THRESHOLDS
from propeval_lite.datasets.base import Dataset

CORNERS = ["x1", "y1", "x2", "y2"]


def case(n_images=300, n_objects=8, n_found=60, n_categories=5, seed=0):
    """Objects, and detections that lie beside them."""
    rng = np.random.default_rng(seed)
    images = pd.DataFrame({"image_id": np.arange(n_images) + 1, "width": 640, "height": 480})
    tables = []
    for each in (n_objects, n_found):
        corner, side = rng.uniform(0, 400, (n_images * each, 2)), rng.uniform(10, 80, (n_images * each, 2))
        table = pd.DataFrame(np.hstack([corner, corner + side]), columns=CORNERS)
        table["image_id"] = np.repeat(images["image_id"].to_numpy(), each)
        tables.append(table.assign(category=rng.integers(1, n_categories + 1, len(table))))
    objects, found = tables
    near = rng.integers(0, len(objects), len(found) // 2)
    found.iloc[: len(near)] = objects.iloc[near][found.columns].to_numpy()
    found[CORNERS] += rng.normal(0, 3, (len(found), 1))
    objects = objects.assign(object_id=np.arange(len(objects)) + 1, ignore=False)
    return Dataset("drawn", images, objects), found.assign(score=rng.random(len(found)))


def theirs(dataset, found):
    """mAP of pycocotools, with seconds."""

    def box(row):
        return [row.x1, row.y1, row.x2 - row.x1, row.y2 - row.y1]

    truth = COCO()
    truth.dataset = {
        "info": {}, "categories": [{"id": int(c)} for c in np.unique(dataset.objects["category"])],
        "images": [{"id": int(i), "width": 640, "height": 480} for i in dataset.images["image_id"]],
        "annotations": [{"id": int(r.object_id), "image_id": int(r.image_id), "category_id": int(r.category),
                         "bbox": box(r), "area": 1000.0, "iscrowd": 0} for r in dataset.objects.itertuples()],
    }  # fmt: skip
    rows = [{"image_id": int(r.image_id), "category_id": int(r.category), "bbox": box(r), "score": r.score}
            for r in found.itertuples()]  # fmt: skip
    with contextlib.redirect_stdout(io.StringIO()):
        truth.createIndex()
        judge = COCOeval(truth, truth.loadRes(rows), "bbox")
        judge.params.areaRng, judge.params.areaRngLbl = [[0, 1e10]], ["all"]
        started = time.perf_counter()
        judge.evaluate()
        judge.accumulate()
        seconds = time.perf_counter() - started
    return float(judge.eval["precision"][..., 0, -1].mean()), seconds


def ours(dataset, found):
    """mAP of this library, with seconds."""
    started = time.perf_counter()
    table = pe.average_precision(dataset, found, COCO_THRESHOLDS, "coco", limit=100)
    return float(table.to_numpy().mean()), time.perf_counter() - started


if __name__ == "__main__":
    ours(*case(5))
    data, detections = case()
    (here, mine), (there, other) = ours(data, detections), theirs(data, detections)
    assert abs(here - there) < 1e-12, (here, there)
    print(
        f"mAP {here:.6f} both; pycocotools takes {other / mine:.1f} times as long ({other:.2f} s and {mine:.2f} s)"
    )
