"""The published variants of EdgeBoxes, Hosang et al., figure 15: recall, AR, and AP with three detectors.

``python tests/published_edge_boxes.py FOLDER`` writes ``data/published/hosang_edge_boxes.csv`` from the authors' files
``pascal_voc07_test_{recall,rcnn_aps,frcn_noregr_aps,frcn_aps}.mat``. A test holds that the table is what this gives.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import loadmat

TARGET = Path(__file__).parents[1] / "data/published/hosang_edge_boxes.csv"
#: Panel of figure 15, by file.
DETECTORS = {
    "rcnn": ("15b", "R-CNN"),
    "frcn_noregr": ("15c", "Fast R-CNN without regression"),
    "frcn": ("15d", "Fast R-CNN with regression"),
}
CLASSES = (
    "aeroplane bicycle bird boat bottle bus car cat chair cow diningtable dog horse motorbike person pottedplant sheep "
    "sofa train tvmonitor"
).split()


def read(folder, name):
    return loadmat(Path(folder, f"pascal_voc07_test_{name}.mat"), squeeze_me=True, struct_as_record=False)


def variants(names):
    """Row of each variant in the files, by the IoU it is tuned for; the files name their folders in that order."""
    rows = {name.split("_")[-1]: row for row, name in enumerate(names) if name.startswith("edge_boxes_")}
    return {"AR" if text == "AR" else f"0.{text}": rows[text] for text in sorted(rows)}


def published_edge_boxes(folder):
    """Return one row per figure, variant and number."""
    found = []
    recall = read(folder, "recall")
    for delta, row in variants(read(folder, "frcn_aps")["dirs"]).items():
        start = {"figure": "15a", "delta": delta, "detector": "", "category": ""}
        file = {"source": "pascal_voc07_test_recall.mat"}
        found.append(start | file | {"criterion": "AR", "value": recall["ARs"][row]})
        for tau, value in zip(recall["iou_thresholds"], recall["recalls"][row], strict=True):
            found.append(start | file | {"criterion": "recall", "tau": round(tau, 3), "value": value})
        for name, (figure, detector) in DETECTORS.items():
            aps = read(folder, f"{name}_aps")
            start = {"figure": figure, "delta": delta, "detector": detector}
            file = {"source": f"pascal_voc07_test_{name}_aps.mat"}
            found.append(
                start | file | {"criterion": "mAP", "category": "", "value": np.asarray(aps["aps"])[row]}
            )
            for category, value in zip(CLASSES, aps["aps_per_class"][row], strict=True):
                found.append(start | file | {"criterion": "AP", "category": category, "value": value})
    table = pd.DataFrame(found)
    table.insert(0, "paper", "Hosang et al.")
    table.insert(2, "page", 14)
    columns = ["paper", "figure", "page", "source", "delta", "detector", "criterion", "tau", "category", "value"]
    return table[columns].round({"value": 6})


if __name__ == "__main__":
    published_edge_boxes(sys.argv[1]).to_csv(TARGET, index=False)
