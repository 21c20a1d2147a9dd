"""The published curves of repeatability of Hosang et al., figures 5c to 5h, at the values of each perturbation.

``python tests/published_repeatability.py FIGURE_CURVES.csv`` writes ``data/published/hosang_repeatability.csv`` from
the points of the authors' vector figures (columns ``file, figure, method, x, y``). A test holds that the table is what
this gives. The figures draw scale as its binary logarithm, numbers of pixels as their decimal one and none as -1.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

TARGET = Path(__file__).parents[1] / "data/published/hosang_repeatability.csv"
SCALES = sorted([*(2 ** (i / 5) for i in range(-5, 6)), 0.9, 0.95, 0.99, 1.01, 1.05, 1.1])
#: File, perturbation, figure, values, and where the figure draws them.
DRAWN = {
    "scale": ("scale", "5c", SCALES, np.log2),
    "jpeg": ("jpeg", "5d", [5, 10, 20, 50, 80, 99, 100, 120], np.asarray),
    "rotate": ("rotation", "5e", [-20, -15, -10, -5, -1, -0.5, 0, 0.5, 1, 5, 10, 15, 20], np.asarray),
    "light": ("illumination", "5f", [50, 70, 90, 99, 100, 101, 110, 130, 150], np.asarray),
    "blur": ("blur", "5g", [0, 1, 2, 3, 4, 8], np.asarray),
    "saltnpepper": ("salt_and_pepper", "5h", [0, 1, 10, 100, 1000], lambda n: np.log10(np.maximum(n, 0.1))),
}
NEAR = 2e-3  # of a point from its value, as shares of the axis


def published_repeatability(points):
    """Return one row per curve and value."""
    rows = []
    for (file, method), curve in points.groupby(["file", "method"], sort=False):
        name = file.removeprefix("repeatability_")
        if name == file:
            continue
        kind, figure, values, place = DRAWN[name.removeprefix("gt_")]
        of = "touching" if name.startswith("gt_") else "all"
        curve = curve.sort_values("x")
        x = np.asarray(place(np.array(values, dtype=float)), dtype=float)
        drawn = curve["x"].to_numpy()
        if len(drawn) == len(values):
            assert np.abs(drawn - x).max() < NEAR * (x[-1] - x[0]), (file, method)
            y = curve["y"].to_numpy()
        else:  # of a straight line the figure holds only the ends
            assert len(drawn) == 2 and np.abs(drawn - x[[0, -1]]).max() < NEAR * (x[-1] - x[0]), (
                file,
                method,
            )
            y = np.interp(x, drawn, curve["y"])
        printed = figure if of == "all" else "not printed"
        rows += [(printed, kind, of, method, round(v, 6), w) for v, w in zip(values, y, strict=True)]
    columns = ["figure", "perturbation", "of", "method", "value", "repeatability"]
    table = pd.DataFrame(rows, columns=columns)
    table.insert(0, "paper", "Hosang et al.")
    return table.sort_values(["of", "figure"], kind="stable").round({"repeatability": 5})


if __name__ == "__main__":
    published_repeatability(pd.read_csv(sys.argv[1])).to_csv(TARGET, index=False)
