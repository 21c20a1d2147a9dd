"""A linear support vector machine for each category, trained on the boxes that it finds hardest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import fail
from propeval_lite._kernels.overlaps import pair_overlaps
from propeval_lite.datasets.frame import Frame
from propeval_lite.detector.features import Described

MARGIN = 1.0
DIGITS = 9  # of a score: the last bits of a sum depend on the number of threads


@dataclass(frozen=True, eq=False)
class Scaling:
    """Mean and spread of each feature among the boxes of training; a feature that never differs gets no say.

    Parameters
    ----------
    mean, factor : float64 array, (n_features,)
        `factor` is one over the standard deviation, 0 for a constant feature.
    """

    mean: np.ndarray
    factor: np.ndarray

    @classmethod
    def of(cls, features: np.ndarray) -> Scaling:
        """Scaling of the rows of `features`; all the same is an error."""
        mean, spread = features.mean(axis=0, dtype=np.float64), features.std(axis=0, dtype=np.float64)
        alive = spread > 1e-6
        if not alive.any():
            got = f"{len(features)} boxes with the same features"
            remedy = "Train on pictures that show something, with boxes in different places."
            raise fail("features that differ from box to box", got, remedy, "detector")
        return cls(mean, np.where(alive, 1 / np.where(alive, spread, 1), 0))

    @property
    def constant(self) -> int:
        """Number of features that have no say."""
        return int((self.factor == 0).sum())

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """Return the features in units of their spread."""
        return (features - self.mean) * self.factor


def best_objects(described: Described, category) -> tuple[np.ndarray, np.ndarray]:
    """IoU of each box with the object of a category that it overlaps most in its image, and that object's row.

    Returns
    -------
    iou : float64 array, (n,)
        0 where there is none.
    row : int64 array, (n,)
        In ``dataset.objects``; −1 where there is none.
    """
    dataset, proposals = described.dataset, described.proposals
    iou, row = np.zeros(len(described)), np.full(len(described), -1, dtype=np.int64)
    wanted = (dataset.objects["category"] == category).to_numpy()
    corners = dataset.objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)
    starts, extra = dataset.object_offsets, Frame.of(dataset).extra
    for image in np.unique(dataset.image_rows(dataset.objects["image_id"][wanted])):
        here = np.flatnonzero(wanted[starts[image] : starts[image + 1]]) + starts[image]
        boxes = slice(proposals.offsets[image], proposals.offsets[image + 1])
        if boxes.start == boxes.stop:
            continue
        table = pair_overlaps(
            corners[here], np.zeros((0, 4)), np.ascontiguousarray(proposals.boxes[boxes]), extra
        )
        best = table.argmax(axis=0)
        iou[boxes] = table[best, np.arange(table.shape[1])]
        row[boxes] = np.where(iou[boxes] > 0, here[best], -1)
    return iou, row


def train_svm(
    positives: np.ndarray, negatives: np.ndarray, cost: float, rounds: int, most: int
) -> tuple[np.ndarray, float, int]:
    """Train one linear SVM with squared hinge loss, adding the negatives that it gets wrong round by round.

    Parameters
    ----------
    positives, negatives : float64 array, (p, d) and (n, d)
        At least one each.
    cost : float
        C; both sides weigh the same in sum.
    rounds : int
        How often hard negatives are added.
    most : int
        So many negatives at first, and so many new ones in a round at most.

    Returns
    -------
    weights : float64 array, (d,)
    intercept : float
    used : int
        Negatives that the last training had.

    Notes
    -----
    Minimises ``½ (|w|² + b²) + C Σ c_i max(0, 1 − y_i (w·x_i + b))²`` with ``c_i = n / 2 n_i``, n_i the number of
    examples on the side of i. The first negatives are evenly spaced rows; a hard one has ``w·x + b > −1``. No
    step is random.
    """
    from sklearn.svm import LinearSVC

    chosen = np.zeros(len(negatives), dtype=bool)
    chosen[np.unique(np.linspace(0, len(negatives) - 1, min(most, len(negatives))).astype(np.int64))] = True
    weights, intercept = np.zeros(positives.shape[1]), 0.0
    for step in range(rounds + 1):
        rows = np.vstack([positives, negatives[chosen]])
        truth = np.repeat([1, -1], [len(positives), int(chosen.sum())])
        machine = LinearSVC(C=cost, dual=False, class_weight="balanced", tol=1e-4, max_iter=200)
        machine.fit(rows, truth)
        weights, intercept = machine.coef_[0], float(machine.intercept_[0])
        if step == rounds:
            break
        hard = np.round(negatives @ weights + intercept, DIGITS)
        hard[chosen] = -np.inf
        order = np.argsort(-hard, kind="stable")[:most]
        fresh = order[hard[order] > -MARGIN]
        if not len(fresh):
            break
        chosen[fresh] = True
    return weights, intercept, int(chosen.sum())


def training_rows(iou: np.ndarray, positive: float, negative: float) -> tuple[np.ndarray, np.ndarray]:
    """Which boxes are examples of a category and which of what it is not; those between are neither."""
    return iou >= positive, iou < negative


def no_examples(categories: list, objects: pd.DataFrame) -> list:
    """Those of `categories` that no object has."""
    known = set(objects["category"].dropna())
    return [category for category in categories if category not in known]
