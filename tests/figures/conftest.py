"""Every figure is closed after its test: pyplot keeps them all otherwise."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def no_figure_left_open():
    """Close what a test has drawn."""
    yield
    plt.close("all")
