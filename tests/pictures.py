"""What every figure of the book must keep: text that can be read on a phone, and nothing cut off or empty."""

from matplotlib.text import Text

PHONE = 342  # pixels that a page on a phone has for a figure
SMALLEST = 7.5  # pixels


def texts(figure):
    """Every visible text of a figure that says something."""
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]


def check_readable(figure):
    """Fail if a text is too small on a phone, or if a panel is empty."""
    width = figure.get_size_inches()[0] * 72
    for text in texts(figure):
        size = text.get_fontsize() * PHONE / width
        assert size >= SMALLEST, f"{text.get_text()!r} is {size:.1f} pixels high on a phone"
    for axis in figure.axes:
        assert axis.has_data() or not axis.axison, f"empty panel {axis.get_title()!r}"


def line_labels(figure):
    """Labels of the figure's one legend."""
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]
