"""Open JSON, XML, MAT and picture files so that a broken file gives an error naming it, with the remedy."""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath

import numpy as np
import pandas as pd
import scipy.io
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, parse
from PIL import Image, UnidentifiedImageError

from propeval_lite._checks.values import InputError, check_choice, fail

DOWNLOAD_AGAIN = "The file is broken or cut short; download or write it again."
#: Real boxes do not shrink a hundredfold; a file that unpacks to more than this is made to fill the memory.
MOST_UNPACKED, MOST_TIMES = 2**28, 100
#: No photograph has more pixels; the header of a picture tells before it is unpacked.
MOST_PIXELS = 2**27
#: How JSON writes the halves of characters beyond 65 535.
HALF = re.compile(r"\\u[dD][89a-fA-F]")
#: Modes of Pillow that hold numbers of regions, and those that an RGB picture of 8 bits can be made of.
PALETTES = ("P", "L")
PHOTOGRAPHS = ("RGB", "RGBA", "L", "LA", "P", "PA", "1", "CMYK", "YCbCr", "LAB", "HSV")


class BadInput:
    """The user's choice about bad input: stop at the first, or go on and remember what was left out.

    Parameters
    ----------
    on_bad : {"error", "drop"}
    where : str
        The file that is being read; named in each error.

    Examples
    --------
    >>> bad = BadInput("drop", "boxes.json")
    >>> bad(7, "bbox", "4 numbers", "3", "Write x, y, width, height.")
    >>> bad.left_out[0]["image_id"], bad.left_out[0]["got"]
    (7, '3')
    """

    def __init__(self, on_bad: str, where: str):
        self.on_bad = check_choice(on_bad, ("error", "drop"), "on_bad")
        self.where = where
        self.left_out: list[dict] = []

    def __call__(
        self, image_id, column: str, expected: str, got: object, remedy: str, action="left out"
    ) -> None:
        """Raise the error, or note the row as left out."""
        if self.on_bad == "error":
            where = f"{self.where}: image {image_id!r}, column {column}"
            raise fail(expected, got, f"{remedy} Or pass on_bad='drop' to leave it out.", where)
        note = {
            "image_id": image_id,
            "column": column,
            "expected": expected,
            "got": str(got),
            "action": action,
        }
        self.left_out.append(note)


def plain(text: str | None) -> str:
    """Return the text of a number for int or float, which take 1_5 for 15: such and missing text raises ValueError."""
    if text is None or "_" in text:
        raise ValueError(text)
    return text


def existing(path: str | Path, what: str, kind: str | None = None) -> Path:
    """Return `path` as a Path that exists; `kind` says whether it must be a "file" or a "folder"."""
    if not isinstance(path, (str, Path)) or not str(path):
        raise fail(f"the path of {what}", repr(path), "Give the path as text.")
    try:
        path = Path(path).expanduser()
        found = path.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise fail(f"{what} at {str(path)[:80]}", error, "Check the spelling of the path.") from None
    if not found:
        raise fail(f"{what} at {path}", "no such file or folder", "Check the spelling of the path.")
    if kind is not None and path.is_dir() != (kind == "folder"):
        got = "a folder" if kind == "file" else "a file"
        raise fail(f"{what} at {path}", got, f"Give the path of a {kind}.")
    return path


def files_in(folder: Path, ending: str) -> list[Path]:
    """Files of a folder with this ending, in small or capital letters, by name; two of one name are an error."""
    found = sorted(file for file in folder.iterdir() if file.suffix.lower() == ending)
    stems = [file.stem for file in found]
    twice = [file.name for file in found if stems.count(file.stem) > 1] if len({*stems}) < len(stems) else []
    if twice:
        raise fail("each file name once", " and ".join(twice[:2]), "Remove one of them.", str(folder))
    return found


