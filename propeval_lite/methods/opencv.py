"""Selective Search, EdgeBoxes and BING as OpenCV's contributed modules compute them.

For the arguments `image`, `k` and `rng` and for the answer see :mod:`propeval_lite.methods`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from propeval_lite._checks.traits import traits
from propeval_lite._checks.values import check_choice
from propeval_lite.methods.registry import MethodUnavailable
from propeval_lite.superpixels.edges import edge_map

BING_SPACES = ("MAXBGR", "HSV", "I")


@traits()
def selective_search(
    image: np.ndarray, k: int, rng: np.random.Generator, mode: str = "fast", order: str = "late"
):
    """Boxes of the regions that appear while similar superpixels are merged (Selective Search).

    Parameters
    ----------
    mode : {"fast", "quality", "single"}
        How many colour spaces, segmentations and similarities are combined.
    order : {"late", "opencv"}
        Which regions tend to come first: those that were merged last, as the method's authors rank them, or those
        that were merged first, as OpenCV does.

    Notes
    -----
    OpenCV sorts by u · level with u uniform in (0, 1) and level 1 for a superpixel; "late" reverses its list.

    References
    ----------
    Hosang et al., §2.1.
    """
    check_choice(mode, ("fast", "quality", "single"), "mode")
    check_choice(order, ("late", "opencv"), "order")
    cv2 = _opencv()
    search = cv2.ximgproc.segmentation.createSelectiveSearchSegmentation()
    search.setBaseImage(np.ascontiguousarray(image[:, :, ::-1]))
    if mode == "fast":
        search.switchToSelectiveSearchFast()
    elif mode == "quality":
        search.switchToSelectiveSearchQuality()
    else:
        search.switchToSingleStrategy()
    _seed_c_library(int(rng.integers(2**31)))
    boxes = _corners(search.process())
    return boxes[::-1] if order == "late" else boxes, None


@traits()
def edge_boxes(
    image: np.ndarray,
    k: int,
    rng: np.random.Generator,
    alpha: float = 0.65,
    beta: float = 0.75,
    eta: float = 1.0,
    min_score: float = 0.01,
    max_aspect: float = 3.0,
    min_area: float = 1000.0,
):
    """Windows scored by the contours they wholly contain (EdgeBoxes), on the edge map computed here.

    Parameters
    ----------
    alpha, beta, eta : float
        IoU of neighbouring windows, IoU of the non-maximum suppression, and how fast the latter is lowered.
    min_score, max_aspect, min_area : float
        Windows with a lower score, a larger aspect ratio or fewer pixels are not considered.

    Notes
    -----
    The original takes edges from a trained structured forest; :func:`propeval_lite.superpixels.edges.edge_map` needs
    no model, so that the numbers are those of this edge map and not the published ones.

    References
    ----------
    Hosang et al., §2.2.
    """
    cv2 = _opencv()
    scorer = cv2.ximgproc.createEdgeBoxes(
        alpha=alpha,
        beta=beta,
        eta=eta,
        minScore=min_score,
        maxBoxes=k,
        maxAspectRatio=max_aspect,
        minBoxArea=min_area,
    )
    boxes, scores = scorer.getBoundingBoxes(*edge_map(image))
    if len(boxes) == 0:
        return np.empty((0, 4)), np.empty(0)
    height, width = image.shape[:2]
    corners = np.minimum(_corners(boxes), [width, height, width, height])
    return corners, np.asarray(scores, dtype=np.float64).ravel()


@traits()
def bing(image: np.ndarray, k: int, rng: np.random.Generator, model: str | os.PathLike | None = None):
    """Windows of 36 sizes scored by a linear classifier on small gradient maps (BING); needs its model.

    Parameters
    ----------
    model : path
        Folder with OpenCV's trained files ``ObjNessB2W8*.yml.gz``.

    References
    ----------
    Hosang et al., §2.2.
    """
    names = [f"ObjNessB2W8{space}.{part}.yml.gz" for space in BING_SPACES for part in ("idx", "wS1", "wS2")]
    missing = names if model is None else [name for name in names if not (Path(model) / name).is_file()]
    if missing:
        given = "no folder" if model is None else f"{str(model)!r} without {missing[0]}"
        raise MethodUnavailable(
            f"bing: expected the folder of its trained model, got {given}. Give model=FOLDER with the files of "
            "samples/ObjectnessTrainedModel in opencv_contrib's saliency module."
        )
    cv2 = _opencv()
    scorer = cv2.saliency.ObjectnessBING_create()
    scorer.setTrainingPath(str(model))
    with tempfile.TemporaryDirectory() as folder, _quiet():
        # OpenCV also writes the boxes to a file, in the root of the disk unless told otherwise.
        scorer.setBBResDir(folder)
        found, boxes = scorer.computeSaliency(np.ascontiguousarray(image[:, :, ::-1]))
    if not found or boxes is None:
        return np.empty((0, 4)), None
    return np.asarray(boxes, dtype=np.float64).reshape(-1, 4) - np.array([1, 1, 0, 0]), None


def _opencv():
    try:
        import cv2
    except ImportError as error:
        raise MethodUnavailable(
            f"expected OpenCV, got {error}. Run: pip install propeval-lite[methods]"
        ) from error
    if not hasattr(cv2, "ximgproc") or not hasattr(cv2, "saliency"):
        raise MethodUnavailable(
            f"expected OpenCV with its contributed modules, got OpenCV {cv2.__version__} without "
            "them. Run: pip uninstall opencv-python; pip install propeval-lite[methods]"
        )
    return cv2


def _corners(rectangles) -> np.ndarray:
    """Turn rows x, y, width, height into corners; OpenCV gives an empty tuple when it finds nothing."""
    boxes = np.asarray(rectangles, dtype=np.float64).reshape(-1, 4)
    return np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)


def _seed_c_library(seed: int) -> None:
    """Seed the C library's rand(): OpenCV ranks regions with it, and cv2.setRNGSeed does not reach it."""
    library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    library.srand(ctypes.c_uint(seed))


@contextlib.contextmanager
def _quiet():
    """Silence what compiled code prints to standard output."""
    sys.stdout.flush()
    kept = os.dup(1)
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 1)
        yield
    finally:
        # OpenCV prints through the C library's buffer, which must be emptied while it still leads nowhere.
        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
