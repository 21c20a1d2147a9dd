"""Made-up scores of measures of measures, small enough to work out by hand."""

import pandas as pd

SAME = [0.35, 0.42, 0.62, 0.66, 0.70, 0.74, 0.82, 0.86, 0.90, 0.94]
DIFFERENT = [0.05, 0.10, 0.15, 0.22, 0.26, 0.30, 0.34, 0.38, 0.45, 0.58]


def humans():
    """Ten same-image scores; a first draw as on the page and a second that is easy to tell apart."""
    score = [*SAME, *DIFFERENT, *[0.01] * 10]
    draw = [-1] * 10 + [0] * 10 + [1] * 10
    table = pd.DataFrame(
        {
            "image_id": "a",
            "other_id": "b",
            "annotator": 0,
            "same": [d < 0 for d in draw],
            "draw": draw,
            "pri": score,
        }
    )
    return table.assign(nvoi=1 - table["pri"])


def sweeps():
    """One method and two baselines, two scales each: training images prefer scale 2, test images scale 1."""
    rows = []
    for kind, method, train, test in (
        ("method", "m", (0.1, 0.9), ([0.99, 0.99], [0.5, 0.8])),
        ("baseline", "b", (0.2, 0.3), ([0.99, 0.99], [0.5, 0.1])),
        ("baseline", "c", (0.2, 0.3), ([0.99, 0.99], [0.3, 0.7])),
    ):
        for scale in (1, 2):
            rows.append((kind, method, "train", scale, False, "t", train[scale - 1]))
            rows += [
                (kind, method, "test", scale, False, i, v) for i, v in zip("xy", test[scale - 1], strict=True)
            ]
    for scale, values in ((1, (0, 0)), (2, (0.6, 0.8))):
        rows += [("method", "m", "test", scale, True, i, v) for i, v in zip("xy", values, strict=True)]
    columns = ["kind", "method", "split", "parameter", "swapped", "image_id", "pri"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(van_dongen=1 - table["pri"])
