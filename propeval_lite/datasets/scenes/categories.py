"""The categories of the synthetic scenes: which drawing, which pattern, which colours.

Each category has a shape of its own and a pattern and colours of its own, so that a method trained on some categories
cannot know the others by their looks. The drawings are data: ``drawings.txt`` beside this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise

import numpy as np

from propeval_lite.datasets.scenes import shapes

# material: texture, colour, detail colour
MATERIALS = {
    "tyre": ("soft", "26262b", "34343b"),
    "steel": ("brushed", "8f99a3", "d5dbe0"),
    "glass": ("glass", "7fa9bf", "e4f2f8"),
    "dark": ("soft", "2a2426", "3d3538"),
    "white": ("soft", "f3efe6", "e2dccf"),
    "wood": ("wood", "a8733f", "7f5329"),
    "skin": ("soft", "d9a07c", "c98d69"),
    "canvas": ("veins", "f4ecd8", "e3d6b8"),
    "stone": ("speckle", "8c8a85", "5f5d59"),
    "leaf": ("veins", "4f8f3f", "79b65d"),
    "clay": ("bands", "bf6b45", "ad5c38"),
    "bark": ("fur", "6b4a33", "4a3222"),
    "tea": ("soft", "7a3f1d", "8f5028"),
    "screen": ("waves", "2c5f8a", "8fd0e8"),
    "mesh": ("dots", "3f3a36", "8a8178"),
    "roof": ("scales", "a3472f", "743020"),
    "lamp": ("glass", "f7d774", "fff6d0"),
    "fire": ("fur", "f5a623", "fff0a8"),
    "beak": ("soft", "e8962e", "d67f1c"),
    "horn": ("bands", "d9cbb0", "bfae8e"),
    "wings": ("veins", "cfe3ea", "9fc0cc"),
    "spokes": ("brushed", "aab2b9", "dfe4e8"),
    "wicker": ("checks", "c79a5a", "946a32"),
}


@dataclass(frozen=True)
class Part:
    """A named piece of an object: the union of its outlines, in one material; ``y`` points up."""

    name: str
    material: str
    outlines: tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class Category:
    """A kind of object: how it stands ("ground", "water" or "air"), its pattern, three colours, and its parts."""

    name: str
    family: str
    stance: str
    texture: str
    main: str
    detail: str
    second: str
    parts: tuple[Part, ...]

    def material(self, name: str) -> tuple[str, str, str]:
        """Texture and two colours of a part's material."""
        if name == "main":
            return self.texture, self.main, self.detail
        if name == "second":
            return "soft", self.second, _darker(self.second)
        if name == "legs" and self.texture == "stripes":
            return "bands", self.main, self.detail
        if name == "legs":
            return "fur", self.main, self.second
        if name == "wing":
            return "scales", self.detail, self.second
        return MATERIALS[name]


def _darker(text: str) -> str:
    return "".join(f"{int(text[k : k + 2], 16) * 4 // 5:02x}" for k in (0, 2, 4))


def colour(text: str) -> np.ndarray:
    """Three float32 values 0 to 255 from a hexadecimal colour.

    Examples
    --------
    >>> colour("ff8000").tolist()
    [255.0, 128.0, 0.0]
    """
    return np.array([int(text[k : k + 2], 16) for k in (0, 2, 4)], dtype=np.float32)


def _outline(text: str) -> np.ndarray:
    word, *numbers = text.split()
    values = [float(number) for number in numbers]
    if word in ("oval", "block", "limb", "ring"):
        return getattr(shapes, word)(*values)
    points = np.array(values).reshape(-1, 2)
    if word == "lathe":
        return shapes.lathe(points)
    return shapes.smooth(points, int(word.removeprefix("smooth"))) if word != "straight" else points


def _part(line: str) -> Part:
    name, material, outlines = (field.strip() for field in line.split("|"))
    return Part(name, material, tuple(_outline(text) for text in outlines.split(";")))


def read_drawings(text: str) -> tuple[Category, ...]:
    r"""Categories from the text of a drawings file (its first lines say how it is written).

    Examples
    --------
    >>> kind, = read_drawings("ball toy ground soft ff0000 00ff00 0000ff\n  skin | main | oval 0 1 1 1")
    >>> kind.name, kind.family, kind.parts[0].name, kind.parts[0].outlines[0].shape
    ('ball', 'toy', 'skin', (32, 2))
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    starts = [k for k, line in enumerate(lines) if not line.startswith(" ")] + [len(lines)]
    return tuple(
        Category(
            name, family, stance, texture, main, detail, second, tuple(map(_part, lines[first + 1 : last]))
        )
        for first, last in pairwise(starts)
        for name, family, stance, texture, main, detail, second in [lines[first].split()]
    )


CATEGORIES = read_drawings(
    files("propeval_lite.datasets.scenes").joinpath("drawings.txt").read_text(encoding="utf-8")
)
