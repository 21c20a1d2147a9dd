"""Where things stand in a synthetic scene: how many, how large, in front of what; and which pixel belongs to whom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from propeval_lite.datasets.scenes.backgrounds import SETTINGS, Band, clutter_outlines, make_bands, tint
from propeval_lite.datasets.scenes.categories import Category
from propeval_lite.datasets.scenes.counts import draw_count, draw_size, pick
from propeval_lite.datasets.scenes.shapes import cosine, coverage, sine

LEAST_VISIBLE = 0.22  # an object of which less shows is left out
LEAST_SIDE = 9.0  # pixels; no object is made smaller than this


@dataclass
class Layer:
    """One drawn piece: coverage crop at (x0, y0), material, and the frame its pattern is fixed to."""

    x0: int
    y0: int
    cover: np.ndarray
    texture: str
    base: np.ndarray
    detail: np.ndarray
    centre: tuple[float, float]
    turn: float
    side: float
    part: str = ""


@dataclass
class Item:
    """An object (or, without category, a piece of clutter) and its layers, far to near."""

    category: Category | None
    layers: list[Layer]
    base: float
    stance: str
    truncated: bool = False
    visible: float = 1.0
    occluded: bool = False


@dataclass
class Scene:
    """A scene before painting.

    `band_map` (h, w) is the index of the stuff region at each pixel as if nothing stood before it, `layer_map` (h, w)
    the number of the foremost layer (0: none, k: the k-th layer counted over all items), `layer_item` the index of
    each layer's item (−1 for 0), `objects` the indices of the items that are objects.
    """

    width: int
    height: int
    kind: str
    horizon: float
    bands: list[Band]
    items: list[Item]
    band_map: np.ndarray
    layer_map: np.ndarray
    layer_item: np.ndarray
    objects: np.ndarray


def _pose(rng: np.random.Generator, category: Category) -> tuple[list[list[np.ndarray]], np.ndarray, float]:
    """Mirror, stretch, lean and turn a drawing; return its outlines (``y`` down, from 0 on), size and turn."""
    mirror = -1.0 if rng.random() < 0.5 else 1.0
    stretch = 0.85 + 0.33 * rng.random()
    lean = 0.16 * (rng.random() - 0.5)
    turn = {"ground": 0.008, "water": 0.012, "air": 0.05}[category.stance] * (2 * rng.random() - 1)
    if category.family in ("fruit", "insect"):
        turn = 0.06 * (2 * rng.random() - 1)
    c, s = cosine(turn), sine(turn)
    posed = []
    for piece in category.parts:
        outlines = []
        for outline in piece.outlines:
            y = outline[:, 1]
            x = outline[:, 0] * (mirror * stretch) + lean * y
            outlines.append(np.stack((x * c + y * s, x * s - y * c), axis=1))
        posed.append(outlines)
    every = np.concatenate([outline for outlines in posed for outline in outlines])
    low, high = every.min(axis=0), every.max(axis=0)
    posed = [[outline - low for outline in outlines] for outlines in posed]
    return posed, high - low, turn


def _fit(rng: np.random.Generator, size: float, natural, width: int, height: int):
    """Scale an object so that its part inside the image has the wanted size; return full size and cut-off shares."""
    area = size * size * width * height
    cut = [0.0, 0.0]
    if rng.random() < 0.06 + 0.3 * size:
        cut[int(rng.random() < 0.35)] = 0.08 + 0.3 * rng.random()
    aspect = natural[0] / natural[1]
    full = area / ((1 - cut[0]) * (1 - cut[1]))
    fw, fh = np.sqrt(full * aspect), np.sqrt(full / aspect)
    seen_w, seen_h = fw * (1 - cut[0]), fh * (1 - cut[1])
    grow = max(seen_w / width, seen_h / height, 1.0)
    return fw * grow, fh * grow, cut


def _place(rng: np.random.Generator, size, cut, width, height, horizon, stance, near) -> tuple[float, float]:
    """Upper left corner for an object of full `size`; `near` is a box to stand beside, or None."""
    fw, fh = size
    if cut[0] and fw * (1 - cut[0]) <= width:
        x = -fw * cut[0] if rng.random() < 0.5 else width - fw * (1 - cut[0])
    elif fw >= width:
        x = (width - fw) * (0.2 + 0.6 * rng.random())
    elif near is not None:
        overlap = (0.1 + 0.5 * rng.random()) * min(fw, near[2] - near[0])
        x = near[2] - overlap if rng.random() < 0.5 else near[0] - fw + overlap
        x = min(max(x, 0.0), width - fw)
    else:
        x = (width - fw) * (0.35 * (rng.random() + rng.random()) + 0.3 * rng.random())
    if cut[1] and fh * (1 - cut[1]) <= height:
        return x, height - fh * (1 - cut[1])
    if fh >= height:
        return x, (height - fh) * 0.35 * rng.random()
    if stance == "air":
        return x, (height - fh) * (0.1 + 0.75 * rng.random())
    lowest = max(horizon + 0.04 * height, fh)
    base = lowest + max(0.98 * height - lowest, 0.0) * (0.05 + 0.8 * rng.random())
    if near is not None:
        base = min(max(near[3] + 0.16 * height * (rng.random() - 0.5), lowest), float(height))
    return x, min(base, float(height)) - fh


def _hidden(box, base: float, placed: list[tuple]) -> float:
    """Largest share of any box that a nearer box would hide if `box` were added."""
    worst = 0.0
    for other, other_base in placed:
        w = min(box[2], other[2]) - max(box[0], other[0])
        h = min(box[3], other[3]) - max(box[1], other[1])
        if w > 0 and h > 0:
            back = other if base > other_base else box
            worst = max(worst, w * h / ((back[2] - back[0]) * (back[3] - back[1])))
    return worst


def _object(rng, category, size, width, height, horizon, placed) -> Item:
    posed, natural, turn = _pose(rng, category)
    fw, fh, cut = _fit(rng, size, natural, width, height)
    limit = (0.03, 0.3, 0.6)[pick((0.45, 0.3, 0.25), rng.random())]
    places = []
    for _ in range(12):
        beside = (
            placed[int(rng.integers(len(placed)))][0]
            if placed and limit > 0.1 and rng.random() < 0.7
            else None
        )
        x, y = _place(rng, (fw, fh), cut, width, height, horizon, category.stance, beside)
        box = (max(x, 0.0), max(y, 0.0), min(x + fw, float(width)), min(y + fh, float(height)))
        places.append((_hidden(box, y + fh, placed), x, y, box))
        if places[-1][0] <= limit:
            break
    _, x, y, box = min(places, key=lambda place: place[0])
    placed.append((box, y + fh))
    scale = np.array([fw / natural[0], fh / natural[1]])
    shared = 1 + 0.12 * (2 * rng.random() - 1)
    layers = []
    for piece, outlines in zip(category.parts, posed, strict=True):
        texture, base, detail = category.material(piece.material)
        x0, y0, cover = coverage([outline * scale + (x, y) for outline in outlines], width, height)
        paint = tint(rng, base, 0.07) * np.float32(shared), tint(rng, detail, 0.07) * np.float32(shared)
        centre = (x + 0.5 * fw, y + 0.5 * fh)
        layers.append(
            Layer(x0, y0, cover, texture, *paint, centre, turn, float(np.sqrt(fw * fh)), piece.name)
        )
    truncated = x < -0.5 or y < -0.5 or x + fw > width + 0.5 or y + fh > height + 0.5
    return Item(category, layers, y + fh, category.stance, truncated)


def _clutter(rng, words, width, height, horizon) -> Item:
    shape, texture, base, detail, zone = words
    side = np.sqrt(width * height)
    grown = rng.random()
    if zone == "sky":
        x, y, r = width * rng.random(), 0.7 * horizon * rng.random(), side * (0.04 + 0.1 * grown)
    elif zone == "wall":
        x, y, r = width * rng.random(), horizon * (0.2 + 0.5 * rng.random()), side * (0.03 + 0.06 * grown)
    elif zone == "far":
        x, y, r = (
            width * rng.random(),
            horizon + 0.06 * (height - horizon) * rng.random(),
            side * (0.03 + 0.07 * grown),
        )
    else:
        depth = 0.1 + 0.88 * rng.random()
        x, y = width * rng.random(), horizon + (height - horizon) * depth
        flat = shape in ("rug", "cloth", "puddle", "log", "pad", "drift")
        r = side * (0.02 + 0.04 * grown + (0.06 + 0.2 * depth if flat else 0.015 * depth))
    if shape in ("bubble", "shell", "leaf", "crumb"):
        r *= 0.4
    outlines = [outline * (r, -r) + (x, y) for outline in clutter_outlines(rng, shape)]
    x0, y0, cover = coverage(outlines, width, height)
    layer = Layer(
        x0,
        y0,
        cover,
        texture,
        tint(rng, base, 0.12),
        tint(rng, detail, 0.12),
        (x, y),
        0.0,
        float(2.0 * r),
        shape,
    )
    flat = shape in (
        "rug",
        "cloth",
        "puddle",
        "poster",
        "window",
        "awning",
        "cloud",
        "pad",
        "drift",
        "bubble",
    )
    front = shape in ("tuft", "stone", "weed") and zone == "near"
    return Item(None, [layer], y + r if front else -1.0, "flat" if flat else "ground")


def _own(items: list[Item], width: int, height: int):
    """Paint layer numbers far to near; return the map, each layer's item and how much of each item showed at first."""
    owner = np.zeros((height, width), np.int16)
    layer_item, first = [-1], []
    for index, item in enumerate(items):
        start = len(layer_item)
        for layer in item.layers:
            h, w = layer.cover.shape
            owner[layer.y0 : layer.y0 + h, layer.x0 : layer.x0 + w][layer.cover >= 128] = len(layer_item)
            layer_item.append(index)
        x0, y0 = (min(getattr(layer, name) for layer in item.layers) for name in ("x0", "y0"))
        first.append(int(np.count_nonzero(owner[y0:, x0:] >= start)))
    return owner, np.array(layer_item), np.array(first, dtype=np.int64)


