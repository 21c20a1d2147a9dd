"""Paint a synthetic scene: textured bands, soft shadows, shaded objects, light, haze and grain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from propeval_lite.datasets.scenes.layout import Item, Layer, Scene
from propeval_lite.datasets.scenes.shapes import FULL, cosine, sine, soften
from propeval_lite.datasets.scenes.textures import TEXTURES, grain

LIGHTS = {  # multiplies red, green, blue
    "day": (1.0, 1.0, 1.0),
    "morning": (1.04, 1.0, 0.93),
    "evening": (1.05, 0.95, 0.84),
    "overcast": (0.93, 0.95, 0.98),
    "dusk": (0.80, 0.82, 0.95),
}


def _surface(texture: str, u, v, base, detail, period: float):
    """Colours (n, 3) of a pattern; a pattern finer than the pixels fades to its mean."""
    mix = TEXTURES[texture](u, v)
    if period < 6:
        mix = 0.4 + (mix - 0.4) * np.float32(period / 6)
    return base + (detail - base) * mix[:, None]


def _grid(where: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns, as float32, of positions in a flattened array."""
    ys = where // width
    return ys.astype(np.float32), (where - ys * width).astype(np.float32)


def _lay(pixels: np.ndarray, where: np.ndarray, paint: np.ndarray, alpha: np.ndarray) -> None:
    """Lay paint (n, 3) with opacity (n,) over the chosen rows of `pixels` (m, 3)."""
    under = pixels[where]
    paint -= under
    paint *= alpha[:, None]
    pixels[where] = under + paint


def _opaque(scene: Scene) -> np.ndarray:
    """Find the last layer that covers each pixel wholly (0: none); nothing behind it needs paint."""
    top = np.zeros((scene.height, scene.width), np.int16)
    for number, layer in enumerate((layer for item in scene.items for layer in item.layers), start=1):
        h, w = layer.cover.shape
        top[layer.y0 : layer.y0 + h, layer.x0 : layer.x0 + w][layer.cover == FULL] = number
    return top


def _paint_bands(canvas: np.ndarray, scene: Scene, top: np.ndarray, rng: np.random.Generator) -> None:
    side = np.sqrt(scene.width * scene.height)
    opacities = [band.alpha(scene.height) for band in scene.bands]
    below = top > 0
    visible = []
    for opacity in reversed(opacities):
        visible.append((opacity > 0) & ~below)
        below |= opacity >= 1
    for band, opacity, seen in zip(scene.bands, opacities, reversed(visible), strict=True):
        shift = (64 * rng.random(2)).astype(np.float32)
        where = np.flatnonzero(seen)
        if not len(where):
            continue
        ys, xs = _grid(where, scene.width)
        period = np.float32(side / 11 if band.ground else side / 22)
        if band.ground:
            reach = np.float32(scene.height - scene.horizon + 0.12 * side)
            depth = reach / np.maximum(ys - np.float32(scene.horizon - 0.12 * side), np.float32(0.04 * side))
            u, v = (xs - np.float32(0.5 * scene.width)) * depth / period, -depth * (reach / period)
        else:
            u, v = xs / period, ys / period
        paint = _surface(band.texture, u + shift[0], v + shift[1], band.base, band.detail, float(period))
        fall = np.clip((ys - np.float32(band.top)) / np.float32(max(band.bottom - band.top, 1.0)), 0, 1)
        first, change = (0.94, 0.10) if band.ground else (1.05, -0.10)
        paint *= (np.float32(first) + np.float32(change) * fall)[:, None]
        _lay(canvas.reshape(-1, 3), where, paint, opacity.ravel()[where])


def _union(layers: list[Layer], margin: int, width: int, height: int):
    """Coverage of a whole object in a crop with a margin, with the crop's corner."""
    layers = [layer for layer in layers if layer.cover.size]
    x0 = max(min(layer.x0 for layer in layers) - margin, 0)
    y0 = max(min(layer.y0 for layer in layers) - margin, 0)
    x1 = min(max(layer.x0 + layer.cover.shape[1] for layer in layers) + margin, width)
    y1 = min(max(layer.y0 + layer.cover.shape[0] for layer in layers) + margin, height)
    whole = np.zeros((y1 - y0, x1 - x0), np.uint8)
    for layer in layers:
        h, w = layer.cover.shape
        view = whole[layer.y0 - y0 : layer.y0 - y0 + h, layer.x0 - x0 : layer.x0 - x0 + w]
        np.maximum(view, layer.cover, out=view)
    return x0, y0, whole


def _shadow(canvas: np.ndarray, item: Item, light: float, strength: float) -> None:
    """Darken what lies behind and below an object."""
    height, width = canvas.shape[:2]
    side = item.layers[0].side
    blur = max(int(0.035 * side), 1)
    shift = max(int(0.03 * side), 1)
    x0, y0, whole = _union(item.layers, 3 * blur + shift, width, height)
    dark = soften(whole, blur).astype(np.float32) * np.float32(strength * 0.45 / FULL)
    if item.stance == "ground":
        ys = (np.arange(dark.shape[0]) + y0)[:, None]
        xs = (np.arange(dark.shape[1]) + x0)[None, :]
        half = 0.55 * side
        d = ((xs - item.layers[0].centre[0]) / half) ** 2 + (
            (ys - item.base + 0.01 * side) / (0.16 * half)
        ) ** 2
        contact = np.clip(1 - d, 0, 1)
        dark = np.maximum(dark, (contact * contact * strength * 0.8).astype(np.float32))
    dx = shift if light < 0 else -shift
    rows, columns = dark.shape
    source = dark[: max(rows - shift, 0), max(-dx, 0) : columns - max(dx, 0)]
    target = canvas[y0 + shift : y0 + rows, x0 + max(dx, 0) : x0 + columns - max(-dx, 0)]
    target *= (1 - source)[..., None]


