"""What has been computed of each image, kept on disk until the rest is done."""

from __future__ import annotations

import hashlib
import inspect
import io
import json
import os
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from propeval_lite._checks.values import check_type, fail

PACKAGE = Path(__file__).resolve().parents[1]
ID = "image_id of the checkpoint"


def source_digest(*functions: Callable) -> str:
    """Digest of the library's source and of the files in which further functions are written; 16 hex digits.

    Part of every recipe: after a change of the program nothing old is taken for a result of the new one.

    Examples
    --------
    >>> len(source_digest())
    16
    """
    digest = hashlib.sha256()
    files = sorted(PACKAGE.rglob("*.py"))
    for function in functions:
        while hasattr(function, "func"):  # a partial
            function = function.func
        try:
            written_in = inspect.getsourcefile(function)
        except TypeError:
            continue
        if written_in is not None and Path(written_in).is_file():
            files.append(Path(written_in))
    for file in files:
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class Checkpoint:
    """A folder with one file for each image that is done.

    Parameters
    ----------
    folder : str or Path
        Made if it is not there. Each recipe has a folder of its own in it.
    recipe : mapping
        All that the results depend on besides the image, as JSON can hold it. Other recipes never meet.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = Checkpoint(folder, {"seed": 1})
    ...     done.save("a", {"iou": np.array([0.5])})
    ...     done.load("a")["iou"].tolist(), done.load("b"), Checkpoint(folder, {"seed": 2}).load("a")
    ([0.5], None, None)
    """

    def __init__(self, folder: str | Path, recipe: Mapping):
        check_type(folder, (str, Path), "a folder", "Give its path.", "checkpoint")
        check_type(recipe, Mapping, "a recipe as a mapping", "Say what the results depend on.", "checkpoint")
        try:
            text = json.dumps(dict(recipe), sort_keys=True)
        except TypeError as error:
            remedy = "Use numbers, text, lists and mappings."
            raise fail("a recipe that JSON can hold", error, remedy, "checkpoint") from None
        self.folder = Path(folder) / hashlib.sha256(text.encode()).hexdigest()[:16]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            remedy = "Choose another folder, or make room."
            raise fail("a folder that can be made", error, remedy, f"checkpoint {folder}") from None
        self._write("recipe.json", text.encode())

    def path(self, image_id: object) -> Path:
        """Return the file of an image."""
        name = hashlib.blake2b(repr(image_id).encode(), digest_size=16).hexdigest()
        return self.folder / f"{name}.npz"

    def load(self, image_id: object) -> dict[str, np.ndarray] | None:
        """Return what was saved for an image; None if there is nothing, or a file that is cut short or damaged."""
        try:
            content = io.BytesIO(self.path(image_id).read_bytes())
            with np.load(content, allow_pickle=False) as file:
                found = {name: file[name] for name in file.files}
        except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
            return None
        return found if str(found.pop(ID, None)) == repr(image_id) else None

    def save(self, image_id: object, arrays: Mapping[str, np.ndarray]) -> None:
        """Keep the arrays of an image; the file is there whole or not at all."""
        buffer = io.BytesIO()
        np.savez(buffer, **{ID: np.array(repr(image_id))}, **arrays)  # type: ignore[arg-type]
        self._write(self.path(image_id).name, buffer.getvalue())

    def _write(self, name: str, content: bytes) -> None:
        # Several runs may write the same file at once: each its own, and the last one stays.
        part = self.folder / f"{name}.{os.getpid()}.part"
        part.write_bytes(content)
        os.replace(part, self.folder / name)
