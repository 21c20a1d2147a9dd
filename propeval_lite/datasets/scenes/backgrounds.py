"""Backgrounds of the synthetic scenes: bands of textured stuff, and clutter that is no object.

A background is a stack of bands from top to bottom; the last bands are the ground, drawn in perspective.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from propeval_lite.datasets.scenes.categories import colour
from propeval_lite.datasets.scenes.shapes import block, cosine, oval, sine


@dataclass(frozen=True)
class Setting:
    """A kind of place.

    `above` and `ground` list the bands over and under the horizon, "name texture colour detail share waviness" with the
    band's share of the height there; the word "left" before the name means that neighbours may stand beside it.
    `clutter` lists "shape texture colour detail zone".
    """

    families: str
    horizon: tuple[float, float]
    above: str
    ground: str
    clutter: str


SETTINGS = {
    "meadow": Setting("hoofed pawed bird insect plant building person", (0.28, 0.5),
        "sky cloud 8db9dc f3f7fa .62 .02; hills leaves 7f9f86 94b096 .25 .1; trees leaves 4f7444 7a9a58 .13 .04",
        "grass grass 86a854 5d8238 1 .015",
        "cloud soft f4f6f8 dfe6ec sky; bush leaves 4f7a3c 86a957 far; tuft grass 6f9443 a5bf6a near; "
        "stone speckle 9a958a 6f6a60 near; bush leaves 6b8f4a 3f6a33 far"),
    "street": Setting("car cycle person building pawed", (0.4, 0.55),
        "sky cloud a9c3d6 eef3f6 .3 0; left fronts panes c9a58a 57687a .7 0",
        "pavement tiles b9b2a6 8f897e .22 0; road speckle 6f7176 8b8d92 .78 0",
        "poster zigzag c8b273 8a5a44 wall; awning stripes d8d2c4 a8544a wall; puddle soft 8fa3b0 b9c8d1 near; "
        "bin brushed 5f6f66 8fa096 far; stone soft 54565b 66686d near"),
    "beach": Setting("boat person bird plant vessel", (0.3, 0.5),
        "sky cloud 9cc7e0 f8f5ee .55 0; sea waves 3f87a6 9fd0dc .45 .004",
        "foam soft dfeaea f6f6f0 .06 .03; sand speckle dcc79a c2a877 .94 .02",
        "cloud soft f8f8f5 e5e9ec sky; stone speckle a08f78 776852 near; shell veins e9d5c3 c9a58f near; "
        "puddle soft c3b48e d6c8a2 near; tuft grass a7ad6a 7f8a4a far"),
    "room": Setting("furniture device vessel plant person pawed fruit", (0.5, 0.66),
        "left wall stripes d9d2c3 cbc2b0 .93 0; skirting soft f1ede4 e2dccf .07 0",
        "floor planks b98a5a 8a6038 1 0",
        "poster marble d8c9b0 7f9aa8 wall; poster checks c9b79c 9a7f6a wall; window glass a9c9dc eaf4f9 wall; "
        "rug plaid a85f52 d9b99a near; rug zigzag 6f8a94 c9d3d0 near"),
    "snow": Setting("person bird building pawed hoofed aircraft car", (0.3, 0.5),
        "sky cloud b7c9dc f2f2f4 .5 0; peaks marble 8d9bb0 e9eef4 .35 .22; firs grass 4a6358 6f8a7a .15 .05",
        "snow soft f1f4f8 dbe3ec 1 .02",
        "cloud soft f6f7f9 e3e8ee sky; bush grass 5f7a6a e4ebf0 far; stone speckle 8a919b c9d1da near; "
        "puddle soft c9d9e6 dfe9f1 near; drift soft ffffff e3eaf2 near"),
    "forest": Setting("pawed hoofed insect plant bird", (0.45, 0.6),
        "canopy leaves 3f6237 6b8f4a .6 .05; left trunks fur 5a4a3a 7f9468 .4 .04",
        "undergrowth leaves 6f7f3f 97a05a .35 .03; path soft a58a63 8d734f .65 .05",
        "bush leaves 56803f 8aac5a far; log wood 7f5c3e 5c4029 near; stone speckle 8a8578 605c52 near; "
        "tuft grass 5f8038 93ad5a near; leaf veins b5793a d9a35a near"),
    "tabletop": Setting("fruit vessel device insect plant", (0.35, 0.55),
        "left wall soft 8f9aa0 a9b3b6 1 0",
        "table wood b5835a 8f6240 1 0",
        "poster spots 9fb0b0 d9dcd2 wall; cloth plaid e3ded0 a9b8a6 near; cloth checks c9d6d9 8fa6b0 near; "
        "crumb speckle d9c9a9 a98a5f near; puddle glass 9fb6bd c9d8dc near"),
    "lake": Setting("boat bird fish person hoofed", (0.25, 0.42),
        "sky cloud 9dbbd6 f1efe9 .7 0; shore leaves 5c7d5a 84a070 .3 .1",
        "water waves 4f8496 a5cdd2 .75 .01; bank grass 7d9a4c a9b86a .25 .05",
        "cloud soft f4f4f2 dfe5ea sky; bush leaves 4d7446 7fa060 far; stone speckle 8b8a84 b5b2a8 near; "
        "pad veins 5f8f4f 8fb86a near; tuft grass 6a8a3f a0b566 near"),
    "underwater": Setting("fish boat vessel", (0.55, 0.75),
        "shallows cloud 5fb0bf a9dede .45 .03; depth soft 3a8aa3 2f7893 .55 .05",
        "seabed speckle c9b98f a08f68 1 .05",
        "bubble soft a9dee4 c9eef0 sky; coral wool d9776a f0b39a near; weed grass 3f7f5a 6fae7a near; "
        "stone speckle 7f8a86 566460 near; coral dots b57fa8 e3c3d9 far"),
    "sky": Setting("aircraft bird insect building", (0.66, 0.85),
        "zenith cloud 6fa3d2 f4f7fa .7 .08; haze cloud b9d2e3 f6f4ee .3 .05",
        "fields checks 8fa866 b5b878 1 .02",
        "cloud soft f7f8f9 e1e8ee sky; cloud soft ffffff e9eef2 sky; cloud soft eef1f5 cfd9e2 sky; "
        "bush leaves 5f8050 86a066 far; cloud soft f2f2f0 dcdcdc sky"),
}  # fmt: skip


VARIED = ("soft", "stripes", "bricks", "panes", "tiles")  # patterns of neighbouring walls


@dataclass(frozen=True)
class Band:
    """One stuff region: what lies below `edge` (a row per column) and, if `cut` is a column, on one `side` of it."""

    name: str
    texture: str
    base: np.ndarray
    detail: np.ndarray
    edge: np.ndarray
    top: float
    bottom: float
    ground: bool
    cut: float = 0.0
    side: int = 0

    def alpha(self, height: int) -> np.ndarray:
        """Opacity (height, width) of the band, soft over the pixel at its border."""
        rows = np.arange(height, dtype=np.float32)[:, None] + np.float32(0.5)
        opacity = np.clip(rows - self.edge.astype(np.float32) + np.float32(0.5), 0, 1)
        if self.side:
            columns = np.arange(len(self.edge)) + 0.5
            opacity *= np.clip(self.side * (columns - self.cut) + 0.5, 0, 1).astype(np.float32)
        return opacity

    def owns(self, height: int) -> np.ndarray:
        """Pixels (height, width) that are at least half covered by the band."""
        columns = np.arange(len(self.edge)) + 0.5
        first = np.where(self.side * (columns - self.cut) >= 0, self.edge, height)
        return (np.arange(height)[:, None] + 0.5) >= first


def _curve(rng: np.random.Generator, width: int, waviness: float) -> np.ndarray:
    """Smooth random offsets of a boundary, one per column, within ± waviness."""
    offset = np.zeros(width)
    place = np.arange(width) / width
    for frequency, share in ((1.3, 0.5), (2.9, 0.3), (6.7, 0.2)):
        shift, stretch = rng.random(2)
        offset += share * sine(frequency * (0.7 + 0.6 * stretch) * place + shift)
    return waviness * offset


def tint(rng: np.random.Generator, text: str, amount: float) -> np.ndarray:
    """Colour `text`, varied in lightness and in each channel."""
    factors = 1 + amount * (2 * rng.random() - 1) + 0.5 * amount * (2 * rng.random(3) - 1)
    return (colour(text) * factors).astype(np.float32)


def make_bands(
    rng: np.random.Generator, setting: Setting, width: int, height: int
) -> tuple[list[Band], np.ndarray, float]:
    """Draw the bands of a setting.

    Returns
    -------
    bands : list of Band
        From top to bottom.
    labels : (height, width) int16
        Index of the band that owns each pixel.
    horizon : float
        Row where the ground begins.
    """
    horizon = height * (setting.horizon[0] + (setting.horizon[1] - setting.horizon[0]) * rng.random())
    bands, labels = [], np.zeros((height, width), np.int16)
    start = 0.0
    for zone, (low, high) in ((setting.above, (0.0, horizon)), (setting.ground, (horizon, float(height)))):
        start = low
        for words in (row.split() for row in zone.split(";")):
            split = words[0] == "left"
            name, texture, base, detail, share, waviness = words[1:] if split else words
            end = min(start + float(share) * (high - low) * (0.85 + 0.3 * rng.random()), high)
            edge = start + height * _curve(rng, width, float(waviness)) if start > 0 else np.full(width, -1.0)
            paint = tint(rng, base, 0.1), tint(rng, detail, 0.1)
            ground = zone is setting.ground
            bands.append(Band(name, texture, *paint, edge, start, end, ground))
            labels[bands[-1].owns(height)] = len(bands) - 1
            for _ in range(int(rng.integers(1, 4)) if split else 0):
                cut, side = width * (0.1 + 0.8 * rng.random()), 1 if rng.random() < 0.5 else -1
                raised = edge - height * 0.12 * (rng.random() - 0.3) if start > 0 else edge
                other = VARIED[int(rng.integers(len(VARIED)))] if rng.random() < 0.5 else texture
                paint = tint(rng, base, 0.3), tint(rng, detail, 0.25)
                bands.append(Band(name, other, *paint, raised, start, end, ground, cut, side))
                labels[bands[-1].owns(height)] = len(bands) - 1
            start = end
    return bands, labels, horizon


def clutter_outlines(rng: np.random.Generator, shape: str) -> list[np.ndarray]:
    """Outline of a thing that nobody annotates, about 2 wide around the origin, ``y`` up."""
    if shape in ("cloud", "bush", "coral", "drift"):
        flat = 0.5 if shape in ("cloud", "drift") else 0.8
        return [
            oval(
                1.4 * rng.random() - 0.7,
                flat * (0.5 * rng.random() - 0.1),
                0.3 + 0.3 * rng.random(),
                flat * (0.3 + 0.3 * rng.random()),
            )
            for _ in range(5)
        ]
    if shape in ("tuft", "weed"):
        blades = []
        for x in np.arange(-3, 4) * 0.22:
            tip, lean = 0.5 + 1.1 * rng.random(), 0.7 * (rng.random() - 0.5) + 0.4 * x
            blades.append(np.array([(x - 0.13, -0.3), (x + lean, tip), (x + 0.13, -0.3)]))
        return blades
    if shape in ("poster", "window", "awning", "bin"):
        tall = {"poster": 0.6 + 0.6 * rng.random(), "window": 1.1, "awning": 0.3, "bin": 1.3}[shape]
        return [block(-1, -tall, 1, tall, 0.04)]
    if shape in ("rug", "cloth", "log"):
        lean, tall = 0.3 * rng.random(), 0.14 if shape == "log" else 0.3
        return [np.array([(lean - 1, tall), (lean + 1, tall), (1, -tall), (-1, -tall)])]
    if shape in ("puddle", "pad", "bubble", "shell", "leaf"):
        flat = {"puddle": 0.25, "pad": 0.35, "bubble": 1.0, "shell": 0.6, "leaf": 0.45}[shape]
        return [oval(0, 0, 1, flat, 0 if shape == "puddle" else 0.1 * rng.random())]
    angle = np.arange(12) / 12
    radius = 0.6 + 0.4 * rng.random(12)
    radius = (radius + np.roll(radius, 1) + np.roll(radius, -1)) / 3
    return [np.stack((radius * cosine(angle), 0.65 * radius * sine(angle)), axis=1)]
