"""The published detection results of Hosang et al., §5: APs, recalls, scores by overlap and the mean score map.

``python tests/published_detection.py FOLDER`` writes ``data/published/hosang_detection*.csv`` from the authors' files
(``pascal_voc07_test_*_aps.mat``, ``…_recall.mat``, ``score_histogram_cache.mat``, ``short_classes.mat``). A test holds
that the tables are what this gives. ``hosang_detection_tables.csv`` and ``…_figures.csv`` are typed from the paper.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import loadmat

TARGET = Path(__file__).parents[1] / "data/published"
START = "pascal_voc07_test_"
# file, detector, with box regression, trained on the proposals of
DETECTORS = (
    ("rcnn_aps", "R-CNN", False, "SelectiveSearch"),
    ("frcn_noregr_aps", "Fast R-CNN", False, "each method"),
    ("frcn_aps", "Fast R-CNN", True, "each method"),
    ("frcn_pretrained_aps", "Fast R-CNN", True, "SelectiveSearch"),
)
SCORED = (
    ("R-CNN", False),
    ("LM-LLDA", False),
    ("LM-LLDA", True),
    ("Fast R-CNN", False),
    ("Fast R-CNN", True),
)
# Numbers of the variants of EdgeBoxes that the paper leaves out of its comparisons, counted from 1.
VARIANTS = {14, 16, *range(19, 26)}


def text(cell):
    return str(np.ravel(cell)[0])


def read(folder):
    """Names of methods and categories, and a function that reads a file."""

    def load(name):
        return loadmat(folder / f"{START}{name}.mat")

    categories = [text(row) for row in loadmat(folder / "short_classes.mat")["classes"].ravel()]
    methods = [text(name) for name in load("recall")["methods"].ravel()["name"]]
    return load, methods, categories


def precisions(folder):
    """AP by detector, method and category."""
    load, methods, categories = read(folder)
    rows = []

    def add(source, place, detector, regression, trained, names, per_class, mean):
        for name, values, average in zip(names, per_class, np.ravel(mean), strict=True):
            for category, value in [*zip(categories, values, strict=True), ("mean", average)]:
                rows.append((source, place, detector, regression, trained, name, category, value))

    found = load("llda_dpm_aps")
    for column in (0, 1):
        source, regression = f"{START}llda_dpm_aps.mat, column {column + 1}", bool(column)
        add(source, "Table 2 and 3", "LM-LLDA", regression, "–", ["Dense"],
            [found["llda_dpm_aps_per_class"][:, column]], found["llda_dpm_aps"][0, column])  # fmt: skip
        add(source, "Table 2 and 3", "LM-LLDA", regression, "–", methods[: len(found["aps"])],
            found["aps_per_class"][..., column], found["aps"][:, column])  # fmt: skip
    for file, detector, regression, trained in DETECTORS:
        found = load(file)
        place = "Table 3 and 4" if file == "frcn_aps" else "Table 3"
        add(
            f"{START}{file}.mat",
            place,
            detector,
            regression,
            trained,
            methods,
            found["aps_per_class"],
            found["aps"],
        )
    columns = ["source", "place", "detector", "regression", "trained", "method", "category", "value"]
    return pd.DataFrame(rows, columns=columns)


def recalls(folder):
    """Recall by threshold, AR, and AR by category, with 1 000 proposals."""
    load, methods, categories = read(folder)
    found = load("recall")
    taus = np.round(found["iou_thresholds"].ravel(), 6)
    rows = []
    for i, method in enumerate(methods):
        head = (f"{START}recall.mat", "fig. 13 and 14", i + 1, method, i + 1 not in VARIANTS, 1000)
        rows += [
            (*head, "recall", tau, "all", value) for tau, value in zip(taus, found["recalls"][i], strict=True)
        ]
        rows.append((*head, "AR", np.nan, "all", found["ARs"][i, 0]))
        rows += [
            (*head, "AR", np.nan, name, value)
            for name, value in zip(categories, found["ARs_per_class"][i], strict=True)
        ]
    columns = [
        "source",
        "place",
        "number",
        "method",
        "compared",
        "budget",
        "criterion",
        "tau",
        "category",
        "value",
    ]
    return pd.DataFrame(rows, columns=columns)


def scores(folder):
    """Mean score of the detectors for boxes of each overlap, by category, and how many boxes there were."""
    found = loadmat(folder / "score_histogram_cache.mat")
    _, _, categories = read(folder)
    middles = np.round(np.arange(16) * 0.05 + 0.225, 3)
    rows = [
        (
            "score_histogram_cache.mat",
            "fig. 12",
            detector,
            regression,
            category,
            middle,
            mean[i, j],
            counts[i, j],
        )
        for category, mean, counts in zip(
            categories, found["class_avg_scores"].ravel(), found["class_bin_counts"].ravel(), strict=True
        )
        for i, (detector, regression) in enumerate(SCORED)
        for j, middle in enumerate(middles)
    ]
    columns = ["source", "place", "detector", "regression", "category", "iou", "value", "boxes"]
    return pd.DataFrame(rows, columns=columns)


def score_map(folder):
    """Mean score of R-CNN at 11 x 11 x 11 places around the true box."""
    cube = loadmat(folder / "score_histogram_cache.mat")["avg_cubes"][0, 0]
    places = np.argwhere(np.ones(cube.shape, dtype=bool)) - 5
    table = pd.DataFrame(places, columns=["first", "second", "third"])
    table.insert(0, "place", "fig. 11a")
    table.insert(0, "source", "score_histogram_cache.mat")
    return table.assign(value=cube.ravel())


TABLES = {
    "hosang_detection": precisions,
    "hosang_detection_recall": recalls,
    "hosang_detection_scores": scores,
    "hosang_detection_map": score_map,
}


def as_csv(table):
    """Text of a table of data/published."""
    table = table.copy()
    table.insert(0, "paper", "Hosang et al.")
    return table.to_csv(index=False, float_format="%.8g", lineterminator="\n")


if __name__ == "__main__":
    for name, make in TABLES.items():
        (TARGET / f"{name}.csv").write_text(as_csv(make(Path(sys.argv[1]))), encoding="utf-8")
