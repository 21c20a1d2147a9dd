import numpy as np
import pandas as pd
import pytest

import propeval_lite as pe
from propeval_lite.figures import wang_hit_probability as figures
from propeval_lite.results import figure_svg


@pytest.mark.parametrize(("omega", "own"), [(pe.omega_min, (70, 50)), (pe.omega_max, (20, 30))])
def test_spans_hold_the_region_and_the_corner_that_gives_it(omega, own):
    region = omega((20, 30, 70, 50), 0.5)
    spans = figures.region_spans(region, 11)
    assert (spans["x"].iloc[0], spans["x"].iloc[-1]) == region.x_range
    assert set(zip(spans["partner_x"], spans["partner_y"], strict=True)) == {own}
    assert region.contains(spans["x"], (spans["low"] + spans["high"]) / 2).all()


def test_regions_lie_on_the_photograph():
    box = (20, 30, 70, 50)
    spans = pd.concat(figures.region_spans(omega(box, 0.5)) for omega in (pe.omega_min, pe.omega_max))
    photo = np.arange(80 * 110 * 3).reshape(80, 110, 3) % 256
    figure = figures.draw_regions(photo, box, spans)
    assert len(figure.axes) == 2
    for axis in figure.axes:
        # Pixel (0, 0) of the photograph covers the lattice from 1 to 2.
        left, right, bottom, top = axis.images[0].get_extent()
        assert (left, right) == (1, 111)
        rows = axis.images[0].get_array()
        assert bottom - top == len(rows)
        assert rows[0, 0] == pytest.approx(photo[int(top) - 1, 0].mean(), abs=2)
        low, high = sorted(axis.get_ylim())
        assert low < spans["low"].min()
        assert high > spans["high"].max()
    assert figure_svg(figure).startswith("<?xml")


def test_one_line_per_budget_and_data_set():
    rows = [(name, tau, k, k / (100 * tau)) for name in "ab" for k in (1, 10) for tau in (0.5, 0.8)]
    figure = figures.draw_chance_recall(pd.DataFrame(rows, columns=["dataset", "tau", "k", "mean"]))
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["1 draw", "10 draws", "a", "b"]
    assert sum(len(line.get_xdata()) > 0 for line in figure.axes[0].lines) == 4