def read_json(path: str | Path, what: str = "a JSON file"):
    """Parse a JSON file."""
    path = existing(path, what, "file")
    try:
        # Editors on Windows begin the file with a mark, which "utf-8-sig" skips.
        text = path.read_text(encoding="utf-8-sig")
        content = json.loads(text, object_pairs_hook=_keys_once)
        if HALF.search(text):
            # Half of a character that is written as two: tables and files cannot hold it.
            json.dumps(content, ensure_ascii=False).encode()
        return content
    except json.JSONDecodeError as error:
        got = f"a syntax error in line {error.lineno}, column {error.colno} ({error.msg})"
        raise fail("valid JSON", got, DOWNLOAD_AGAIN, str(path)) from None
    except UnicodeEncodeError as error:
        got = f"half of one, {error.object[error.start : error.end]!a}"
        raise fail("whole characters", got, "Repair the text; ids are often cut there.", str(path)) from None
    except UnicodeDecodeError:
        raise fail("JSON text in UTF-8", "other bytes", DOWNLOAD_AGAIN, str(path)) from None
    except _TwiceError as error:
        remedy = "Only one of the two could be read; write the file again."
        raise fail("each key once in a JSON object", f"{error} twice", remedy, str(path)) from None
    except (RecursionError, ValueError) as error:
        raise fail("JSON of ordinary depth and numbers", error, DOWNLOAD_AGAIN, str(path)) from None


class _TwiceError(Exception):
    """A key of a JSON object that is there twice."""


def _keys_once(pairs: list) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(repr(next(key for key in keys if keys.count(key) > 1)))
    return found


def read_xml(path: str | Path):
    """Parse an XML file without expanding entities and return its root element."""
    path = existing(path, "an XML file", "file")
    try:
        return parse(path, forbid_dtd=True).getroot()
    except DefusedXmlException as error:
        raise fail(
            "XML without document type or entities",
            f"a file that declares them ({type(error).__name__})",
            "Such files can exhaust memory and are refused; use the annotation file as published.",
            str(path),
        ) from None
    except (ParseError, LookupError, ValueError) as error:
        raise fail("valid XML", f"a syntax error ({error})", DOWNLOAD_AGAIN, str(path)) from None


def read_mat(path: str | Path, names: tuple[str, ...] | None = None, **options) -> dict[str, np.ndarray]:
    """Read variables of a MATLAB file up to version 7; a name in `names` that is missing is left out."""
    path = existing(path, "a .mat file", "file")
    try:
        content = scipy.io.loadmat(path, variable_names=names, **options)
    except NotImplementedError:
        raise fail(
            "a MATLAB file up to version 7",
            "version 7.3 (HDF5)",
            "Save it again with save(..., '-v7').",
            str(path),
        ) from None
    except Exception as error:
        # scipy raises many types (ValueError, TypeError, zlib.error, EOFError, …) for broken files.
        got = f"{type(error).__name__}: {error}"
        raise fail("a readable MATLAB file", got, DOWNLOAD_AGAIN, str(path)) from None
    return {name: value for name, value in content.items() if not name.startswith("__")}


def read_npz(path: str | Path) -> dict[str, np.ndarray]:
    """Read all arrays of an NPZ file; pickled objects are refused."""
    path = existing(path, "an .npz file", "file")
    try:
        with zipfile.ZipFile(path) as packed:
            unpacked = sum(entry.file_size for entry in packed.infolist())
            locked = any(entry.flag_bits & 1 for entry in packed.infolist())
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise fail("a readable NPZ file", f"{type(error).__name__}", DOWNLOAD_AGAIN, str(path)) from None
    if locked:
        raise fail("an NPZ file without password", "an encrypted one", "Save it with np.savez.", str(path))
    if unpacked > most_unpacked(path):
        raise unpacks_to_too_much(path, f"{unpacked:,} bytes")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            return {name: content[name] for name in content.files}
    except Exception as error:
        # zipfile and numpy raise many types (RuntimeError, NotImplementedError, LZMAError, …) for odd files.
        if "pickle" in str(error).lower() and zipfile.is_zipfile(path):
            remedy = "Pickled objects can run code and are refused; save ids as text or whole numbers."
            raise fail("plain arrays", "an array of Python objects", remedy, str(path)) from None
        raise fail("a readable NPZ file", f"{type(error).__name__}", DOWNLOAD_AGAIN, str(path)) from None


