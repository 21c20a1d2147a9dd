"""Our own detector behind many proposal methods: its mAP, with and without regression and training anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.naming import unique_names
from propeval_lite._checks.values import fail
from propeval_lite.boxes.cover import located, usable
from propeval_lite.boxes.match import match
from propeval_lite.boxes.precision import average_precision
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.detector import Described, Detector, box_features, describe, detect, train
from propeval_lite.detector.classifier import best_objects
from propeval_lite.methods import propose
from propeval_lite.methods.registry import BUILT_IN
from propeval_lite.studies.hosang_detection_predictors import AR, at, mean_recall, partial

TAUS = tuple(np.round(np.linspace(0.5, 1, 21), 3).tolist())
FROM_ZERO = "AR 0–1"
#: Ways to use the detector: the name of the column of mAP, trained anew for each method or not, boxes corrected or not.
VARIANTS = {
    "one training": (False, False),
    "one training, regression": (False, True),
    "own training": (True, False),
    "own training, regression": (True, True),
}
STEPS, STEP = 5, 0.06  # of the score map: so many steps each way, of so much of the object's side
DIGITS = 6  # of scores and correlations on show: last bits differ from processor to processor
BINS = np.round(np.arange(0.2, 1.001, 0.05), 2)


class Ours(NamedTuple):
    """What the detector made of the proposals of each method.

    Parameters
    ----------
    summary : DataFrame
        A row per method: ``proposals`` per image, :data:`AR` and other predictors, then mAP by variant.
    precisions : DataFrame
        Columns ``method, variant, category, ap``.
    left_out : DataFrame
        Columns ``method, part, image_id, got``: images that a method failed on; they have no proposals.
    tied : DataFrame
        Columns ``method, variant, detections, tied``: detections, and those that share their score with another one.
    detector : Detector
        The one trained on the proposals of one method.
    tests : dict of str to Described
        The proposals of each method for the test images.
    """

    summary: pd.DataFrame
    precisions: pd.DataFrame
    left_out: pd.DataFrame
    tied: pd.DataFrame
    detector: Detector
    tests: dict[str, Described]


def in_memory(dataset: Dataset) -> Dataset:
    """Return a data set whose pictures are read once."""
    pictures = {name: dataset.image(name) for name in dataset.images["image_id"]}
    return replace(dataset, read_image=pictures.__getitem__)


def coverage(training: Dataset, test: Dataset) -> pd.DataFrame:
    """Count the objects of each category that are to be learnt from and found: ``category, training, test, used``.

    Only categories with both are used: without an example there is nothing to learn, without an object no AP.
    """
    parts = []
    for name, dataset in (("training", training), ("test", test)):
        objects = dataset.objects[~dataset.objects["ignore"].to_numpy(dtype=bool)]
        parts.append(objects["category"].value_counts().rename(name))
    table = pd.concat(parts, axis=1).fillna(0).astype(np.int64).rename_axis("category").sort_index()
    return table.assign(used=(table > 0).all(axis=1)).reset_index()


def shared_categories(training: Dataset, test: Dataset) -> tuple[list, Dataset]:
    """Categories with examples and with objects to find, and the test set in which all others are marked ``ignore``."""
    table = coverage(training, test)
    wanted = table["category"][table["used"]].tolist()
    if not wanted:
        remedy = "Use larger parts, or name the categories in the spec of both."
        raise fail("a category in both parts of the data", "none", remedy, f"{training.name}, {test.name}")
    known = test.objects["category"].isin(wanted).to_numpy()
    ignore = test.objects["ignore"].to_numpy(dtype=bool) | ~known
    return wanted, replace(test, objects=test.objects.assign(ignore=ignore))


def evaluate(
    training: Dataset,
    test: Dataset,
    methods: Sequence[str],
    budget: int,
    trained_on: str,
    kind: str = "area",
    tau: float = 0.5,
    suppression: float = 0.3,
    seed: int = 0,
) -> Ours:
    """Train and test the detector with the proposals of each method.

    Parameters
    ----------
    training, test : Dataset
        With pictures. Objects of categories that are not in both count nowhere.
    methods : sequence of str
        As in :func:`propose`; those that belong to other data sets, and files of boxes, are left out.
    budget : int
        Proposals per image.
    trained_on : str
        The method on whose proposals the one detector is trained that serves all.
    kind, tau
        As in :func:`average_precision`.
    suppression : float
        As `nms` in :func:`detect`.
    seed : int
        Of the methods.

    Returns
    -------
    Ours
    """
    wanted, test = shared_categories(training, test)
    training, test = in_memory(training), in_memory(test)
    named = unique_names(usable(methods, training, files=False)[0], BUILT_IN)
    if not named:
        raise fail("at least one method", "none that can run here", "Name methods.", "methods")
    left_out: list[dict] = []

    def boxes(name: str, spec: str, part: str, dataset: Dataset) -> Described:
        proposals = propose(located(spec), dataset, budget, seed, on_error="skip", duplicates="hosang")
        for record in proposals.provenance["left_out"]:
            left_out.append(
                {"method": name, "part": part, "image_id": record["image_id"], "got": record["got"]}
            )
        return describe(dataset, proposals)

    ((base_name, base_spec),) = unique_names([trained_on], BUILT_IN)
    first = boxes(base_name, base_spec, "training", training)
    detector = train(first, wanted)
    rows, aps, tied, tests = [], [], [], {}
    for name, spec in named:
        same = spec == base_spec
        own = detector if same else train(boxes(name, spec, "training", training), wanted)
        described = tests[name] = boxes(name, spec, "test", test)
        row = {"method": name, "proposals": len(described) / len(test.images)}
        row |= proposal_quality(described, budget)
        for variant, (anew, regression) in VARIANTS.items():
            found = detect(own if anew else detector, described, regression=regression, nms=suppression)
            ap = average_precision(test, found, tau, kind)
            ties, ap = ap.attrs["tied"], ap.reindex(wanted)
            row[variant] = ap.to_numpy(dtype=np.float64).mean()
            aps += [(name, variant, category, value) for category, value in ap.items()]
            tied.append((name, variant, len(found), ties))
        rows.append(row)
    failures = pd.DataFrame(left_out, columns=["method", "part", "image_id", "got"]).drop_duplicates()
    return Ours(
        pd.DataFrame(rows),
        pd.DataFrame(aps, columns=["method", "variant", "category", "ap"]),
        failures.reset_index(drop=True),
        pd.DataFrame(tied, columns=["method", "variant", "detections", "tied"]),
        detector,
        tests,
    )


def proposal_quality(described: Described, budget: int) -> dict[str, float]:
    """AR, AR over parts of the range and over 0 … 1, and recall at each of 21 thresholds."""
    overlaps = match(described.dataset, described.proposals, budget)
    curve = recall(overlaps, TAUS)
    by_tau = pd.DataFrame([np.ravel(curve)], columns=list(TAUS))
    found = {AR: float(average_recall(overlaps)), FROM_ZERO: float(average_recall(overlaps, low=0, high=1))}
    for low, high in ((0.5, 0.7), (0.6, 0.8)):
        found[partial(low, high)] = float(mean_recall(by_tau, low, high).iloc[0])
    return found | {at(tau): float(value) for tau, value in zip(TAUS, np.ravel(curve), strict=True)}


def predictors_and_targets(summary: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Part a summary into what may predict and what is to be predicted, both indexed by method."""
    table = summary.set_index("method")
    targets = table[list(VARIANTS)]
    return table.drop(columns=["proposals", *VARIANTS]), targets


