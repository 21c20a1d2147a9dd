"""Repeatability of methods on one data set: boxes of each perturbed picture matched to those of the picture itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.naming import belongs, short_name, unique_names
from propeval_lite._checks.seeding import check_seed, image_draws, image_generator
from propeval_lite._checks.values import check_positive_int, fail
from propeval_lite.boxes import repeatability as rep
from propeval_lite.boxes.cover import located, reads_pictures
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.homographies import rotation_crop
from propeval_lite.datasets.perturbations import PERTURBATIONS, geometry, perturb
from propeval_lite.methods.registry import BUILT_IN, Method, MethodUnavailable, find_method
from propeval_lite.methods.run import propose_on_picture
from propeval_lite.parallel import Checkpoint, map_images, source_digest, usual_workers

#: Environment variable with the folder where work that was stopped is found again.
CHECKPOINTS = "PROPEVAL_CHECKPOINTS"
#: Those that move boxes; all that a data set without pictures can tell.
GEOMETRIC = ("scale", "rotation")
ALL, TOUCHING = "all", "touching"
NONE_FOUND, NONE_LEFT = "no boxes", "no boxes left after projection"
LEVEL = 0.95


class Task(NamedTuple):
    """What is done with each picture: the method, kinds of change with their values, boxes per picture, the seed."""

    method: str
    settings: tuple[tuple[str, tuple[float, ...]], ...]
    k: int
    seed: int


class Shown(NamedTuple):
    """What a process is shown of an image; boxes of objects are first and last pixels, counted from 1."""

    image_id: object
    picture: np.ndarray
    objects: np.ndarray


class Repeated(NamedTuple):
    """What one method does on one data set.

    Attributes
    ----------
    curve : DataFrame
        A row per perturbation, value and choice of boxes; see :func:`summarise`.
    sizes : DataFrame
        Columns ``group, boxes, share``: its boxes on unchanged pictures by group of sizes.
    recall : DataFrame
        Columns ``group, iou, recall, boxes`` at one perturbation.
    problems : DataFrame
        Columns ``image_id, perturbation, value, problem``: what could not be judged.
    """

    curve: pd.DataFrame
    sizes: pd.DataFrame
    recall: pd.DataFrame
    problems: pd.DataFrame


def settings(kinds: Sequence[str] = tuple(PERTURBATIONS)) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return kinds of perturbation with the values of the paper.

    Examples
    --------
    >>> settings(["blur"])
    (('blur', (0, 1, 2, 3, 4, 8)),)
    """
    unknown = [kind for kind in kinds if kind not in PERTURBATIONS]
    if unknown:
        known = f"perturbations out of {', '.join(PERTURBATIONS)}"
        raise fail(known, repr(unknown[0]), "Correct the spelling.", "kinds")
    return tuple((kind, PERTURBATIONS[kind].strengths) for kind in kinds)


def runnable(methods: Sequence[str], dataset: Dataset) -> tuple[list[str], list[str]]:
    """Part methods into those that can repeat themselves on a data set and those that cannot.

    Boxes of files cannot, because nobody can ask for them on a changed picture; methods that look cannot where there
    are no pictures.
    """
    good: list[str] = []
    bad: list[str] = []
    for name, method in unique_names(methods, BUILT_IN):
        if method.partition("=")[2].startswith("file:") or method.startswith("file:"):
            remedy = "Leave it out here: nobody can ask a file for the boxes of a changed picture."
            raise fail("methods that can be run again", f"the boxes of a file, {name!r}", remedy, "methods")
        blind = dataset.read_image is None and reads_pictures(method)
        (bad if blind or not belongs(method, dataset) else good).append(method)
    return good, bad


def repeat_picture(task: Task, shown: Shown) -> dict[str, np.ndarray]:
    """Propose on a picture and on all its perturbed versions, and match.

    Returns
    -------
    dict of arrays
        For each kind: ``group`` and ``touching group``, of the reference boxes; ``iou`` and ``touching``, a row per
        value, NaN where a box is not compared; ``problem``, a text per value, empty where there is none.
    """
    method = find_method(located(task.method))
    height, width = shown.picture.shape[:2]
    plain = _boxes(method, shown.picture, task, (shown.image_id, "reference"))
    answer: dict[str, np.ndarray] = {}
    for kind, values in task.settings:
        reference, objects, size = plain, shown.objects, (width, height)
        if kind == "rotation":
            picture = _changed(method, shown.picture, kind, 0)
            size = (picture.shape[1], picture.shape[0])
            reference = _boxes(method, picture, task, (shown.image_id, kind, "reference"))
            objects = _cropped(objects, rotation_crop((width, height), 0)[1], size)
        answer |= {
            f"{kind}.{name}": array
            for name, array in _repeat(method, task, shown, kind, values, reference, objects, size).items()
        }
    return answer


