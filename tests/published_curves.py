"""The published curves of Hosang et al., figures 6 to 10, at the budgets and at eleven thresholds.

``python tests/published_curves.py FIGURE_CURVES.csv`` writes ``data/published/hosang_curves.csv`` from the points of
the authors' vector figures (columns ``file, figure, method, x, y``). A test holds that the table is what this gives.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

TARGET = Path(__file__).parents[1] / "data/published/hosang_curves.csv"
BUDGETS = (10, 32, 100, 316, 1000, 3162, 10000)
TAUS = np.round(np.linspace(0.5, 1, 11), 2)
DATASETS = {"": "voc2007 test", "imagenet_": "ilsvrc2013 val", "coco14_": "coco val2014"}
BY_NUMBER = {"average_recall": ("AR", np.nan), "recall_0.50": ("recall", 0.5), "recall_0.80": ("recall", 0.8)}


def at_budgets(points):
    """Find the point of each budget: x is how many boxes there were on average, never more than the budget.

    The figures begin at 10, where lines that come from further left are cut; equal points follow one another only once.
    """
    x, y = points["x"].to_numpy(), points["y"].to_numpy()
    x, y = x[x >= 9.9995], y[x >= 9.9995]
    if not x.size or x[0] > 10.01:  # cut at the border alone: the point lies there
        x, y = np.append(points["x"].iloc[0], x), np.append(points["y"].iloc[0], y)
    place, rows = 0, []
    for budget in BUDGETS:
        place += budget > BUDGETS[0] and place + 1 < len(x) and x[place + 1] <= budget * 1.001
        rows.append((budget, round(x[place], 1), y[place]))
    assert place == len(x) - 1, points
    return rows


def at_thresholds(points):
    """Read a curve against IoU at the eleven thresholds; it falls, and between its points it is drawn straight."""
    points = points.sort_values(["x", "y"], ascending=[True, False])
    return list(zip(TAUS, np.interp(TAUS, points["x"], points["y"]), strict=True))


def published_curves(points):
    """Return one row per figure, method and point that we compare with."""
    rows = []
    for (file, method), curve in points.groupby(["file", "method"], sort=False):
        start = next((name for name in ("imagenet_", "coco14_") if file.startswith(name)), "")
        kind, figure = file.removeprefix(start), curve["figure"].iloc[0]
        common = {"figure": figure, "dataset": DATASETS[start], "method": method}
        if kind.removeprefix("num_candidates_") in BY_NUMBER and kind.startswith("num_candidates_"):
            criterion, tau = BY_NUMBER[kind.removeprefix("num_candidates_")]
            extra = {"criterion": criterion, "tau": tau}
            rows += [
                common | extra | {"budget": k, "proposals": n, "value": v} for k, n, v in at_budgets(curve)
            ]
        elif kind in ("recall_100", "recall_1000", "recall_10000"):
            extra = {"criterion": "recall", "budget": int(kind.removeprefix("recall_"))}
            rows += [common | extra | {"tau": tau, "value": value} for tau, value in at_thresholds(curve)]
    table = pd.DataFrame(rows).replace({"figure": {"-": "not printed"}})
    table.insert(0, "paper", "Hosang et al.")
    columns = ["paper", "figure", "dataset", "method", "budget", "proposals", "criterion", "tau", "value"]
    return table[columns].round({"value": 5})


if __name__ == "__main__":
    published_curves(pd.read_csv(sys.argv[1])).to_csv(TARGET, index=False)