def gains(summary: pd.DataFrame) -> pd.DataFrame:
    """Say what regression and training anew add to mAP, in points: ``method, regression, own training, localisation``.

    The last is recall at .8 over recall at .5: how well a method places the objects that it finds.
    """
    half, strict = summary[at(0.5)], summary[at(0.8)]
    return pd.DataFrame(
        {
            "method": summary["method"],
            "regression": 100 * (summary["one training, regression"] - summary["one training"]),
            "own training": 100 * (summary["own training, regression"] - summary["one training, regression"]),
            "localisation": np.where(half > 0, strict / half.where(half > 0, 1), np.nan),
        }
    )


def all_kinds(ours: Ours, kinds: Sequence[str], tau: float, suppression: float) -> pd.DataFrame:
    """Compute the mAP of the one detector, with regression, in several ways: ``method`` and a column per kind."""
    rows = []
    for name, described in ours.tests.items():
        found = detect(ours.detector, described, nms=suppression)
        row: dict[str, object] = {"method": name}
        for kind in kinds:
            ap = average_precision(described.dataset, found, tau, kind)
            row[kind] = ap.reindex(ours.detector.categories).to_numpy(dtype=np.float64).mean()
        rows.append(row)
    return pd.DataFrame(rows)


def scores_by_overlap(ours: Ours) -> pd.DataFrame:
    """Mean score of the proposals of all methods by overlap, as figure 12: ``detector, iou, score, boxes``.

    Scores of a category are stretched to 0 … 1 between the lowest and the highest mean of its bins, then averaged over
    categories; bins without a box are left out. With regression the overlap is that of the corrected box.
    """
    rows = []
    for name, regression in (("ours", False), ("ours with regression", True)):
        pairs: dict = {category: ([], []) for category in ours.detector.categories}
        for described in ours.tests.values():
            table = detect(ours.detector, described, regression=regression, nms=None)
            for category in ours.detector.categories:
                mine = table[table["category"] == category].sort_values("proposal_row")
                moved = replace(described.proposals, boxes=mine[list(BOX_COLUMNS)].to_numpy(), scores=None)
                iou, _ = best_objects(Described(described.dataset, moved, described.features), category)
                pairs[category][0].append(iou)
                pairs[category][1].append(mine["score"].to_numpy())
        for category, (overlaps, scores) in pairs.items():
            iou, score = np.concatenate(overlaps), np.concatenate(scores)
            place = np.minimum(np.digitize(iou, BINS) - 1, len(BINS) - 2)
            for b in range(len(BINS) - 1):
                inside = (place == b) & (iou >= BINS[0])
                if inside.any():
                    rows.append((name, category, BINS[b] + 0.025, score[inside].mean(), int(inside.sum())))
    table = pd.DataFrame(rows, columns=["detector", "category", "iou", "value", "boxes"])
    groups = table.groupby(["detector", "category"], sort=False)["value"]
    low, high = groups.transform("min"), groups.transform("max")
    table["score"] = (table["value"] - low) / (high - low).where(high > low)
    found = table.groupby(["detector", "iou"]).agg(score=("score", "mean"), boxes=("boxes", "sum"))
    return found.round({"score": DIGITS}).reset_index()


