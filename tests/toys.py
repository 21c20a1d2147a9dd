"""Small data sets for tests of many modules."""

import numpy as np
import pandas as pd

from propeval_lite.datasets.base import Dataset


def toy(n=7, pixels="edges", origin=0, pictures=True, seed=0):
    """Make `n` small images with one to four whole-number boxes each, in the frame asked for."""
    rng = np.random.default_rng(seed)
    images = pd.DataFrame({"image_id": [f"i{k}" for k in range(n)], "width": 60, "height": 40})
    rows = []
    for image in images["image_id"]:
        for number in range(rng.integers(1, 5)):
            x, y = rng.integers(0, 30), rng.integers(0, 20)
            w, h = rng.integers(8, 30), rng.integers(8, 20)
            last = origin - (pixels == "inclusive")
            rows.append((image, number, "ab"[number % 2], x + origin, y + origin, x + w + last, y + h + last))
    columns = ["image_id", "object_id", "category", "x1", "y1", "x2", "y2"]
    objects = pd.DataFrame(rows, columns=columns).assign(ignore=False)
    read = (lambda image_id: np.full((40, 60, 3), int(image_id[1:]), np.uint8)) if pictures else None
    return Dataset("toy", images, objects, pixels=pixels, origin=origin, read_image=read)


def one_hidden():
    """Make twelve images in which every object numbered 1 shows only two fifths of itself."""
    data = toy(12)
    objects = data.objects.assign(visible=np.where(data.objects["object_id"] == 1, 0.4, 1.0))
    return Dataset("toy", data.images, objects)


def fails_on_some(image, k, rng):
    """A method that gives two boxes, and no answer where the first pixel has an odd sum."""
    if image[0, 0].sum() % 2:
        raise RuntimeError("no")
    return np.array([[0.0, 0, image.shape[1], image.shape[0]], [1, 1, 20, 20]]), None
