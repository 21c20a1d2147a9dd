"""Run a proposal method over a data set."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from tqdm import tqdm

from propeval_lite._checks.boxes import as_boxes, as_scores, check_boxes
from propeval_lite._checks.naming import belongs
from propeval_lite._checks.seeding import check_seed, image_generator
from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import check_choice, check_flag, check_positive_int, fail
from propeval_lite.datasets.base import Dataset, check_dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.methods.registry import BUILT_IN, Method, MethodUnavailable, find_method
from propeval_lite.proposals.columns import DUPLICATES, first_of_each, rounded
from propeval_lite.proposals.container import Proposals
from propeval_lite.proposals.files import read_proposals


def list_methods() -> pd.DataFrame:
    """Return the built-in methods: name, what they need of an image, whether budgets are nested, one line each.

    Examples
    --------
    >>> list_methods().loc["sliding_window", "needs"]
    'size'
    """
    rows = []
    for name in BUILT_IN:
        method = find_method(name)
        rows.append(
            (name, method.needs, method.nested, (method.function.__doc__ or "").strip().split("\n")[0])
        )
    return pd.DataFrame(rows, columns=["name", "needs", "nested", "summary"]).set_index("name")


def propose(
    method: str | Callable,
    dataset: Dataset,
    k: int = 1000,
    seed: int = 0,
    *,
    on_error: str = "raise",
    duplicates: str = "exact",
    progress: bool = False,
    **parameters,
) -> Proposals:
    """Run a proposal method over every image of a data set.

    Parameters
    ----------
    method : str or callable
        A name of :func:`~propeval_lite.methods.list_methods`, ``"package.module:function"``, either with
        ``?name=value&…`` behind it; ``"file:PATH"`` for boxes made elsewhere, with options of ``read_proposals``
        behind it; or the function itself. ``"LABEL=…"`` before any of them says how to call it. With the option
        ``dataset=NAME`` it runs on no other data set.
    dataset : Dataset
        Pictures are read only for methods that need them.
    k : int
        Keep at most k boxes per image, best first.
    seed : int
        The generator of an image comes from `seed` and the image's id, so that neither the order of images nor a
        subset changes an image's boxes.
    on_error : {"raise", "skip"}
        What to do when the method fails on one image: stop with an error that names the image, or leave the image
        out and report it in ``provenance["left_out"]``.
    duplicates : {"exact", "rounded", "hosang", "keep"}
        Before the cut at k a box is removed if it equals a better-ranked one of its image, exactly or after
        rounding as in :meth:`Proposals.deduplicate`; or all are kept.
    progress : bool
        Show a progress bar.
    **parameters
        Further arguments of the method, or of ``read_proposals`` for ``"file:PATH"``.

    Returns
    -------
    Proposals
        Boxes in the data set's own coordinate frame.

    References
    ----------
    Hosang et al., "What makes for effective detection proposals?", §2.4 and §2.6 (top k; duplicates removed).

    Examples
    --------
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [4], "height": [3]})
    >>> none = pd.DataFrame(columns=["image_id", "object_id", "category", "x1", "y1", "x2", "y2", "ignore"])
    >>> voc = Dataset("tiny", images, none, pixels="inclusive", origin=1)
    >>> propose("sliding_window", voc, k=1).boxes
    array([[0., 0., 4., 3.]])
    """
    check_dataset(dataset)
    check_flag(progress, "progress")
    check_choice(on_error, ("raise", "skip"), "on_error")
    check_choice(duplicates, DUPLICATES, "duplicates")
    k = check_positive_int(k, "k")
    seed = check_seed(seed)
    if isinstance(method, str):
        if not belongs(method, dataset):
            remedy = "Choose that data set, or leave out the option dataset."
            raise fail(
                "the data set that the method names", f"{dataset.name!r} for {method!r}", remedy, "propose"
            )
        if parse_spec(method, "propose").name == "file":
            return _from_file(method, dataset, k, duplicates, parameters)
    chosen = find_method(method, parameters)
    started = time.perf_counter()
    image_ids, boxes, left_out = [], [], []
    scores: list = []  # arrays, or None for each image
    rows = dataset.images[["image_id", "width", "height"]].itertuples(index=False, name=None)
    for image_id, width, height in tqdm(rows, chosen.name, len(dataset.images), disable=not progress):
        try:
            found, marks = _one_image(chosen, dataset, image_id, (int(width), int(height)), k, seed)
            if scores and (scores[0] is None) != (marks is None):
                raise fail("scores for every image or for none", "both", "Return scores always or never.")
        except MethodUnavailable:
            raise
        except Exception as error:
            if on_error == "raise":
                expected, got = f"boxes from method {chosen.name}", f"{type(error).__name__}: {error}"
                remedy = 'Repair the method, or go on without this image with on_error="skip".'
                raise fail(expected, got, remedy, f"{dataset.name}, image {image_id!r}") from error
            left_out.append(
                {
                    "image_id": image_id,
                    "expected": f"boxes from method {chosen.name}",
                    "got": f"{type(error).__name__}: {error}",
                    "action": "image left out",
                }
            )
            continue
        keep = _ranking(found, marks, k, duplicates)
        image_ids.append(image_id)
        boxes.append(found[keep])
        scores.append(None if marks is None else marks[keep])
    ranked = bool(scores) and scores[0] is not None
    return Proposals(
        image_ids=np.array(image_ids, dtype=dataset.images["image_id"].to_numpy().dtype),
        offsets=np.concatenate(([0], np.cumsum([len(b) for b in boxes], dtype=np.int64))),
        boxes=np.concatenate(boxes) if boxes else np.empty((0, 4)),
        scores=np.concatenate(scores) if ranked else None,
        name=chosen.name,
        provenance={
            "method": chosen.name,
            "parameters": chosen.parameters,
            "dataset": dataset.name,
            "k": k,
            "seed": seed,
            "duplicates": duplicates,
            "nested": chosen.nested,
            "seconds": time.perf_counter() - started,
            "left_out": left_out,
        },
        pixels=dataset.pixels,
        origin=dataset.origin,
        scale=dataset.scale,
    )


def _one_image(method: Method, dataset: Dataset, image_id, size: tuple[int, int], k: int, seed: int):
    width, height = size
    if method.needs == "size":
        image = np.broadcast_to(np.uint8(0), (height, width, 3))
    else:
        image = dataset.image(image_id)
        if image.shape != (height, width, 3):
            got, remedy = str(image.shape), "Correct width and height in the images table, or the picture."
            raise fail(f"a picture of shape {(height, width, 3)} as the images table says", got, remedy)
    frame = Frame.of(dataset)
    boxes, scores = _answer(method, image, k, image_generator(seed, image_id), frame)
    return frame.from_grid(boxes), scores


def propose_on_picture(
    method: Method,
    image: np.ndarray,
    k: int,
    rng: np.random.Generator,
    frame: Frame,
    duplicates: str = "exact",
) -> np.ndarray:
    """Run a method on one picture that belongs to no data set.

    Parameters
    ----------
    method : Method
        From :func:`~propeval_lite.methods.registry.find_method`.
    image : uint8 array, (height, width, 3)
        Of a method that needs no more than the size the values do not count.
    k : int
    rng : Generator
    frame : Frame
        Coordinates of the answer.
    duplicates : str
        As in :func:`propose`.

    Returns
    -------
    float64 array, (n, 4)
        At most k boxes, best first, checked as :func:`propose` checks them.

    Examples
    --------
    >>> grey = np.zeros((20, 36, 3), dtype=np.uint8)
    >>> propose_on_picture(find_method("uniform"), grey, 3, np.random.default_rng(0), Frame("inclusive", 1)).shape
    (3, 4)
    """
    check_choice(duplicates, DUPLICATES, "duplicates")
    boxes, scores = _answer(method, image, check_positive_int(k, "k"), rng, frame)
    return frame.from_grid(boxes)[_ranking(boxes, scores, k, duplicates)]


def _answer(method: Method, image: np.ndarray, k: int, rng: np.random.Generator, frame: Frame):
    """Boxes on the grid and scores of one picture, or the error that says what is wrong with them."""
    height, width = image.shape[:2]
    answer = method(image, k, rng)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise fail(
            "a pair (boxes, scores)", type(answer).__name__, "Return scores=None for boxes in ranked order."
        )
    boxes = as_boxes(answer[0], "boxes", one=True)
    scores = None if answer[1] is None else as_scores(answer[1], len(boxes), "scores")
    check_boxes(boxes, "boxes", scores)
    inside = boxes + np.array([1, 1, -1, -1]) * method.overhang
    outside = (inside.min(axis=1, initial=0) < 0) | (inside[:, 2] > width) | (inside[:, 3] > height)
    if outside.any():
        got = f"{boxes[np.argmax(outside)].tolist()} in row {np.argmax(outside)}"
        raise fail(f"boxes inside 0…{width} by 0…{height}", got, "Clip the boxes to the image.", "boxes")
    thin = (boxes[:, 2:] - boxes[:, :2]).min(axis=1, initial=np.inf) < frame.extra
    if thin.any():
        expected = "boxes at least one pixel wide and high, since the data set counts pixels inclusively"
        got = f"{boxes[np.argmax(thin)].tolist()} in row {np.argmax(thin)}"
        raise fail(expected, got, "Widen or drop such boxes.", "boxes")
    return boxes, scores


def _from_file(spec: str, dataset: Dataset, k: int, duplicates: str, parameters: dict) -> Proposals:
    parsed = parse_spec(spec, "propose")
    options = parsed.options | parameters
    options.pop("dataset", None)
    if parsed.label is not None:
        options["name"] = parsed.label
    proposals = read_proposals(parsed.path, **options).checked_against(dataset)
    return proposals.deduplicate(duplicates).top(k)


def _ranking(boxes: np.ndarray, scores: np.ndarray | None, k: int, duplicates: str) -> np.ndarray:
    order = np.arange(len(boxes)) if scores is None else np.argsort(-scores, kind="stable")
    if duplicates != "keep":
        ranked = boxes[order]
        order = order[first_of_each(rounded(ranked, duplicates))]
    return order[:k]
