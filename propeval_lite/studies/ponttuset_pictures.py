"""One picture at a time: measures by hand, kinds of regions, the freedom of matchings, segmentations side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from propeval_lite._checks.values import check_positive_int
from propeval_lite._kernels.boundaries import neighbours_within
from propeval_lite.datasets import Dataset
from propeval_lite.meta.swaps import fit_labels
from propeval_lite.partitions import classify_regions, fb, fop
from propeval_lite.partitions.boundaries import BoundaryCounts, contours, fb_counts, offsets_within
from propeval_lite.partitions.measures import find_measure
from propeval_lite.segmenters import find_segmenter

SYMBOLS = {"fb": "$F_b$", "fop": "$F_{op}$"}


def symbol(name: str) -> str:
    """Notation of a measure in the paper, such as PRI.

    Examples
    --------
    >>> symbol("pri")
    'PRI'
    """
    return find_measure(name).symbol


def list_by_hand(by_hand: Mapping[str, str], scores: pd.Series, exchanged: pd.Series) -> pd.DataFrame:
    """List measures with their range and direction, the arithmetic done by hand, and the values of the library.

    Parameters
    ----------
    by_hand : mapping
        Measure to arithmetic.
    scores, exchanged : Series
        From `partition_scores`; in the second the sides are exchanged.

    Examples
    --------
    >>> list_by_hand({"bgm": "1 - 2 * 3 / 8"}, pd.Series({"bgm": 0.25}), pd.Series({"bgm": 0.25})).iloc[0].tolist()[:4]
    ['BGM', '0 to 1', 'lower', '1 - 2·3/8']
    """
    rows = []
    for name, text in by_hand.items():
        measure = find_measure(name)
        top = "log₂ N" if math.isinf(measure.high) else f"{measure.high:g}"
        better = "higher" if measure.higher_is_better else "lower"
        written = text.replace(" * ", "·").replace(" / ", "/")
        span = f"{measure.low:g} to {top}"
        rows.append((measure.symbol, span, better, written, scores[name], exchanged[name]))
    return pd.DataFrame(rows, columns=["measure", "range", "better", "by hand", "value", "sides exchanged"])


def regions_of_pairs(together: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Label picture of a partition that is known by its pairs of pixels only: whether two lie in one region.

    Examples
    --------
    >>> regions_of_pairs(np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]]), (1, 3)).tolist()
    [[0, 1, 0]]
    """
    return connected_components(coo_array(together), directed=False)[1].reshape(shape)


