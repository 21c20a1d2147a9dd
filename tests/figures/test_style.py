"""The look of the book: a method looks the same everywhere, text can be read on a phone, a legend hides nothing."""

import matplotlib
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.lines import Line2D
from pictures import check_readable, line_labels

from propeval_lite.figures.panels import curves, equal_f_lines, intervals, legend_below
from propeval_lite.figures.style import COLOURS, LOOKS, STYLE, looks, new_figure, seaborn_looks, styled

KNOWN = [name for names in LOOKS for name in names]


@given(st.lists(st.sampled_from(KNOWN), unique=True), st.lists(st.text(min_size=1), max_size=20, unique=True))
def test_a_method_looks_the_same_in_any_company_and_no_two_alike(known, guests):
    found = looks([*guests, *known])
    assert len(set(found.values())) == len(found) == len({*known, *guests})
    families = [next(names for names in LOOKS if name in names) for name in known]
    for name, names in zip(known, families, strict=True):
        assert found[name].colour == LOOKS[names].colour
        alike = [other for other in families if LOOKS[other] == LOOKS[names]]
        if len(alike) == 1:
            assert found[name] == LOOKS[names]


def test_seaborn_is_told_every_method():
    told = seaborn_looks(["uniform", "mine"])
    assert told["hue_order"] == told["style_order"] == list(told["palette"]) == ["uniform", "mine"]
    assert told["palette"]["mine"] in COLOURS


def test_the_theme_holds_inside_and_leaves_the_reader_alone():
    before = dict(matplotlib.rcParams)
    inside = styled(lambda: matplotlib.rcParams["font.size"])()
    assert inside == STYLE["font.size"]
    assert dict(matplotlib.rcParams) == before


def table():
    rows = [(method, f"{k} boxes", x, x / k + i, x / k + i - 0.1, x / k + i + 0.2)
            for i, method in enumerate(("uniform", "mine")) for k in (10, 100, 1000) for x in (1, 2, 4)]  # fmt: skip
    return pd.DataFrame(rows, columns=["method", "budget", "x", "value", "low", "high"])


def test_curves_have_a_panel_per_value_a_line_per_method_and_their_bands():
    grid = curves(table().sample(frac=1, random_state=0), "x", panels="budget", log=True)
    assert set(grid.axes_dict) == {"10 boxes", "100 boxes", "1000 boxes"}
    axis = grid.axes_dict["100 boxes"]
    drawn = {line.get_label(): line for line in axis.lines if len(line.get_xdata())}
    assert len(drawn) == 2 and axis.get_xscale() == "log"
    heights = sorted(line.get_ydata().tolist() for line in axis.lines if len(line.get_xdata()))
    assert heights == [[0.01, 0.02, 0.04], [1.01, 1.02, 1.04]]
    bands = sorted(part.get_paths()[0].get_extents().intervaly.tolist() for part in axis.collections)
    assert bands == [pytest.approx([0.01 - 0.1, 0.04 + 0.2]), pytest.approx([0.91, 1.24])]
    assert sorted(line_labels(grid.figure)) == ["mine", "uniform"]
    check_readable(grid.figure)


def test_intervals_stand_in_order_of_their_values():
    data = table().query("x == 4 and budget == '10 boxes'")
    figure, axis = intervals(data, "value", "method")
    assert [label.get_text() for label in axis.get_yticklabels()] == ["mine", "uniform"]
    (line, _, (bars,)) = axis.containers[0]
    assert line.get_xdata().tolist() == [1.4, 0.4]
    assert bars.get_segments()[0][:, 0].tolist() == pytest.approx([1.3, 1.6])
    check_readable(figure)


def test_intervals_side_by_side_have_a_legend():
    figure, axis = intervals(table().query("x == 4"), "value", "method", hue="budget")
    assert len(axis.containers) == 3
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "10 boxes",
        "100 boxes",
        "1000 boxes",
    ]
    check_readable(figure)


def test_intervals_in_panels_share_their_rows():
    _, axes = intervals(table().query("x == 4"), "value", "method", panels="budget")
    assert list(axes) == ["10 boxes", "100 boxes", "1000 boxes"]
    assert [label.get_text() for label in axes["10 boxes"].get_yticklabels()] == ["mine", "uniform"]
    (line, _, _) = axes["100 boxes"].containers[0]
    assert line.get_xdata().tolist() == [1.04, 0.04]
    assert axes["1000 boxes"].get_ylim() == axes["10 boxes"].get_ylim() == (1.5, -0.5)


def test_long_names_of_panels_do_not_run_into_each_other():
    long = table().query("x == 4").replace({"budget": {"10 boxes": "scenes?n=4&seed=2&width=90&height=120"}})
    _, axes = intervals(long[long["budget"] != "100 boxes"], "value", "method", panels="budget")
    titles = [axis.get_title() for axis in axes.values()]
    assert titles == ["scenes?n=4&seed=2&widt\nh=90&height=120", "1000 boxes"]


def test_a_legend_takes_further_entries():
    grid = curves(table(), "x", panels="budget")
    legend_below(grid, columns=2, more=[Line2D([], [], label="chance")])
    assert line_labels(grid.figure) == ["uniform", "mine", "chance"]


def test_lines_of_equal_f():
    _, axis = new_figure()
    equal_f_lines(axis, (0.5,))
    recall, precision = axis.lines[0].get_data()
    assert 2 * precision * recall / (precision + recall) == pytest.approx(0.5)


def test_text_too_small_for_a_phone_is_noticed():
    figure, axis = new_figure()
    axis.set_xlabel("tiny", fontsize=6)
    with pytest.raises(AssertionError, match="tiny"):
        check_readable(figure)