def _repeat(method, task, shown, kind, values, reference, objects, size) -> dict[str, np.ndarray]:
    boxes, trouble = reference
    near = rep.touches(boxes, objects)
    groups = rep.size_groups(boxes, size)
    iou = np.full((len(values), len(boxes)), np.nan)
    touching = np.full((len(values), int(near.sum())), np.nan)
    problems = []
    for i, value in enumerate(values):
        if trouble:
            problems.append(f"reference: {trouble}")
            continue
        picture = _changed(method, shown.picture, kind, value)
        there, problem = _boxes(method, picture, task, (shown.image_id, kind, float(value)))
        if not problem:
            g = geometry((shown.picture.shape[1], shown.picture.shape[0]), kind, value)
            found = rep.repeats(boxes, there, g.homography, g.reference_size, g.size)
            iou[i] = found.iou
            problem = "" if found.n_projected else NONE_LEFT
            back = rep.touches(rep.project(there, np.linalg.inv(g.homography)), objects)
            touching[i] = rep.repeats(boxes[near], there[back], g.homography, g.reference_size, g.size).iou
        problems.append(problem)
    return {
        "group": groups,
        "iou": iou,
        "touching group": groups[near],
        "touching": touching,
        "problem": np.array(problems, dtype=str),
    }


def _boxes(method: Method, picture: np.ndarray, task: Task, stream: tuple) -> tuple[np.ndarray, str]:
    """Boxes of a picture, or none and the reason; each picture has random numbers of its own."""
    try:
        rng = image_generator(task.seed, stream)
        boxes = propose_on_picture(method, picture, task.k, rng, rep.FRAME, duplicates="keep")
    except MethodUnavailable:
        raise
    except Exception as error:
        return np.empty((0, 4)), f"{type(error).__name__}: {error}"
    return boxes, "" if len(boxes) else NONE_FOUND


def _changed(method: Method, picture: np.ndarray, kind: str, value: float) -> np.ndarray:
    if method.needs == "size":
        width, height = geometry((picture.shape[1], picture.shape[0]), kind, value).size
        return np.broadcast_to(np.uint8(0), (height, width, 3))
    return perturb(picture, kind, value)


