"""The figures of recall: their panels, lines, rows and legends, from tables made up here."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from pictures import check_readable, line_labels

from propeval_lite.figures import hosang_recall as figures
from propeval_lite.figures.style import LOOKS
from propeval_lite.studies.hosang_switchboard import SWITCHES, effects

BLIND = ("uniform", "gaussian")
LOOKING = ("edge_boxes", "mine")
TAUS = np.round(np.linspace(0.5, 1, 21), 3)
PAPER = {"kind": "integral", "matching": "greedy", "pixels": "edges", "ignore": "count"}


def recall(method, budget, tau):
    """Falls with the threshold, rises with the budget, and is another for each method."""
    return (1 - tau) * np.log10(budget) / 2 + 0.05 * (BLIND + LOOKING).index(method)


def summary(dataset="toy", methods=BLIND + LOOKING, budgets=(10, 100, 1000)):
    rows = [(m, k, "recall", tau, recall(m, k, tau)) for m, k, tau in product(methods, budgets, TAUS)]
    rows += [(m, k, "AR", np.nan, recall(m, k, 0.75)) for m, k in product(methods, budgets)]
    table = pd.DataFrame(rows, columns=["method", "budget", "criterion", "tau", "value"])
    return table.assign(dataset=dataset, low=table["value"] - 0.02, high=table["value"] + 0.03)


def lines(axis):
    return {
        (line.get_color(), tuple(np.round(line.get_ydata(), 9)))
        for line in axis.lines
        if len(line.get_xdata())
    }


def expected(methods, values):
    colours = {name: look.colour for names, look in LOOKS.items() for name in names}
    return {(colours[name], tuple(np.round([values(name)], 9).ravel())) for name in methods}


def titles(figure):
    return [axis.get_title() for axis in figure.axes]


def test_a_row_per_budget_looking_beside_blind():
    figure = figures.recall_versus_iou(summary(), [100, 10], {"edge_boxes", "mine", "not here"})
    assert titles(figure) == [
        "10 proposals: looking", "10 proposals: blind", "100 proposals: looking", "100 proposals: blind",
    ]  # fmt: skip
    assert sorted(line_labels(figure)) == sorted(BLIND + LOOKING)
    assert lines(figure.axes[3]) == expected(BLIND, lambda name: recall(name, 100, TAUS))
    assert len(lines(figure.axes[0])) == 2
    assert len(figure.axes[0].collections) == 2
    band = figure.axes[3].collections[0].get_paths()[0].get_extents()
    assert band.intervalx.tolist() == [0.5, 1]
    for axis in figure.axes:
        assert (axis.get_xlim(), axis.get_ylim()) == ((0.5, 1), (0, 1))
    check_readable(figure)


def test_blind_methods_alone_have_one_column():
    figure = figures.recall_versus_iou(summary(methods=BLIND), [10, 1000], {"edge_boxes"})
    assert titles(figure) == ["10 proposals: blind", "1,000 proposals: blind"]
    check_readable(figure)


def test_a_row_per_criterion_against_the_number():
    figure = figures.recall_versus_number(summary(), [0.5, 0.8], LOOKING)
    assert titles(figure) == [
        f"{what}: {who}"
        for what in ("recall at IoU 0.5", "recall at IoU 0.8", "average recall")
        for who in ("looking", "blind")
    ]
    budgets = np.array([10, 100, 1000])
    assert lines(figure.axes[3]) == expected(BLIND, lambda name: recall(name, budgets, 0.8))
    assert lines(figure.axes[5]) == expected(BLIND, lambda name: recall(name, budgets, 0.75))
    assert {axis.get_xscale() for axis in figure.axes} == {"log"}
    assert {axis.get_xlabel() for axis in figure.axes} == {"", "proposals per image"}
    check_readable(figure)


def test_three_panels_per_data_set_and_group():
    table = pd.concat([summary("zoo"), summary("boxes only", BLIND, (10, 100, 10_000))], ignore_index=True)
    figure = figures.other_datasets(table, 100, 0.8, LOOKING)
    grid = np.array(figure.axes).reshape(3, 3)
    assert [text.get_text() for row in grid for text in row[0].texts] == [
        "zoo, looking", "zoo, blind", "boxes only, blind",
    ]  # fmt: skip
    heads = [" ".join(axis.get_title().split()) for axis in grid.ravel()]
    assert heads == ["recall, 100 proposals", "recall at IoU 0.8", "average recall"] + [""] * 6
    assert [axis.get_xlabel() for axis in grid[-1]] == ["IoU threshold", "proposals", "proposals"]
    assert [axis.get_xscale() for axis in grid[1]] == ["linear", "log", "log"]
    budgets = np.array([10, 100, 10_000])
    assert lines(grid[2, 0]) == expected(BLIND, lambda name: recall(name, 100, TAUS))
    assert lines(grid[2, 1]) == expected(BLIND, lambda name: recall(name, budgets, 0.8))
    assert lines(grid[2, 2]) == expected(BLIND, lambda name: recall(name, budgets, 0.75))
    # 21 thresholds would leave no line between the marks.
    assert [axis.lines[0].get_markevery() for axis in grid[1]] == [5, 1, 1]
    assert grid[0, 1].get_xlim() == grid[2, 1].get_xlim() != grid[0, 0].get_xlim()
    check_readable(figure)


def test_a_budget_that_no_data_set_has_leaves_the_panels_of_numbers():
    figure = figures.other_datasets(summary(), 33, 0.5, LOOKING)
    assert [axis.get_xlabel() for axis in figure.axes[-2:]] == ["proposals", "proposals"]
    assert len(figure.axes) == 4


def test_data_sets_lie_side_by_side_in_the_row_of_a_method():
    rows = [("a", "x", 0.2), ("b", "x", 0.6), ("a", "y", 0.3)]
    table = pd.DataFrame(rows, columns=["method", "dataset", "value"])
    figure = figures.across_datasets(table.assign(low=table["value"] - 0.1, high=table["value"] + 0.05), 1000)
    (axis,) = figure.axes
    assert [text.get_text() for text in axis.get_yticklabels()] == ["b", "a"]
    assert line_labels(figure) == ["x", "y"]
    first, second = (container.lines[0] for container in axis.containers)
    assert first.get_xdata().tolist() == [0.6, 0.2]
    assert second.get_xdata().tolist() == [0.3]
    assert first.get_ydata()[1] < 1 < second.get_ydata()[0]
    assert axis.get_xlabel() == "average recall, 1,000 proposals"
    assert axis.get_xlim()[0] == 0
    check_readable(figure)


def test_sizes_have_a_panel_per_data_set_and_a_line_at_the_mean():
    low = np.array([0.0, 100.0, 200.0, 300.0])
    shares = {"far": [0.5, 0.25, 0.25, 0.0], "near": [0.0, 0.0, 0.5, 0.5]}
    table = pd.concat(pd.DataFrame({"dataset": name, "low": low, "high": low + 100, "share": share,
                                    "objects": np.array(share) * 4000})
                      for name, share in shares.items())  # fmt: skip
    table["objects"] = table["objects"].astype(int)
    figure = figures.size_histograms(table, pd.Series({"near": 300, "far": 125}))
    assert titles(figure) == ["far\n4,000 objects, mean 125 px", "near\n4,000 objects, mean 300 px"]
    for axis, share, mean in zip(figure.axes, shares.values(), (125, 300), strict=True):
        bars = sorted((bar.get_x(), bar.get_height()) for bar in axis.patches)
        assert bars == [(x, pytest.approx(height)) for x, height in zip(low, share, strict=True)]
        assert axis.lines[0].get_xdata()[0] == mean
        assert axis.get_xlim() == (0, 400)
    check_readable(figure)


def test_a_panel_per_published_method_with_our_marks_in_it():
    rows = [(f"method {m}", k, line, m / 10 + k / 1e5) for m in range(6) for k in (10, 1000) for line in "ab"]
    table = pd.DataFrame(rows, columns=["method", "budget", "line", "value"])
    ours = table[table["method"] == "method 2"].rename(columns={"value": "here"})
    figure = figures.published_curves(table, "budget", "line", ours)
    shown = [axis for axis in figure.axes if axis.axison]
    assert [axis.get_title() for axis in shown] == [f"method {m}" for m in (5, 4, 3, 2, 1, 0)]
    marks = [
        sum(line.get_linestyle() == "None" and len(line.get_xdata()) for line in axis.lines) for axis in shown
    ]
    assert marks == [0, 0, 0, 4, 0, 0]
    curve = next(line for line in shown[0].lines if len(line.get_xdata()))
    assert curve.get_ydata() == pytest.approx([0.5001, 0.51])
    assert line_labels(figure) == ["a", "b"]
    check_readable(figure)
    by_iou = table.rename(columns={"budget": "tau"}).assign(tau=lambda rows: rows["tau"] / 1000)
    assert figures.published_curves(by_iou, "tau", "line").axes[0].get_xscale() == "linear"


def board():
    """The AR of two methods moves with the kind; with inclusive pixels they change places."""
    rows = []
    for place in product(*SWITCHES.values()):
        setting = dict(zip(SWITCHES, place, strict=True))
        shift = {"integral": 0.0, "coco": 0.1, "sum": -0.05}[setting["kind"]]
        high, low = (0.4, 0.5) if setting["pixels"] == "inclusive" else (0.5, 0.4)
        known = setting["kind"] != "integral" or setting["matching"] != "coco"
        for method, value in (("uniform", low), ("mine", high)):
            rows.append({**setting, "method": method, "AR": value + shift if known else np.nan})
    return effects(pd.DataFrame(rows), PAPER)


def test_a_cell_for_every_combination():
    figure = figures.every_combination(board())
    (axis,) = figure.axes
    rows = [text.get_text() for text in axis.get_yticklabels()]
    assert rows[:2] == ["greedy, count, edges", "greedy, exclude, edges"]
    assert len(rows) == 24
    assert [text.get_text() for text in axis.get_xticklabels()] == ["integral", "coco", "sum"]
    cells = {
        (rows[int(text.get_position()[1])], int(text.get_position()[0])): text.get_text()
        for text in axis.texts
    }
    assert cells["greedy, count, edges", 0] == "+0.000"
    assert cells["best, absorb, edges", 1] == "+0.100"
    assert cells["best, absorb, inclusive", 1] == "+0.200 (1)"
    colours = axis.collections[0]
    assert colours.get_clim() == pytest.approx((-0.2, 0.2))
    assert np.ma.getmaskarray(colours.get_array()).reshape(24, 3).sum(axis=0).tolist() == [6, 0, 0]
    check_readable(figure)


def test_dots_for_every_setting_and_a_ring_around_the_papers():
    table = board()
    figure = figures.board_ranges(table, ["uniform", "mine"], PAPER)
    (axis,) = figure.axes
    assert [text.get_text() for text in axis.get_yticklabels()] == ["mine", "uniform"]
    assert sorted(line_labels(figure)) == ["coco", "integral", "sum", "the paper's setting"]
    dots = np.concatenate([part.get_offsets() for part in axis.collections])
    assert len(dots) == 2 * len(table)
    ring = next(line for line in axis.lines if line.get_label() == "the paper's setting")
    assert ring.get_xdata() == pytest.approx([0.5, 0.4])
    for point in ring.get_xydata():
        assert np.isclose(dots, point).all(axis=1).any()
    check_readable(figure)


def test_published_values_are_hollow_on_the_row_of_ours():
    rows = [("AR", "Uniform", 0.3, 0.35), ("AR", "Bing", 0.2, 0.5), ("recall at 0.5", "Bing", 0.8, 0.35)]
    table = pd.DataFrame(rows, columns=["criterion", "method", "paper", "here"])
    figure = figures.beside_published(table.assign(low=table["here"] - 0.1, high=table["here"] + 0.1))
    (axis,) = figure.axes
    assert [text.get_text() for text in axis.get_yticklabels()] == ["Bing", "Uniform"]
    assert line_labels(figure) == ["AR", "recall at 0.5"]
    hollow = [line for line in axis.lines if line.get_markerfacecolor() == "white"]
    assert [line.get_xdata().tolist() for line in hollow] == [[0.2, 0.3], [0.8]]
    for line, container in zip(hollow, axis.containers, strict=True):
        ours = container.lines[0]
        assert line.get_ydata().tolist() == ours.get_ydata().tolist()
        assert (line.get_marker(), line.get_color()) == (ours.get_marker(), ours.get_color())
    check_readable(figure)