def make_scene(
    rng: np.random.Generator, width: int, height: int, main: Category, pool: tuple[Category, ...]
) -> Scene:
    """Draw a scene around one object of category `main`, with others from `pool`."""
    fitting = [name for name, setting in SETTINGS.items() if main.family in setting.families.split()]
    kind = fitting[int(rng.integers(len(fitting)))]
    setting = SETTINGS[kind]
    bands, band_map, horizon = make_bands(rng, setting, width, height)
    count = draw_count(rng)
    least = LEAST_SIDE / np.sqrt(width * height)
    sizes = sorted((max(min(1.02 * draw_size(rng, count), 1.0), least) for _ in range(count)), reverse=True)
    local = [category for category in pool if category.family in setting.families.split()] or list(pool)
    herd = rng.random() < 0.45
    items: list[Item] = []
    placed: list[tuple] = []
    for index, size in enumerate(sizes):
        category = main
        if index and not (herd and rng.random() < 0.7):
            source = local if rng.random() < 0.8 else pool
            category = source[int(rng.integers(len(source)))]
        items.append(_object(rng, category, size, width, height, horizon, placed))
    rows = [row.split() for row in setting.clutter.split(";")]
    for _ in range(int(rng.integers(4, 12))):
        items.append(_clutter(rng, rows[int(rng.integers(len(rows)))], width, height, horizon))
    items = [item for item in items if any(layer.cover.any() for layer in item.layers)]
    items.sort(key=lambda item: item.base)
    return _finish(items, width, height, kind, horizon, bands, band_map)


def _finish(items, width, height, kind, horizon, bands, band_map) -> Scene:
    """Leave out objects that hardly show, and measure how much of the others does."""
    smallest = max(12.0, 1.2e-4 * width * height)
    while True:
        owner, layer_item, first = _own(items, width, height)
        shown = np.bincount(layer_item[owner.ravel()] + 1, minlength=len(items) + 1)[1:]
        share = shown / np.maximum(first, 1)
        hidden = [
            k
            for k, item in enumerate(items)
            if item.category and (share[k] < LEAST_VISIBLE or shown[k] < smallest)
        ]
        remaining = sum(item.category is not None for item in items) - len(hidden)
        if remaining == 0:
            blockers = [k for k, item in enumerate(items) if item.category is None and item.base > 0]
            hidden = blockers or sorted(hidden, key=lambda k: shown[k])[:-1]
        if not hidden:
            break
        items = [item for k, item in enumerate(items) if k not in hidden]
    for item, part_shown in zip(items, share, strict=True):
        item.visible, item.occluded = float(part_shown), bool(part_shown < 0.995)
    objects = np.array([k for k, item in enumerate(items) if item.category is not None])
    return Scene(width, height, kind, horizon, bands, items, band_map, owner, layer_item, objects)