def score_maps(ours: Ours) -> tuple[np.ndarray, pd.DataFrame]:
    """Scores of boxes moved around each object of the test images, for the object's own category.

    Returns
    -------
    maps : float64 array, (n_objects, 11, 11)
        Down, then to the right, in steps of 6 % of the object's height and width.
    objects : DataFrame
        Columns ``image_id, object_row, category, score`` (in place), ``likeness`` (correlation with the mean of all
        maps, each stretched to 0 … 1) and ``peak`` (steps from the place to the largest score).
    """
    wanted, test = ours.detector.categories, next(iter(ours.tests.values())).dataset
    detector, frame = ours.detector, Frame.of(test)
    offsets = np.arange(-STEPS, STEPS + 1) * STEP
    objects = test.objects[~test.objects["ignore"].to_numpy(dtype=bool)]
    maps, rows = [], []
    for image_id, group in objects.groupby("image_id", sort=False):
        picture = test.image(image_id)
        corners = frame.to_grid(group[list(BOX_COLUMNS)].to_numpy(dtype=np.float64))
        for row, category, box in zip(group.index, group["category"], corners, strict=True):
            width, height = box[2] - box[0], box[3] - box[1]
            down, right = np.meshgrid(offsets * height, offsets * width, indexing="ij")
            shift = np.column_stack([right.ravel(), down.ravel()] * 2)
            seen = detector.scaling(box_features(picture, box + shift))
            k = wanted.index(category)
            scores = (seen @ detector.weights[:, k] + detector.intercept[k]).reshape(down.shape)
            maps.append(np.round(scores, DIGITS))
            rows.append((image_id, row, category, maps[-1][STEPS, STEPS]))
    cube = np.array(maps)
    low, high = cube.min(axis=(1, 2), keepdims=True), cube.max(axis=(1, 2), keepdims=True)
    stretched = (cube - low) / np.where(high > low, high - low, 1)
    mean = stretched.mean(axis=0)
    table = pd.DataFrame(rows, columns=["image_id", "object_row", "category", "score"])
    table["likeness"] = [np.corrcoef(one.ravel(), mean.ravel())[0, 1].round(DIGITS) for one in stretched]
    places = np.array([np.unravel_index(np.argmax(one), one.shape) for one in stretched]) - STEPS
    table["peak"] = np.hypot(*places.T)
    return stretched, table


def found_objects(ours: Ours, method: str, tau: float, suppression: float) -> pd.Series:
    """Score of the detection that is right for each object with one method's proposals; NaN for a missed object."""
    from propeval_lite.boxes.detections import judge_detections

    described = ours.tests[method]
    judged, _ = judge_detections(described.dataset, detect(ours.detector, described, nms=suppression), tau)
    right = judged[judged["outcome"] == "right"].set_index("object_row")["score"]
    rows = np.flatnonzero(~described.dataset.objects["ignore"].to_numpy(dtype=bool))
    return right.reindex(rows)
