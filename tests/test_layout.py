"""The shape of the house: what lies where, and who may import whom."""

import ast
import importlib
import inspect
import json
import re
import subprocess
import symtable
from pathlib import Path

import frozen
import nbformat
import pytest

import propeval_lite as pe

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "propeval_lite").rglob("*.py"))
# A package imports from itself and from those before it. `humans` has no module yet.
ORDER = (
    "_kernels", "_checks", "datasets", "parallel", "chance", "proposals", "superpixels", "methods", "segmenters",
    "boxes", "detector", "partitions", "masks", "meta", "humans", "results", "studies", "figures", "runner", "cli",
)  # fmt: skip
LONGEST_MODULE = 350
CHAPTERS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
FOLDERS = {"book", "notebooks", "propeval_lite", "data", "tests"}


def tracked():
    found = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True)
    if found.returncode:
        pytest.skip("not a git checkout: cannot tell which files belong to it")
    return found.stdout.split("\n")[:-1]


def test_no_other_visible_folder():
    top = {path.split("/")[0] for path in tracked() if "/" in path}
    assert {name for name in top if not name.startswith(".")} == FOLDERS
    assert not (ROOT / "book" / "_static").exists()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_compiled_code_lives_in_kernels(path):
    if "_kernels" not in path.parts:
        assert not re.search(
            r"^\s*@(numba\.)?(njit|jit|vectorize|guvectorize)", path.read_text(), re.MULTILINE
        )


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_kernels_and_oracles_import_nothing_of_ours(path):
    if "_kernels" in path.parts:
        assert {name for name in imports(path) if name.startswith("propeval_lite")} <= {
            f"propeval_lite._kernels.{other.stem}" for other in path.parent.glob("*.py")
        } | {"propeval_lite._kernels"}


def test_the_oracle_shares_nothing():
    assert imports(ROOT / "tests" / "naive.py") <= {"numpy", "fractions", "itertools", "math", "collections"}


def imports(path):
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module)
    return found


def test_public_names_are_the_frozen_ones():
    assert sorted(pe.__all__) == json.loads(frozen.FILE.read_text())["names"]


def documented():
    """Names that the page of the library lists, by the module they are listed under."""
    page = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
    found, module = {}, None
    for directive, name in re.findall(r"^\.\. (currentmodule|auto\w+):: ([\w.]+)", page, re.MULTILINE):
        module = name if directive in ("currentmodule", "automodule") else module
        names = found.setdefault(module, [])
        # Loaders and readers stand there by their place: they are reached through load_dataset and read_proposals.
        if directive not in ("currentmodule", "automodule") and "." not in name:
            names.append(name)
    return found


def test_the_page_of_the_library_lists_every_public_name_once():
    found = documented()
    parts = {name.removeprefix("propeval_lite.") for name in found} - {"propeval_lite"}
    assert sorted([*found.pop("propeval_lite"), *parts]) == sorted(pe.__all__)
    for module, names in found.items():
        package = importlib.import_module(module)
        shared = {name for name in package.__all__ if getattr(pe, name, None) is getattr(package, name)}
        assert sorted(names) == sorted(set(package.__all__) - shared), module


@pytest.mark.parametrize("name", [name for name in pe.__all__ if not inspect.ismodule(getattr(pe, name))])
def test_a_public_name_shows_an_example(name):
    public = getattr(pe, name)
    assert ">>>" in public.__doc__ or any(">>>" in (part.__doc__ or "") for part in vars(public).values())


def package(path):
    return path.relative_to(ROOT / "propeval_lite").parts[0].removesuffix(".py")


def test_the_order_knows_every_package():
    found = {package(path) for path in MODULES} - {"__init__"}
    assert found <= set(ORDER)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_upward_only(path):
    if path == ROOT / "propeval_lite" / "__init__.py":
        return
    place = ORDER.index(package(path))
    ours = [name.split(".") for name in imports(path) if name.startswith("propeval_lite")]
    assert all(len(parts) > 1 for parts in ours), "import from a package, not from the whole library"
    below = [parts for parts in ours if ORDER.index(parts[1]) > place]
    assert not below, f"{package(path)} stands above what it imports"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_private_name_of_another_module(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("propeval_lite"):
            private = [alias.name for alias in node.names if alias.name.startswith("_")]
            assert not private, f"{node.module} keeps {private} to itself"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE, "split it by stage"


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_has_one_address(name):
    for place in (
        f"propeval_lite/studies/{name}.py",
        f"propeval_lite/figures/{name}.py",
        f"tests/studies/test_{name}.py",
        f"tests/figures/test_{name}.py",
    ):
        assert (ROOT / place).is_file(), place


def cells(name):
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_imports_the_library_its_study_and_its_figures(name):
    """What is hidden below them stays free to move."""
    chapters = "|".join(CHAPTERS)
    # A study may be split by stage, and a chapter may build on the study of another.
    allowed = re.compile(rf"propeval_lite(\.results|\.studies(\.\w+)?|\.figures(\.({chapters}))?)?")
    for source in cells(name):
        for node in ast.walk(ast.parse(source)):
            found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                found = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                found = [place for place in found if node.module != "propeval_lite.results"]
            ours = [place for place in found if place.startswith("propeval_lite")]
            assert not [place for place in ours if not allowed.fullmatch(place)], ast.unparse(node)
            pictures = {place.split(".")[2] for place in ours if place.startswith("propeval_lite.figures.")}
            assert pictures <= {name}, "a page draws with the figures of its own chapter"


def top_level_names(source):
    """Names that a cell binds at its top level; those of its loops, which nobody reads later, are left out."""
    table = symtable.symtable(source, "cell", "exec")
    bound = {
        symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()
    }
    loops = [node.target for node in ast.walk(ast.parse(source)) if isinstance(node, ast.For)]
    return bound - {node.id for target in loops for node in ast.walk(target) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_name_means_one_thing_on_a_page(name):
    seen = {}
    for number, source in enumerate(cells(name)):
        for bound in top_level_names(source):
            assert bound not in seen, f"{bound!r} is bound in code cells {seen[bound]} and {number}"
            seen[bound] = number
