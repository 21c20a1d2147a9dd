"""What a proposal function says of itself."""

from __future__ import annotations

from collections.abc import Callable


def traits(needs: str = "image", nested: bool = True, overhang: float = 0) -> Callable[[Callable], Callable]:
    """Mark a proposal function.

    Parameters
    ----------
    needs : {"image", "size"}
        "size": the function looks only at ``image.shape``, so it also runs on data sets without pictures.
    nested : bool
        True: the first k boxes of a larger request are the boxes of a request for k.
    overhang : float
        By how many pixels boxes may reach over the border of the image.

    Examples
    --------
    >>> @traits(needs="size")
    ... def whole_image(image, k, rng):
    ...     height, width = image.shape[:2]
    ...     return [[0, 0, width, height]], None
    >>> whole_image.needs
    'size'
    """

    def mark(function):
        function.needs = needs
        function.nested = nested
        function.overhang = overhang
        return function

    return mark
