"""Pictures of OMA: what each panel holds, and where chance and the limits lie."""

import numpy as np
import pandas as pd
import pytest
from pictures import check_readable, line_labels

from propeval_lite.boxes.table import Overlaps
from propeval_lite.figures import wang_criteria as figures
from propeval_lite.figures.style import looks
from propeval_lite.studies.wang_criteria import criteria_curves, tiny_dataset

METHODS = ["uniform", "edge_boxes", "mine"]
LIMITS = ["chance", "best and worst possible"]


@pytest.fixture(scope="module")
def table():
    data = tiny_dataset(seed=1, images=5)
    iou = np.sort(np.random.default_rng(0).uniform(0.3, 1, (3, len(data.objects), 3)), axis=2)
    tables = {
        m: Overlaps.from_iou(part, [1, 10, 100], dataset=data) for m, part in zip(METHODS, iou, strict=True)
    }
    return criteria_curves(tables, 100, [0.5, 0.8])


def panels(figure):
    return {axis.get_title(): axis for axis in figure.axes}


def drawn(axis):
    """Lines with points by colour; seaborn adds empty ones for the legend."""
    return [line for line in axis.lines if len(line.get_xdata())]


def line_of(axis, method):
    (line,) = (line for line in drawn(axis) if line.get_color() == looks(METHODS)[method].colour)
    return line


def test_recall_stands_beside_oma_for_each_threshold(table):
    figure = figures.criteria_versus_number(table, [0.5, 0.8])
    assert list(panels(figure)) == [
        "recall at IoU 0.5", "OMA at IoU 0.5", "recall at IoU 0.8", "OMA at IoU 0.8",
        "average recall", "average OMA",
    ]  # fmt: skip
    # Methods and chance on the left; methods, 0 and the two limits on the right.
    assert [len(drawn(axis)) for axis in figure.axes] == [4, 6] * 3
    assert all(axis.get_xscale() == "log" for axis in figure.axes)
    part = table[(table["axis"] == "number") & (table["method"] == "edge_boxes")]
    for title, criterion, tau in (("OMA at IoU 0.8", "OMA", 0.8), ("average recall", "AR", None)):
        rows = part[
            (part["criterion"] == criterion) & (part["tau"].isna() if tau is None else part["tau"] == tau)
        ]
        assert line_of(panels(figure)[title], "edge_boxes").get_ydata().tolist() == rows["value"].tolist()
    low, high = panels(figure)["OMA at IoU 0.5"].get_ylim()
    values = table.loc[table["criterion"].isin(["OMA", "AO"]), "value"]
    assert low < values.min()
    assert high > values[table["axis"] == "number"].max()
    assert figure.axes[0].get_ylim() == (-0.02, 1.02)
    assert sorted(line_labels(figure)) == sorted([*METHODS, *LIMITS])
    assert figure.axes[-1].get_xlabel() == "candidates per image"
    check_readable(figure)


def test_chance_and_limits_are_those_of_the_table(table):
    axes = panels(figures.criteria_versus_number(table, [0.8]))
    rows = table[(table["axis"] == "number") & (table["tau"] == 0.8) & (table["method"] == "mine")]
    wide = rows.pivot_table("value", "budget", "criterion")
    chance = (wide["recall"] - wide["OMA"]).to_numpy()
    (dotted,) = (line for line in drawn(axes["recall at IoU 0.8"]) if line.get_color() == "0.35")
    assert np.allclose(dotted.get_ydata(), chance)
    limits = [line.get_ydata() for line in drawn(axes["OMA at IoU 0.8"]) if line.get_color() == "0.6"]
    assert np.allclose(limits, [1 - chance, -chance])


