"""Repeatability of methods on one data set: boxes of each perturbed picture matched to those of the picture itself."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.naming import belongs, short_name, unique_names
from propeval_lite._checks.seeding import check_seed, image_generator
from propeval_lite._checks.values import InputError, check_positive_int, fail
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
            try:
                picture = _changed(method, shown.picture, kind, 0)
            except InputError as error:  # a picture too narrow to be turned
                reference = (np.empty((0, 4)), str(error))
            else:
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
        problem = f"reference: {trouble}" if trouble else ""
        if not problem:
            try:
                iou[i], touching[i], problem = _compare(
                    method, task, shown, kind, value, boxes, near, objects
                )
            except InputError as error:  # of the change, or of its homography
                problem = str(error)
        problems.append(problem)
    return {
        "group": groups,
        "iou": iou,
        "touching group": groups[near],
        "touching": touching,
        "problem": np.array(problems, dtype=str),
    }


def _compare(method, task, shown, kind, value, boxes, near, objects) -> tuple[np.ndarray, np.ndarray, str]:
    """IoU of the reference boxes, and of those that touch objects, with the boxes of one changed picture."""
    picture = _changed(method, shown.picture, kind, value)
    there, problem = _boxes(method, picture, task, (shown.image_id, kind, float(value)))
    if problem:
        return np.full(len(boxes), np.nan), np.full(int(near.sum()), np.nan), problem
    g = geometry((shown.picture.shape[1], shown.picture.shape[0]), kind, value)
    found = rep.repeats(boxes, there, g.homography, g.reference_size, g.size)
    back = rep.touches(rep.project(there, np.linalg.inv(g.homography)), objects)
    some = rep.repeats(boxes[near], there[back], g.homography, g.reference_size, g.size)
    return found.iou, some.iou, "" if found.n_projected else NONE_LEFT


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
