"""Pictures of two data sets: a row of panels per method, the gap filled; distances around the diagonal."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from pictures import check_readable, line_labels

from propeval_lite.figures import wang_between_datasets as figures

METHODS = ("uniform", "mine")
KINDS = {"recall": 0.8, "OMA": 0.2, "AR": 0.6, "AO": 0.1}


@pytest.fixture(scope="module")
def table():
    rows = []
    for dataset, shift in (("few", 0.1), ("multiple", 0.0)):
        for i, method in enumerate(METHODS):
            for name, level in KINDS.items():
                height = level + shift + 0.05 * i
                if name in ("recall", "OMA"):
                    rows += [
                        (dataset, method, "IoU", name, tau, 100, height - tau / 10) for tau in (0.5, 0.75, 1)
                    ]
                    rows += [(dataset, method, "number", name, 0.7, k, 9) for k in (1, 10, 100)]
                tau = 0.8 if name in ("recall", "OMA") else np.nan
                rows += [(dataset, method, "number", name, tau, k, height + k / 1000) for k in (1, 10, 100)]
    return pd.DataFrame(rows, columns=["dataset", "method", "axis", "criterion", "tau", "budget", "value"])


def lines(axis, kind):
    """Lines of one colour by whether they are dashed."""
    found = [line for line in axis.lines if to_rgb(line.get_color()) == to_rgb(figures.KINDS[kind])]
    return {line.is_dashed(): line.get_xydata().tolist() for line in found}


def test_each_method_has_a_row_of_three_panels(table):
    figure = figures.two_datasets(table, ["few", "multiple"], 0.8)
    axes = np.array(figure.axes).reshape(len(METHODS), 3)
    assert [axis.get_title() for axis in axes[0]] == ["IoU 0.8", "averages", "by IoU"]
    assert [row[0].texts[0].get_text() for row in axes] == list(METHODS)
    assert [axis.get_xscale() for axis in axes[1]] == ["log", "log", "linear"]
    assert [axis.get_xlabel() for axis in axes[1]] == ["candidates", "candidates", "IoU threshold"]
    assert axes[0, 2].get_xlim() == (0.5, 1)
    # Two curves of recall, two of OMA, and 0.
    assert all(len(axis.lines) == 5 for axis in figure.axes)
    assert line_labels(figure) == ["recall", "OMA", "few", "multiple"]
    check_readable(figure)


@pytest.mark.parametrize(
    ("column", "kind", "level"), [(0, "recall", 0.8), (0, "OMA", 0.2), (1, "recall", 0.6), (1, "OMA", 0.1)]
)
def test_the_first_data_set_is_solid_and_the_second_dotted(table, column, kind, level):
    figure = figures.two_datasets(table, ["few", "multiple"], 0.8)
    found = lines(figure.axes[3 + column], kind)
    for is_dashed, shift in ((False, 0.1), (True, 0.0)):
        expected = [(k, level + shift + 0.05 + k / 1000) for k in (1, 10, 100)]
        assert np.allclose(found[is_dashed], expected)


def test_the_gap_between_the_curves_is_filled(table):
    figure = figures.two_datasets(table, ["few", "multiple"], 0.8)
    oma, recall = sorted(figure.axes[2].collections, key=lambda part: part.get_paths()[0].get_extents().y0)
    assert recall.get_paths()[0].get_extents().intervaly.tolist() == pytest.approx([0.7, 0.85])
    assert oma.get_paths()[0].get_extents().intervaly.tolist() == pytest.approx([0.1, 0.25])
    assert recall.get_paths()[0].get_extents().intervalx.tolist() == [0.5, 1]


def test_distances_lie_around_the_diagonal():
    curves = ["recall → OMA vs number", "recall → OMA vs IoU"]
    rows = [(source, m, curve, 10.0 + i, 5.0 + i)
            for source in ("paper, Table 2", "here") for i, m in enumerate("ab") for curve in curves]  # fmt: skip
    table = pd.DataFrame(rows, columns=["source", "method", "curve", "recall", "OMA"])
    figure = figures.distances(table)
    assert [axis.get_title() for axis in figure.axes] == ["recall → OMA\nvs number", "recall → OMA\nvs IoU"]
    for axis in figure.axes:
        points = np.concatenate([part.get_offsets() for part in axis.collections])
        assert points.tolist() == [[10, 5], [11, 6]] * 2
        assert axis.get_xlim() == axis.get_ylim() == pytest.approx((0, 12.1))
        assert axis.get_aspect() == 1
    assert figure.axes[0].get_ylabel() == "distance, OMA"
    assert line_labels(figure) == ["paper, Table 2", "here"]
    check_readable(figure)
