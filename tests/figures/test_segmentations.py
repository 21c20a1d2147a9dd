"""Pictures in a grid: mean colours of regions, contours, titles and shapes."""

import numpy as np
import pytest
from pictures import check_readable

from propeval_lite.figures.segmentations import draw_pictures, mean_colours, picture_grid

LABELS = np.repeat([[0] * 4 + [1] * 4], 6, axis=0)
IMAGE = np.repeat((40 * LABELS + 10 * np.arange(8)).astype(np.uint8)[..., None], 3, axis=2)


def test_regions_have_their_mean_colour_and_a_contour():
    shown = mean_colours(IMAGE, LABELS)
    # Contour pixels are those before the change; dark pictures have white ones.
    assert (shown[:, 3] == 1).all()
    assert shown[:, :3] == pytest.approx(np.mean([0, 10, 20, 30]) / 255)
    assert shown[:, 4:] == pytest.approx((40 + np.mean([40, 50, 60, 70])) / 255)
    assert (mean_colours(IMAGE + 150, LABELS)[:, 3] == 0).all()


def test_pictures_fill_rows_and_leave_the_rest_empty():
    panels = [{"title": "picture", "image": IMAGE}, {"title": "cut", "image": IMAGE, "labels": LABELS},
              {"title": "again", "image": IMAGE}]  # fmt: skip
    figure = draw_pictures(panels, 2)
    check_readable(figure)
    assert [axis.get_title() for axis in figure.axes] == ["picture", "cut", "again", ""]
    assert [len(axis.images) for axis in figure.axes] == [1, 1, 1, 0]
    np.testing.assert_array_equal(figure.axes[0].images[0].get_array(), IMAGE)
    np.testing.assert_allclose(figure.axes[1].images[0].get_array(), mean_colours(IMAGE, LABELS))
    assert not any(axis.axison for axis in figure.axes)


def test_the_grid_has_the_shape_of_its_pictures():
    tall, wide = ([{"title": "a", "labels": np.zeros(shape, dtype=int)}] for shape in ((90, 30), (30, 90)))
    heights = [picture_grid(panels, 1)[0].get_size_inches()[1] for panels in (tall, wide)]
    assert heights[0] - heights[1] == pytest.approx(5.8 * (3 - 1 / 3))
    longer = picture_grid([{**wide[0], "title": "a\nb"}], 1)[0]
    assert longer.get_size_inches()[1] > heights[1]