def test_recall_and_oma_against_iou(table):
    figure = figures.criteria_versus_iou(table, 1000)
    assert list(panels(figure)) == ["recall, 1,000 candidates", "OMA, 1,000 candidates"]
    assert [len(drawn(axis)) for axis in figure.axes] == [4, 6]
    rows = table[(table["axis"] == "IoU") & (table["method"] == "mine") & (table["criterion"] == "OMA")]
    line = line_of(figure.axes[1], "mine")
    assert line.get_xdata().tolist() == rows["tau"].tolist()
    assert line.get_ydata().tolist() == rows["value"].tolist()
    assert all(axis.get_xlim() == (0.5, 1) for axis in figure.axes)
    low, high = figure.axes[1].get_ylim()
    assert low < 0 < high
    assert sorted(line_labels(figure)) == sorted([*METHODS, *LIMITS])
    check_readable(figure)


def test_methods_without_a_name_are_grey_and_behind():
    rows = [(m, tau, 1 - tau + 0.1 * i, 0.2) for i, m in enumerate("abcde") for tau in (0.5, 0.75, 1.0)]
    table = pd.DataFrame(rows, columns=["method", "tau", "recall", "chance"]).eval("OMA = recall - chance")
    figure = figures.many_versus_iou(table, ["d", "b"])
    assert line_labels(figure) == ["d", "b", "other methods", *LIMITS]
    for axis in figure.axes:
        grey = [line for line in drawn(axis) if line.get_color() == "0.8"]
        assert len(grey) == 3
        assert max(line.get_zorder() for line in grey) < looks_zorder(axis)
    named = {line.get_color(): list(line.get_ydata()) for line in drawn(figure.axes[1])}
    assert named[looks("db")["b"].colour] == pytest.approx([0.4, 0.15, -0.1])
    check_readable(figure)


def looks_zorder(axis):
    colours = {look.colour for look in looks("db").values()}
    return min(line.get_zorder() for line in drawn(axis) if line.get_color() in colours)


def test_each_baseline_has_a_panel_with_itself_at_zero():
    rows = [(method, tau, baseline, oma) for baseline in ("uniform chance", "uniform prior")
            for oma, method in enumerate(METHODS) for tau in (0.5, 0.8)]  # fmt: skip
    figure = figures.less_each_baseline(pd.DataFrame(rows, columns=["method", "tau", "baseline", "OMA"]))
    assert list(panels(figure)) == ["recall less\nuniform chance", "recall less\nuniform prior"]
    for axis in figure.axes:
        assert [line.get_ydata()[0] for line in drawn(axis)] == [0, 1, 2, 0]
    assert line_labels(figure)[-1] == "the baseline itself"
    check_readable(figure)


def test_oma_stands_with_its_interval_and_the_best_possible():
    rows = [(data, method, tau, 0.6 - tau / 2, oma, oma - 0.1, oma + 0.2)
            for data, methods in (("here", ("m", "n")), ("there", ("n",)))
            for oma, method in enumerate(methods) for tau in (0.5, 0.8)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["data", "method", "IoU", "chance", "OMA", "low", "high"])
    figure = figures.oma_intervals(table)
    assert list(panels(figure)) == ["here", "there"]
    here, there = figure.axes
    assert [label.get_text() for label in here.get_yticklabels()] == ["m", "n"]
    first, second = here.containers
    assert first[0].get_xdata().tolist() == [0, 1]
    assert first[0].get_ydata().tolist() == pytest.approx([-0.15, 0.85])
    assert second[2][0].get_segments()[1][:, 0].tolist() == pytest.approx([0.9, 1.2])
    assert there.containers[0][0].get_ydata().tolist() == pytest.approx([0.85])
    marks = [line for line in here.lines if line.get_marker() == "|" and line.get_color() == "0.45"]
    assert [line.get_xdata().tolist() for line in marks] == [
        pytest.approx([0.65] * 2),
        pytest.approx([0.8] * 2),
    ]
    assert marks[1].get_ydata().tolist() == pytest.approx([0.15, 1.15])
    assert line_labels(figure) == ["IoU 0.5", "IoU 0.8", "chance", "best possible"]
    check_readable(figure)