def _paint_layer(
    canvas: np.ndarray, layer: Layer, seen: np.ndarray, light: float, flat: bool, haze, far: float
) -> None:
    """Paint what is `seen` (a crop like the layer's cover) of a layer, blended into the haze by the share `far`."""
    where = np.flatnonzero((layer.cover > 0) & seen)
    if not len(where):
        return
    height, width = layer.cover.shape
    ys, xs = _grid(where, width)
    alpha = layer.cover.ravel()[where].astype(np.float32) / FULL
    x, y = xs + np.float32(layer.x0 - layer.centre[0]), ys + np.float32(layer.y0 - layer.centre[1])
    period = max(layer.side / 9, 4.0)
    c, s = np.float32(cosine(layer.turn) / period), np.float32(sine(layer.turn) / period)
    paint = _surface(layer.texture, x * c + y * s + 20, y * c - x * s + 20, layer.base, layer.detail, period)
    if not flat:
        inner = soften(layer.cover, max(int(0.02 * layer.side), 1)).ravel()[where].astype(np.float32) / FULL
        p = (2 * xs + 1 - width) / np.float32(width)
        q = (2 * ys + 1 - height) / np.float32(height)
        shade = (
            1.06 + np.float32(0.16 * light) * p - np.float32(0.17) * q - np.float32(0.10) * (p * p + q * q)
        )
        shade *= np.float32(0.66) + np.float32(0.36) * np.clip((inner - np.float32(0.35)) * 2, 0, 1)
        a, b = p - np.float32(0.4 * light), q + np.float32(0.5)
        spot = np.clip(1 - np.float32(4.5) * (a * a + b * b), 0, 1)
        paint *= shade[:, None]
        paint += (26 * spot * spot)[:, None]
    paint += (haze - paint) * np.float32(far)
    rows = where // width
    _lay(
        canvas.reshape(-1, 3),
        where + (rows * (canvas.shape[1] - width) + layer.y0 * canvas.shape[1] + layer.x0),
        paint,
        alpha,
    )


def _camouflage(item: Item, scene: Scene, amount: float) -> Item:
    """Move an object's colours towards those of the stuff behind it."""
    x, y = item.layers[0].centre
    r = 0.5 * item.layers[0].side
    mean = np.zeros(3, np.float32)
    for a, b in ((x - r, y - r), (x + r, y - r), (x - r, y + r), (x + r, y + r)):
        column, row = int(min(max(a, 0), scene.width - 1)), int(min(max(b, 0), scene.height - 1))
        band = scene.bands[scene.band_map[row, column]]
        mean += (band.base + band.detail) / np.float32(8)
    share = np.float32(amount)
    layers = [
        replace(
            layer,
            base=layer.base + (mean - layer.base) * share,
            detail=layer.detail + (mean - layer.detail) * np.float32(0.7) * share,
        )
        for layer in item.layers
    ]
    return replace(item, layers=layers)


def paint_scene(scene: Scene, rng: np.random.Generator) -> np.ndarray:
    """Return the picture of a scene, (height, width, 3) uint8."""
    canvas = np.zeros((scene.height, scene.width, 3), np.float32)
    top = _opaque(scene)
    _paint_bands(canvas, scene, top, rng)
    lamp = tuple(LIGHTS.values())[min(int(rng.random() * 7), 6) % len(LIGHTS)]
    light = -1.0 if rng.random() < 0.5 else 1.0
    strength = 0.35 + 0.35 * rng.random()
    haze = scene.bands[0].base * np.float32(0.6) + np.float32(90)
    number = 0
    for item in scene.items:
        hidden = rng.random()
        if item.category is not None and hidden < 0.25:
            item = _camouflage(item, scene, 0.35 + 1.2 * hidden)
        depth = (item.base - scene.horizon) / max(scene.height - scene.horizon, 1.0)
        far = 0.18 * (1 - min(max(depth, 0.0), 1.0)) if item.stance in ("ground", "water") else 0.05
        flat = item.stance == "flat"
        if not flat:
            _shadow(canvas, item, light, strength)
        for layer in item.layers:
            number += 1
            h, w = layer.cover.shape
            seen = top[layer.y0 : layer.y0 + h, layer.x0 : layer.x0 + w] <= number
            _paint_layer(canvas, layer, seen, light, flat, haze, far)
    ys = (np.arange(scene.height) * 2 + 1 - scene.height) / scene.height
    xs = (np.arange(scene.width) * 2 + 1 - scene.width) / scene.width
    lens = 1.03 + 0.05 * light * xs[None, :] - 0.07 * (xs * xs)[None, :] - 0.07 * (ys * ys)[:, None]
    canvas *= lens.astype(np.float32)[..., None] * np.array(lamp, np.float32)
    shift = rng.integers(0, 256, 2)
    columns, rows = np.arange(scene.width) + shift[0], np.arange(scene.height) + shift[1]
    speck = grain(columns, rows) + grain(rows * 3 + 7, columns * 5 + 1).T - np.float32(1)
    canvas += (5 * speck)[..., None]
    return np.clip(canvas + np.float32(0.5), 0, 255).astype(np.uint8)
