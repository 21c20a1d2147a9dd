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


def write_conference(root, same=0.9, different=0.2):
    """Write a conference package of two images, 7 and 9, with two people each and two methods' worth of scores."""
    from propeval_lite.meta.seism import FILE_NAMES
    from propeval_lite.studies.ponttuset_meta_authors import METHODS

    lists, people = root / "bsds500", root / "results/human"
    for folder in (lists, people):
        folder.mkdir(parents=True)
    (lists / "ids_test.txt").write_text("7\n9\n")
    for side, rows, score in (
        ("same", ("7 1 7 2 0", "7 2 7 1 0", "9 1 9 2 0", "9 2 9 1 0"), same),
        ("diff", ("7 1 9 1 2", "7 2 9 1 2", "9 1 7 1 2", "9 2 7 1 2"), different),
    ):
        (lists / f"one_to_all_test_{side}_image_pairs.txt").write_text("\n".join(rows) + "\n")
        for name in FILE_NAMES.values():
            columns = 3 if name in ("fb", "fop", "fr") else 1
            np.savetxt(people / f"one_to_all_test_{side}_{name}.txt", np.full((4, columns), score))
    # At 0.1 a method has 0.7 and 0.8, at 0.2 less; the quadtree 0.75 and 0.1; swapped 0.7 and 0.9.
    levels = {"QuadTree": {"0.1": (0.75, 0.1)}}
    for method in METHODS:
        levels[method] = {"0.1": (0.7, 0.8), "0.2": (0.5, 0.6)}
        levels[f"{method}_swapped"] = {"0.1": (0.7, 0.9), "0.2": (0, 0)}
    for method, parameters in levels.items():
        (root / "results" / method).mkdir()
        for parameter, scores in parameters.items():
            for name in FILE_NAMES.values():
                columns = 3 if name in ("fb", "fop", "fr") else 1
                rows = np.repeat(np.array(scores)[:, None], columns, axis=1)
                np.savetxt(root / "results" / method / f"test_{name}_{parameter}.txt", rows)
