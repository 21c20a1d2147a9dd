"""Apply a function to images, one after the other or in several processes, always with the same answer."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numba
import numpy as np
from tqdm import tqdm

from propeval_lite._checks.values import InputError, check_flag, check_positive_int, check_type, fail
from propeval_lite.parallel.checkpoints import Checkpoint

Arrays = dict[str, np.ndarray]
WORKERS = "PROPEVAL_WORKERS"
FEWEST = 4  # images for each process: fewer are done before a process has started
AHEAD = 2  # images prepared ahead for each process
_POOLS: dict[tuple[int, int], ProcessPoolExecutor] = {}


def usual_workers(n_images: int) -> int:
    """Return the number of processes for so many images: ``PROPEVAL_WORKERS``, or all processors that this run may use.

    Never so many that a process would have fewer than four images.

    Examples
    --------
    >>> usual_workers(3)
    1
    """
    told = os.environ.get(WORKERS) or os.environ.get("NUMBA_NUM_THREADS")
    if told is None:
        here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    elif told.isdecimal() and int(told) > 0:
        here = int(told)
    else:
        raise fail("a number of processes >= 1", repr(told), f"Set {WORKERS} to 1 or more.", WORKERS)
    return max(1, min(here, n_images // FEWEST))


def map_images(
    work: Callable[[Any], Arrays],
    image_ids: Iterable,
    prepare: Callable[[Any], Any] | None = None,
    *,
    workers: int = 1,
    progress: bool = False,
    checkpoint: Checkpoint | None = None,
    title: str = "images",
) -> list[Arrays]:
    """Apply a function to each image and return its answers in the order of the images.

    Parameters
    ----------
    work : callable
        Function of what `prepare` returns; answers with a dict of arrays. With several workers it must be a function
        of a module (or a partial of one), because other processes look it up by its name.
    image_ids : iterable
        Each once.
    prepare : callable, optional
        Function of the image's id, called here, in order: it reads the picture. By default `work` gets the id.
    workers : int
        Number of processes; with 1 all happens here. The answers do not depend on it, as long as `work` depends on
        nothing but its argument.
    progress : bool
        Show a progress bar.
    checkpoint : Checkpoint, optional
        Answers found there are taken, others are kept there as soon as they come.
    title : str
        Of the progress bar, and of errors.

    Returns
    -------
    list of dict of arrays

    Raises
    ------
    InputError
        If `work` fails; the error names the image. What is done by then is kept.

    Examples
    --------
    >>> [int(answer["square"]) for answer in map_images(lambda n: {"square": np.array(n * n)}, [3, 1, 2])]
    [9, 1, 4]
    """
    ids = list(image_ids)
    check_flag(progress, "progress")
    workers = min(check_positive_int(workers, "workers"), max(len(ids), 1))
    prepare = prepare or _same
    with tqdm(total=len(ids), desc=title, disable=not progress) as bar:
        todo, answers = [], {}
        for i, image_id in enumerate(ids):
            found = None if checkpoint is None else checkpoint.load(image_id)
            if found is None:
                todo.append(i)
            else:
                answers[i] = found
                bar.update()
        tasks = ((i, ids[i], prepare) for i in todo)
        rows = _here(work, tasks, title) if workers == 1 else _there(work, tasks, title, workers)
        for i, answer in rows:
            if checkpoint is not None:
                checkpoint.save(ids[i], answer)
            answers[i] = answer
            bar.update()
    return [answers[i] for i in range(len(ids))]


def _same(image_id):
    return image_id


def _here(work: Callable, tasks: Iterable, title: str) -> Iterator[tuple[int, Arrays]]:
    for i, image_id, prepare in tasks:
        try:
            answer = work(prepare(image_id))
        except Exception as error:
            raise _failed(title, image_id, error) from error
        yield i, _checked(answer, title, image_id)


def _there(work: Callable, tasks: Iterable, title: str, workers: int) -> Iterator[tuple[int, Arrays]]:
    try:
        pickle.dumps(work)
    except Exception as error:
        remedy = "Write it at the top of a module, or use workers=1."
        raise fail("a function that other processes can import", error, remedy, title) from None
    waiting: deque[tuple[int, Any, Future]] = deque()
    try:
        for i, image_id, prepare in tasks:
            try:
                ready = prepare(image_id)
            except Exception as error:
                raise _failed(title, image_id, error) from error
            waiting.append((i, image_id, _pool(workers).submit(work, ready)))
            if len(waiting) >= AHEAD * workers:
                yield _first(waiting, title)
        while waiting:
            yield _first(waiting, title)
    finally:
        for _, _, future in waiting:
            future.cancel()


def _pool(workers: int) -> ProcessPoolExecutor:
    """Return the processes, which are started once: that takes them longer than a picture does."""
    key = (os.getpid(), workers)  # a fork has none of the processes of its parent
    if key not in _POOLS:
        # A process started anew shares no thread with this one, as a fork would: OpenMP and OpenCV do not survive that.
        context = multiprocessing.get_context("spawn")
        _POOLS[key] = ProcessPoolExecutor(workers, context, initializer=_single_threaded)
    return _POOLS[key]


def _first(waiting: deque, title: str) -> tuple[int, Arrays]:
    i, image_id, future = waiting.popleft()
    try:
        answer = future.result()
    except BrokenProcessPool:
        for key in [key for key in _POOLS if key[0] == os.getpid()]:
            _POOLS.pop(key).shutdown(wait=False, cancel_futures=True)
        remedy = "There may be too little memory: use fewer workers. What was done before is kept."
        got = f"one that ended, at image {image_id!r} or one of the next"
        raise fail("processes that live until the end", got, remedy, title) from None
    except Exception as error:
        raise _failed(title, image_id, error) from error
    return i, _checked(answer, title, image_id)


def _failed(title: str, image_id: object, error: Exception) -> InputError:
    got = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    return fail("a result", got, "Repair the cause, or leave the image out.", f"{title}, image {image_id!r}")


def _checked(answer: object, title: str, image_id: object) -> Arrays:
    where = f"{title}, image {image_id!r}"
    check_type(answer, Mapping, "a dict of arrays", "Return one.", where)
    return {str(name): np.asarray(values) for name, values in answer.items()}  # type: ignore[attr-defined]


def _end_with_the_parent() -> None:
    """End this process when the one that started it is gone, however it ended; nobody else would."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _single_threaded() -> None:
    """Leave the other processors to the other processes."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    numba.set_num_threads(1)
    os.environ["OPENCV_FOR_THREADS_NUM"] = "1"
    if "cv2" in sys.modules:
        sys.modules["cv2"].setNumThreads(1)