def regions_of_contour(below: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Label picture of a partition that is known by its contour only: which neighbours it separates.

    Parameters
    ----------
    below, right : bool array, shapes (height - 1, width) and (height, width - 1)
        Whether a piece of contour lies between a pixel and the one below, and the one to the right.

    Examples
    --------
    >>> regions_of_contour(np.zeros((0, 3), dtype=bool), np.array([[True, False]])).tolist()
    [[0, 1, 1]]
    """
    shape = (right.shape[0], below.shape[1])
    number = np.arange(np.prod(shape)).reshape(shape)
    pairs = [(number[:-1][~below], number[1:][~below]), (number[:, :-1][~right], number[:, 1:][~right])]
    row, column = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    joined = coo_array((np.ones(len(row), dtype=np.int8), (row, column)), shape=(number.size, number.size))
    return connected_components(joined, directed=False)[1].reshape(shape)


def matching_spread(
    partition: object, truths: Iterable, trials: int, tolerance: float = 0.0075, seed: int = 0
) -> pd.DataFrame:
    """Boundary counts when the maximum matching is picked blindly, several times.

    Parameters
    ----------
    partition, truths, tolerance
        See `fb`; label arrays.
    trials : int
        How often every contour is matched, its pixels in another random order.
    seed : int
        Of the orders.

    Returns
    -------
    DataFrame
        Columns ``trial, matched_truth, matched_partition``. All matchings have the most pairs that are possible, so
        that the first count is always the same. The second counts the pixels matched in at least one truth: it depends
        on which of the equally large matchings is taken.
    """
    check_positive_int(trials, "trials")
    found = contours(partition)
    offsets = offsets_within(found.shape, tolerance)
    graphs = [_pairs(found, contours(truth), offsets) for truth in truths]
    rng = np.random.default_rng(seed)
    rows = []
    for trial in range(trials):
        taken = np.zeros(int(found.sum()), dtype=bool)
        pairs = 0
        for graph in graphs:
            order, other = (rng.permutation(n) for n in graph.shape)
            partner = maximum_bipartite_matching(graph[order][:, other].tocsr(), perm_type="column")
            taken[order[partner >= 0]] = True
            pairs += int((partner >= 0).sum())
        rows.append((trial, pairs, int(taken.sum())))
    return pd.DataFrame(rows, columns=["trial", "matched_truth", "matched_partition"])


def ranges_by_tolerance(data: Dataset, image_ids: Sequence, tolerances: Sequence[float]) -> pd.DataFrame:
    """F of boundaries of first annotators, judged by the others of their picture and by those of the next one.

    Parameters
    ----------
    data : Dataset
        With several partitions per picture.
    image_ids : sequence
        The pictures; the last is followed by the first.
    tolerances : sequence of float
        See `fb`.

    Returns
    -------
    DataFrame
        Columns ``tolerance, human``, ``human, swapped`` and ``range``, their difference.
    """
    drawn = [data.partitions(image_id) for image_id in image_ids]
    # Nobody judges himself; on the next picture everybody does.
    juries = {
        "human": [one[1:] for one in drawn],
        "human, swapped": [[fit_labels(other, one[0].shape) for other in after]
                           for one, after in zip(drawn, drawn[1:] + drawn[:1], strict=True)],
    }  # fmt: skip
    table = pd.DataFrame({"tolerance": list(tolerances)})
    for name, judges in juries.items():
        counts = [[fb_counts(one[0], jury, t) for one, jury in zip(drawn, judges, strict=True)]
                  for t in tolerances]  # fmt: skip
        table[name] = [BoundaryCounts(*map(sum, zip(*rows, strict=True))).scores()[0] for rows in counts]
    return table.assign(range=table["human"] - table["human, swapped"])


def kinds(classes: pd.DataFrame) -> dict:
    """Kind of every region of one side of `classify_regions`, by label."""
    return classes.set_index("label")["kind"].to_dict()


def list_kinds(classes) -> pd.DataFrame:
    """Regions of both sides of `classify_regions` with one truth, in one table with a column ``side``."""
    truth = classes.truth.assign(side="truth").drop(columns="truth")
    return pd.concat([truth, classes.partition.assign(side="partition")])


def kinds_by_gamma(
    partition: np.ndarray, truths: Sequence[np.ndarray], gammas: Sequence[float]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Classify the regions of a partition at several object thresholds.

    Returns
    -------
    regions, scores : DataFrame
        Rows of `classify_regions` with a column ``gamma_object``; and ``gamma_object, f, precision, recall``.
    """
    tables = [
        classify_regions(partition, truths, gamma_object=gamma).partition.assign(gamma_object=gamma)
        for gamma in gammas
    ]
    scores = [(gamma, *fop(partition, truths, gamma_object=gamma)) for gamma in gammas]
    columns = ["gamma_object", "f", "precision", "recall"]
    return pd.concat(tables, ignore_index=True), pd.DataFrame(scores, columns=columns)


def kind_panels(
    image: np.ndarray,
    partition: np.ndarray,
    truths: Sequence[np.ndarray],
    regions: pd.DataFrame,
    scores: pd.DataFrame,
    step: int = 1,
) -> list[dict]:
    """Panels of a picture, of its last truth, and of a partition once per threshold, with the kinds of regions.

    Parameters
    ----------
    regions, scores : DataFrame
        From `kinds_by_gamma`.
    step : int
        Show every so many pixels.
    """
    small = (slice(None, None, step), slice(None, None, step))
    last = classify_regions(partition, truths).truth
    last = last[last["truth"] == len(truths) - 1]
    panels = [
        {"title": "photograph", "image": image[small]},
        {"title": "finest truth, γ = 0.9", "labels": truths[-1][small], "kinds": kinds(last)},
    ]
    for row in scores.itertuples():
        title = f"γ = {row.gamma_object:g}: P {row.precision:.2f}, R {row.recall:.2f}, F {row.f:.2f}"
        here = kinds(regions[regions["gamma_object"] == row.gamma_object])
        panels.append({"title": title, "labels": partition[small], "kinds": here})
    return [{"image": image[small], **panel} for panel in panels]


def made_discs() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Six discs, and three partitions of them that the two measures rank differently (after figure 12).

    Returns
    -------
    truth : int array, shape (120, 180)
    partitions : dict
        By name: rings with a gap, so that disc and background are one region; boxes inside the discs; longer
        boxes that stick out.
    """
    rows, columns = np.mgrid[:120, :180]
    truth, leaking, inner, outer = (np.zeros(rows.shape, dtype=int) for _ in range(4))
    for number, (row, column) in enumerate(product((30, 90), (30, 90, 150)), start=1):
        radius, angle = np.hypot(rows - row, columns - column), np.arctan2(rows - row, columns - column)
        truth[radius < 24] = number
        leaking[(radius >= 23) & (radius < 25) & (np.abs(angle) > 0.15)] = number
        for target, half in ((inner, 17), (outer, 27)):
            target[(np.abs(rows - row) <= 13) & (np.abs(columns - column) <= half)] = number
    return truth, {"contours with a gap": leaking, "boxes inside": inner, "longer boxes": outer}


def disc_panels(truth: np.ndarray, made: Mapping[str, np.ndarray], scores: pd.DataFrame) -> list[dict]:
    """Panels of `made_discs`, titled with both scores (index: the names of the partitions)."""
    grey = np.repeat(np.where(truth > 0, 90, 200)[..., None], 3, axis=2).astype(np.uint8)
    panels = [{"title": "truth", "image": grey, "labels": truth}]
    for name, labels in made.items():
        panels.append(
            {"title": f"{name}\n{_both(scores.loc[name].to_dict())}", "image": grey, "labels": labels}
        )
    return panels


def panels_at_scales(
    data: Dataset, image_id, methods: Sequence, scales: pd.DataFrame, seed: int = 0
) -> tuple[list[dict], pd.DataFrame]:
    """Panels of a picture, of its finest truth, and of each method's partitions at the scale best for each measure.

    Parameters
    ----------
    methods : sequence of str, callable or Segmenter
        See `find_segmenter`.
    scales : DataFrame
        Columns ``dataset, method, measure, parameter``.
    seed : int
        Of the random baseline.

    Returns
    -------
    panels : list of dict
        For :func:`propeval_lite.figures.segmentations.draw_pictures`.
    table : DataFrame
        Columns ``dataset, image_id, method, measure, parameter, regions, F``.
    """
    picture, truths = data.image(image_id), data.partitions(image_id)
    fine = max(truths, key=lambda labels: len(np.unique(labels)))
    panels = [
        {"title": "picture", "image": picture},
        {"title": "finest truth", "image": picture, "labels": fine},
    ]
    rows = []
    for method in map(find_segmenter, methods):
        best = scales[(scales["dataset"] == data.name) & (scales["method"] == method.name)]
        for measure, value in zip(best["measure"], best["parameter"], strict=True):
            labels = method.partitions(data, image_id, [value], seed)[0]
            f = (fb if measure == "fb" else fop)(labels, truths)[0]
            regions = int(labels.max()) + 1
            short = method.name.replace("merged_superpixels", "merged")
            title = f"{short}, {SYMBOLS[measure]} {f:.2f}\n{regions} region{'s' * (regions > 1)}"
            panels.append({"title": title, "image": picture, "labels": labels})
            rows.append((data.name, image_id, method.name, measure, value, regions, f))
    columns = ["dataset", "image_id", "method", "measure", "parameter", "regions", "F"]
    return panels, pd.DataFrame(rows, columns=columns)


def panels_of_rows(data: Dataset, rows: pd.DataFrame, methods: Sequence, seed: int = 0) -> list[dict]:
    """Panels of partitions and their pictures side by side, titled with both scores.

    Parameters
    ----------
    rows : DataFrame
        Columns ``image_id, method, parameter, fb, fop``.
    """
    found = {method.name: method for method in map(find_segmenter, methods)}
    panels = []
    for row in rows.to_dict("records"):
        picture = data.image(row["image_id"])
        labels = found[row["method"]].partitions(data, row["image_id"], [row["parameter"]], seed)[0]
        title = f"{row['method']}\n{_both(row)}"
        panels.append({"title": row["image_id"], "image": picture})
        panels.append({"title": title, "image": picture, "labels": labels})
    return panels


def _both(scores: Mapping) -> str:
    return ", ".join(f"{symbol} {scores[name]:.2f}" for name, symbol in SYMBOLS.items())


def _pairs(contour: np.ndarray, truth: np.ndarray, offsets: np.ndarray):
    """Pixels of a contour (rows) that may be matched to pixels of the truth's (columns)."""
    start, edges, _, n_truth = neighbours_within(contour, truth, offsets)
    row = np.repeat(np.arange(len(start) - 1), np.diff(start))
    ones = np.ones(len(edges), dtype=np.int8)
    return coo_array((ones, (row, edges)), shape=(len(start) - 1, n_truth)).tocsr()
