import base64
import io
import re
from pathlib import Path

import numpy as np
from PIL import Image
from test_layout import FOLDERS, ORDER

import propeval_lite as pe
from propeval_lite.cli import build_parser
from propeval_lite.figures.wang_hit_probability import draw_regions, region_spans
from propeval_lite.results import figure_svg
from propeval_lite.runner.catalog import load_catalog

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PICTURE = re.compile(r"data:image/png;base64,([^\"]+)")


def readme_figure():
    scenes = pe.load_dataset("scenes?n=60")
    objects = scenes.objects
    here = (objects["image_id"] == "scene-00058") & (objects["category"] == "mushroom")
    row = objects.index[here][0]
    boxes, _ = pe.chance.object_lattice(scenes, [row])
    spans = region_spans(pe.omega_min(boxes[0], 0.5))
    return figure_svg(draw_regions(scenes.image("scene-00058"), boxes[0].tolist(), spans))


def picture(svg):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(PICTURE.search(svg)[1]))).convert("L"), int)


def test_the_figure_is_what_the_code_draws():
    committed = (ROOT / "book" / "_assets" / "omega_min.svg").read_text(encoding="utf-8")
    drawn = readme_figure()
    assert len(committed) < 400_000
    assert PICTURE.sub("", committed) == PICTURE.sub("", drawn)
    # Decoders and compressors of pictures differ between machines, by a grey level here and there.
    assert np.abs(picture(committed) - picture(drawn)).mean() < 1


def test_links_lead_somewhere():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_house_in_contributing_is_the_house_that_stands():
    tree = re.search(r"```text\npropeval_lite/\n(.+?)```", CONTRIBUTING, re.DOTALL)[1]
    packages = re.findall(r"^  (\w+)/", tree, re.MULTILINE)
    folders = re.findall(r"^(\w+)/", tree, re.MULTILINE)
    standing = {path.parent.name for path in (ROOT / "propeval_lite").glob("*/__init__.py")}
    assert packages == [name for name in ORDER if name in standing]
    assert set(folders) == FOLDERS - {"propeval_lite"}


def test_files_and_names_in_contributing_exist():
    named = re.findall(r"`([\w./*]+\.(?:py|md|toml|yml|lock))`", CONTRIBUTING)
    places = (ROOT, ROOT / "propeval_lite")
    missing = [
        name for name in named if "NAME" not in name and not any(list(place.glob(name)) for place in places)
    ]
    assert named and missing == []
    for name, module in re.findall(r"`([A-Z_]+)`[^|\n]*? in `(.+?)`", CONTRIBUTING):
        assert re.search(rf"^{name}\b", (ROOT / "propeval_lite" / module).read_text("utf-8"), re.MULTILINE), (
            name
        )


def test_the_map_shows_every_package():
    standing = {path.parent.name for path in (ROOT / "propeval_lite").glob("*/__init__.py")}
    shown = set(re.findall(r"\(propeval_lite/(\w+)\)", README))
    assert standing - shown == {"_checks", "results", "superpixels"}, "too small for the map, or new?"


def test_commands_parse():
    commands = re.findall(r"\.venv/bin/propeval (run [^#\n]+)", README)
    assert commands
    for command in commands:
        options = build_parser().parse_args(command.split())
        assert options.verb == "run"
        assert set(options.notebooks) <= set(load_catalog(ROOT))
