"""Small folders laid out like the published contour maps and the authors' results."""

import numpy as np
from scipy.io import savemat


def write_contour_maps(folder, dataset):
    """Write a map per image: its first truth's contours at strength 0.5, in the doubled grid of the published ones."""
    folder.mkdir(parents=True)
    for image_id in dataset.images["image_id"]:
        labels = dataset.partitions(image_id)[0]
        # Pixels on either side of each cell of the doubled grid, once for rows and once for columns.
        before, after = (
            [np.clip((np.arange(2 * side + 1) - step) // 2, 0, side - 1) for side in labels.shape]
            for step in (1, 0)
        )
        corners = [labels[np.ix_(r, c)] for r in (before[0], after[0]) for c in (before[1], after[1])]
        ucm2 = 0.5 * (np.max(corners, axis=0) > np.min(corners, axis=0))
        savemat(folder / f"{image_id}.mat", {"ucm2": ucm2})


def write_ids(seism, image_ids):
    """Write the list of test images."""
    (seism / "gt_sets/BSDS500").mkdir(parents=True)
    (seism / "gt_sets/BSDS500/test.txt").write_text("\n".join(image_ids))


def write_scores(seism, method, measure, parameter, rows):
    """Write a method's scores at one parameter, a row per image."""
    folder = seism / "BSDS500" / method
    folder.mkdir(parents=True, exist_ok=True)
    np.savetxt(folder / f"test_{measure}_{parameter}.txt", rows)