def _cropped(objects: np.ndarray, first: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Objects in the crop that begins at pixel `first`; what lies outside is cut off or left out."""
    moved = objects - np.tile(first - 1, 2)
    low, high = np.maximum(moved[:, :2], 1), np.minimum(moved[:, 2:], size)
    return np.hstack([low, high])[(high >= low).all(axis=1)]


def _show(dataset: Dataset, objects: dict, sizes: dict, image_id) -> Shown:
    if dataset.read_image is None:
        width, height = sizes[image_id]
        picture = np.broadcast_to(np.uint8(0), (height, width, 3))
    else:
        picture = dataset.image(image_id)
    return Shown(image_id, picture, objects.get(image_id, np.empty((0, 4))))


def repeat_dataset(
    method: str,
    dataset: Dataset,
    kinds: Sequence[str] | None = None,
    k: int = 1000,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: bool = False,
    checkpoint: str | None = None,
) -> tuple[Task, list[dict[str, np.ndarray]]]:
    """Let a method repeat itself on each image of a data set.

    Parameters
    ----------
    method : str
        As in :func:`propose`; duplicates are kept, as in the authors' program.
    dataset : Dataset
        Without pictures only for methods that need no more than an image's size.
    kinds : sequence of str, optional
        Of ``PERTURBATIONS``; by default all, or without pictures those that move boxes.
    k, seed : int
    workers : int, optional
        By default :func:`~propeval_lite.parallel.usual_workers`. The answer does not depend on it.
    progress : bool
    checkpoint : str, optional
        Folder where finished images are kept; by default the one that ``PROPEVAL_CHECKPOINTS`` names, if any.

    Returns
    -------
    task : Task
    answers : list of dict
        From :func:`repeat_picture`, in the order of the images.
    """
    kinds = (GEOMETRIC if dataset.read_image is None else tuple(PERTURBATIONS)) if kinds is None else kinds
    task = Task(method, settings(kinds), check_positive_int(k, "k"), check_seed(seed))
    frame = Frame.of(dataset)
    grid = frame.convert(dataset.objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64), rep.FRAME)
    grid[:, 2:] = np.maximum(grid[:, 2:], grid[:, :2])  # no narrower than a pixel
    offsets, ids = dataset.object_offsets, dataset.images["image_id"].tolist()
    objects = {image_id: grid[offsets[i] : offsets[i + 1]] for i, image_id in enumerate(ids)}
    sizes = dict(zip(ids, dataset.images[["width", "height"]].to_numpy().tolist(), strict=True))
    folder = checkpoint or os.environ.get(CHECKPOINTS)
    recipe = {"task": task, "dataset": dataset.fingerprint()}
    kept = None
    if folder:
        source = source_digest(find_method(located(method)).function)
        kept = Checkpoint(folder, recipe | {"source": source})
    answers = map_images(
        partial(repeat_picture, task),
        ids,
        partial(_show, dataset, objects, sizes),
        workers=usual_workers(len(ids)) if workers is None else workers,
        progress=progress,
        checkpoint=kept,
        title=f"{short_name(method)} on {dataset.name}",
    )
    return task, answers


def pooled(answers: Sequence[dict], kind: str, row: int, boxes: str = ALL) -> Iterator[tuple]:
    """Yield IoU and group of the boxes compared, image by image.

    Parameters
    ----------
    answers : sequence of dict
        From :func:`repeat_dataset`.
    kind : str
    row : int
        Place of the value.
    boxes : {"all", "touching"}
    """
    value, group = ("iou", "group") if boxes == ALL else ("touching", "touching group")
    for answer in answers:
        iou = answer[f"{kind}.{value}"][row]
        known = ~np.isnan(iou)
        yield iou[known], answer[f"{kind}.{group}"][known]


def summarise(
    task: Task, answers: Sequence[dict], thin: int | None, empty: str, n_bootstrap: int, seed: int
) -> pd.DataFrame:
    """Return repeatability at each value of each perturbation.

    Returns
    -------
    DataFrame
        Columns ``perturbation, value, of, repeatability, low, high, boxes, images, empty groups``. `of` says which
        boxes: all, or only those that touch an object. The interval is a bootstrap over images of the mean IoU per
        group, moved to the value.
    """
    rows = []
    draws = np.array(
        [np.bincount(d, minlength=len(answers)) for d in image_draws(len(answers), n_bootstrap, seed)]
    )
    for kind, values in task.settings:
        for i, value in enumerate(values):
            for of in (ALL, TOUCHING):
                parts = list(pooled(answers, kind, i, of))
                iou, group = (np.concatenate([part[j] for part in parts]) for j in (0, 1))
                areas = rep.group_areas(iou, group.astype(np.int64), thin)
                worth = rep.mean_area(areas, empty)
                low, high = _interval(parts, draws, empty)
                rows.append(
                    (
                        kind, float(value), of, worth, worth + low, worth + high, len(iou),
                        sum(len(part[0]) > 0 for part in parts), int(np.isnan(areas).sum()),
                    )
                )  # fmt: skip
    columns = [
        "perturbation",
        "value",
        "of",
        "repeatability",
        "low",
        "high",
        "boxes",
        "images",
        "empty groups",
    ]
    return pd.DataFrame(rows, columns=columns)


def _interval(parts: list, draws: np.ndarray, empty: str) -> tuple[float, float]:
    """How far below and above its value a bootstrap of the mean IoU per group goes.

    A group that is empty in a drawn sample alone is left out there: the rule for empty groups is no matter of chance.
    """
    n = rep.GROUPS
    sums = np.array([np.bincount(group, iou, minlength=n) for iou, group in parts]).reshape(len(parts), n)
    counts = np.array([np.bincount(group, minlength=n) for _, group in parts]).reshape(len(parts), n)
    filled = int((counts.sum(axis=0) > 0).sum())
    share = filled / n if empty == "zero" else 1.0

    def mean(total, number):
        known = number > 0
        means = np.divide(total, number, out=np.zeros_like(total, dtype=np.float64), where=known)
        return np.where(known.any(axis=-1), means.sum(axis=-1) / np.maximum(known.sum(axis=-1), 1), np.nan)

    drawn = share * (mean(draws @ sums, draws @ counts) - mean(sums.sum(axis=0), counts.sum(axis=0)))
    if not len(drawn) or np.isnan(drawn).all():
        return float("nan"), float("nan")
    edge = (1 - LEVEL) / 2
    low, high = np.nanquantile(drawn, [edge, 1 - edge])
    return min(float(low), 0.0), max(float(high), 0.0)
