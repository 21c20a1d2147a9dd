"""Train the detector on the proposals of one data set, and let it find objects among those of another.

>>> import propeval_lite as pe
>>> from propeval_lite.detector import describe, detect, train
>>> scenes = pe.load_dataset("scenes", n=6, seed=1, width=96, height=72, categories=["van", "sailboat"])
>>> boxes = describe(scenes, pe.propose("uniform", scenes, 40, 0))
>>> detector = train(boxes)
>>> found = detect(detector, boxes)
>>> list(found.columns)
['image_id', 'category', 'score', 'x1', 'y1', 'x2', 'y2', 'proposal_row']

`found` goes to :func:`propeval_lite.average_precision`. ``detect(detector, boxes, nms=None)`` leaves all boxes, for
those who suppress by a rule of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import (
    check_flag,
    check_list,
    check_number,
    check_positive_int,
    check_threshold,
    check_type,
    fail,
)
from propeval_lite.boxes.nms import nms as suppress
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.detector.classifier import (
    DIGITS,
    Scaling,
    best_objects,
    no_examples,
    train_svm,
    training_rows,
)
from propeval_lite.detector.features import Described, check_described, describe, describe_objects
from propeval_lite.detector.regression import corrected, corrections, fit_corrections
from propeval_lite.proposals.container import Proposals


@dataclass(frozen=True, eq=False)
class Detector:
    """A trained detector: one linear score and one linear correction for each category.

    Parameters
    ----------
    categories : list
    weights, intercept : float64 array, (n_features, n_categories) and (n_categories,)
    changes, shifts : float64 array, (n_categories, n_features, 4) and (n_categories, 4)
        The corrections; all 0 for a category with too few boxes near its objects.
    scaling : Scaling
    report : DataFrame
        A row for each category: ``category, positives, negatives, corrections``, numbers of boxes.
    provenance : dict
    """

    categories: list
    weights: np.ndarray
    intercept: np.ndarray
    changes: np.ndarray
    shifts: np.ndarray
    scaling: Scaling
    report: pd.DataFrame
    provenance: dict = field(default_factory=dict)


def train(
    described: Described,
    categories=None,
    positive: float = 0.6,
    negative: float = 0.4,
    near: float = 0.5,
    cost: float = 1e-4,
    ridge: float = 1000.0,
    rounds: int = 2,
    most: int = 1000,
) -> Detector:
    """Train a detector on proposals and on the true boxes themselves.

    Parameters
    ----------
    described : Described
        From :func:`describe`. Objects marked ``ignore`` are no examples, and boxes near them are no counter-examples.
    categories : list, optional
        By default those of the objects; one without an object is an error.
    positive, negative : float
        From IoU `positive` on with an object of it a box is an example of a category, below `negative` a
        counter-example.
    near : float
        Corrections are learnt from boxes of at least this IoU.
    cost, rounds, most
        How the machines are trained: the weight of errors, how often hard negatives are added, how many at a time.
    ridge : float
        Penalty of the corrections.

    Returns
    -------
    Detector

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, §5.3 (training with the proposals of a method).
    """
    check_described(described)
    for name, value in (("positive", positive), ("negative", negative), ("near", near)):
        check_threshold(value, name)
    if negative > positive:
        got = f"negative={negative}, positive={positive}"
        raise fail("negative <= positive", got, "A box cannot be both.", "train")
    for name, value in (("cost", cost), ("ridge", ridge)):
        check_number(value, f"{name} to be a number above 0", lambda number: 0 < number < np.inf, "Use 1.")
    rounds, most = check_positive_int(rounds, "rounds", 0), check_positive_int(most, "most")
    dataset = described.dataset
    wanted = _categories(dataset, categories)
    true = describe_objects(dataset)
    ignored = dataset.objects["ignore"].to_numpy(dtype=bool)
    scaling = Scaling.of(np.vstack([described.features, true.features]))
    features, examples = scaling(described.features), scaling(true.features)
    edges = Frame.of(dataset).to_grid(described.proposals.boxes)
    targets = Frame.of(dataset).to_grid(true.proposals.boxes)
    n, d = len(wanted), features.shape[1]
    weights, intercept = np.zeros((d, n)), np.zeros(n)
    changes, shifts = np.zeros((n, d, 4)), np.zeros((n, 4))
    rows = []
    for k, category in enumerate(wanted):
        own = (dataset.objects["category"] == category).to_numpy()
        iou, row = best_objects(described, category)
        good, bad = training_rows(iou, positive, negative)
        good &= ~ignored[row] & (row >= 0)
        positives = np.vstack([examples[own & ~ignored], features[good]])
        negatives = np.vstack([features[bad], examples[~own & ~ignored]])
        if not len(negatives):
            got = f"{len(described)} boxes, none of which"
            raise fail(f"boxes that show no {category}", got, "Give more proposals.", "train")
        weights[:, k], intercept[k], used = train_svm(positives, negatives, cost, rounds, most)
        close = (iou >= near) & (row >= 0) & ~ignored[row]
        if close.sum() >= 2:
            wanted_change = corrections(edges[close], targets[row[close]])
            changes[k], shifts[k] = fit_corrections(features[close], wanted_change, ridge)
        rows.append((category, len(positives), used, int(close.sum()) if close.sum() >= 2 else 0))
    report = pd.DataFrame(rows, columns=["category", "positives", "negatives", "corrections"])
    provenance = {
        "dataset": dataset.name,
        "proposals": described.proposals.name,
        "constant features": scaling.constant,
        "positive": positive,
        "negative": negative,
        "near": near,
        "cost": cost,
        "ridge": ridge,
        "rounds": rounds,
    }
    return Detector(wanted, weights, intercept, changes, shifts, scaling, report, provenance)


def detect(
    detector: Detector,
    described: Described,
    proposals: Proposals | None = None,
    regression: bool = True,
    nms: float | None = 0.3,
) -> pd.DataFrame:
    """Score every box for every category, correct it, and suppress the weaker of two that overlap.

    Parameters
    ----------
    detector : Detector
    described : Described or Dataset
        Boxes with features, or a data set whose features are computed here for `proposals`.
    proposals : Proposals, optional
        Only beside a data set.
    regression : bool
        Whether boxes are corrected, before they are suppressed.
    nms : float or None
        Of the same category and image, a box goes when its IoU with a better one is larger; None keeps all.

    Returns
    -------
    DataFrame
        Columns ``image_id, category, score, x1, y1, x2, y2`` in the frame of the data set and ``proposal_row``, the row
        of ``proposals.boxes`` behind the box. By image, then category, then falling score. ``.attrs["left_out"]``
        reports images that the proposals' method left out.
    """
    check_type(detector, Detector, "a detector", "Make it with train(described).", "detector")
    check_flag(regression, "regression")
    if nms is not None:
        remedy = "It is an IoU; None suppresses nothing."
        check_number(nms, "nms to be None or a number from 0 to 1", lambda overlap: 0 <= overlap <= 1, remedy)
    if isinstance(described, Dataset):
        if proposals is None:
            raise fail(
                "proposals beside a data set", "none", "Give them, or describe(dataset, proposals).", "detect"
            )
        described = describe(described, proposals)
    check_described(described)
    dataset, boxes = described.dataset, described.proposals
    features = detector.scaling(described.features)
    scores = np.round(features @ detector.weights + detector.intercept, DIGITS)
    frame = Frame.of(dataset)
    sizes = dataset.images[["width", "height"]].to_numpy(dtype=np.float64)[described.image_row]
    tables = []
    for k in range(len(detector.categories)):
        found = boxes.boxes
        if regression:
            change = np.round(features @ detector.changes[k] + detector.shifts[k], DIGITS)
            found = frame.from_grid(corrected(frame.to_grid(found), change, sizes))
        for image in range(len(dataset.images)):
            rows = np.arange(boxes.offsets[image], boxes.offsets[image + 1])
            if not len(rows):
                continue
            if nms is None:
                kept = rows[np.argsort(-scores[rows, k], kind="stable")]
            else:
                kept = rows[suppress(found[rows], scores[rows, k], nms, pixels=dataset.pixels)]
            tables.append((image, k, kept, scores[kept, k], found[kept]))
    tables.sort(key=lambda part: part[:2])
    ids = dataset.images["image_id"]
    sizes_of = [len(part[2]) for part in tables]
    corners = np.concatenate([part[4] for part in tables]) if tables else np.empty((0, 4))
    table = pd.DataFrame(
        {
            "image_id": ids.array.take(np.repeat([part[0] for part in tables], sizes_of).astype(np.int64)),
            "category": np.repeat([detector.categories[part[1]] for part in tables], sizes_of),
            "score": np.concatenate([part[3] for part in tables]) if tables else np.empty(0),
            **dict(zip(BOX_COLUMNS, corners.T, strict=True)),
            "proposal_row": np.concatenate([part[2] for part in tables])
            if tables
            else np.empty(0, dtype=np.int64),
        }
    )
    table.attrs["left_out"] = list(boxes.provenance.get("left_out", []))
    return table


def _categories(dataset: Dataset, categories) -> list:
    """Return the categories to train, each with an object that counts."""
    objects = dataset.objects[~dataset.objects["ignore"].to_numpy(dtype=bool)]
    if categories is None:
        wanted = sorted(set(objects["category"].dropna()), key=str)
    else:
        wanted = check_list(categories, "a list of categories", "Name them.", "categories")
    if not wanted:
        raise fail("at least one category", "none", "Train on images with objects.", f"{dataset.name}")
    if len(set(wanted)) < len(wanted):
        got = ", ".join(map(repr, wanted))
        raise fail("each category once", got, "Remove the second one.", "categories")
    missing = no_examples(wanted, objects)
    if missing:
        got = f"no object of {', '.join(map(repr, missing))}"
        remedy = "Train on more images, or leave these categories out."
        raise fail("an example of every category", got, remedy, dataset.name)
    return wanted