def most_unpacked(path: Path) -> int:
    """Return the number of bytes that a compressed file may hold."""
    return max(MOST_UNPACKED, MOST_TIMES * path.stat().st_size)


def unpacks_to_too_much(path: Path, got: str) -> InputError:
    """Build the error for a small file that holds enormous data."""
    expected = f"at most {most_unpacked(path):,} bytes in a file of {path.stat().st_size:,}"
    return fail(expected, got, "Such files can exhaust memory and are refused.", str(path))


class Unpacked(gzip.GzipFile):
    """A file that gzip has packed, read up to the size that is plausible."""

    def __init__(self, path: Path):
        super().__init__(path)
        self.path, self.most = path, most_unpacked(path)

    def read(self, size: int | None = -1) -> bytes:
        """Read some bytes."""
        return self._within(super().read(self.most + 1 if size is None or size < 0 else size))

    def read1(self, size: int = -1) -> bytes:
        """Read what is there at once."""
        return self._within(super().read1(size))

    def _within(self, part: bytes) -> bytes:
        if self.tell() > self.most:
            raise unpacks_to_too_much(self.path, "more")
        return part


def read_picture(
    path: str | Path, mode: str | None = "RGB", size: tuple[int, int] | None = None
) -> np.ndarray:
    """Read a picture as uint8: RGB, or with ``mode=None`` the stored numbers of a palette image.

    `size` is the (width, height) that the tables state; another size is an error.
    """
    path = existing(path, "a picture", "file")
    with _opened_picture(path) as picture:
        if size is not None and picture.size != tuple(size):
            got, remedy = "{} x {}".format(*picture.size), "Use the picture the annotations were made for."
            raise fail("a picture of {} x {} pixels".format(*size), got, remedy, str(path))
        wanted = PALETTES if mode is None else PHOTOGRAPHS
        if picture.mode not in wanted:
            expected = "a palette or grey picture of 8 bits" if mode is None else "a picture of 8 bits"
            got = f"one of mode {picture.mode}"
            raise fail(expected, got, "Use the file as published, or convert it to 8 bits.", str(path))
        return np.array(picture if mode is None else picture.convert(mode))


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture, from its header."""
    with _opened_picture(path) as picture:
        return picture.size


@contextlib.contextmanager
def _opened_picture(path: Path) -> Iterator[Image.Image]:
    try:
        with warnings.catch_warnings():
            # Pillow warns from 89 million pixels on; MOST_PIXELS decides.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path) as picture:
                if picture.width * picture.height > MOST_PIXELS:
                    got, remedy = f"{picture.width} x {picture.height}", "Make the picture smaller."
                    raise fail(f"a picture of at most {MOST_PIXELS:,} pixels", got, remedy, str(path))
                yield picture
    except InputError:
        raise
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        # ValueError and SyntaxError: text chunks that are too large, broken PNG files.
        raise fail("a readable picture", f"{error}", DOWNLOAD_AGAIN, str(path)) from None


def picture_reader(
    folder: Path, images: pd.DataFrame, names: Iterable[str]
) -> Callable[[object], np.ndarray]:
    """Return a function of the image id that reads the picture of that name, in the size that `images` states."""
    names = [_inside(name, folder) for name in names]
    sizes = zip(images["width"], images["height"], strict=True)
    files = dict(zip(images["image_id"], zip(names, sizes, strict=True), strict=True))
    return partial(_read_named, folder, files)


def _inside(name: str, folder: Path) -> str:
    """Return the name of a picture if it does not lead out of its folder."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if ".." in parts or parts[:1] == ("/",):
        remedy = "Name pictures by their path below the folder of the pictures."
        raise fail(f"pictures in {folder}", f"the name {name!r}, which leads out of it", remedy)
    return name


def _read_named(folder: Path, files: dict, image_id) -> np.ndarray:
    name, size = files[image_id]
    return read_picture(folder / name, size=size)
