"""The lists of versions: one lock with hashes, the same versions for conda, nothing that names a registry."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


# What the name of a package does not tell: the module it is imported by.
MODULES = {
    "pillow": "PIL", "scikit-image": "skimage", "opencv-contrib-python-headless": "cv2",
    "pytest-xdist": "xdist",
}  # fmt: skip
# Packages that work without being imported, each with its reason. All others must be imported somewhere.
NOT_IMPORTED = {
    "scikit-learn": "its photographs, read from the installed package",
    "jupyter-book": "builds the website, started as a program",
    "jupytext": "notebooks edited as text, see CONTRIBUTING.md",
    "sphinx-exercise": "extension of the website",
    "sphinx-mathjax-offline": "extension of the website",
    "sphinx-proof": "extension of the website",
    "sphinxcontrib-bibtex": "extension of the website",
    "coverage": "verb of the Makefile",
    "editables": "needed by hatchling for an editable install",
    "hatchling": "builds the package",
    "mypy": "verb of the Makefile",
    "pandas-stubs": "types for mypy",
    "scipy-stubs": "types for mypy",
    "types-defusedxml": "types for mypy",
    "types-seaborn": "types for mypy",
    "types-tqdm": "types for mypy",
    "pre-commit": "runs the hooks",
    "pytest-cov": "option of pytest in the Makefile",
    "ruff": "verb of the Makefile",
    "uv": "installs what the lock lists",
}


def entries():
    """Each entry of the lock: the requirement and the hashes behind it."""
    joined = LOCK.replace("\\\n", " ").splitlines()
    return [(line.split(" --hash")[0].strip(), re.findall(r"--hash=(\S+)", line)) for line in joined]


def direct():
    """Names of the packages that pyproject.toml asks for, as they are written in the lock."""
    needs = [
        *PROJECT["dependencies"],
        *(need for extra in PROJECT["optional-dependencies"].values() for need in extra),
    ]
    return sorted({Requirement(need).name.lower() for need in needs})


def test_the_lock_pins_each_version_with_its_hashes():
    assert entries()
    for requirement, hashes in entries():
        assert re.fullmatch(r"[a-z0-9-]+==[^ ;]+( ; .+)?", requirement)
        assert hashes, f"{requirement}: run `make lock`"
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes)


def test_the_lock_names_no_registry():
    assert not re.search(r"://|^--|index-url|find-links", LOCK, re.MULTILINE)


def test_conda_environment_holds_the_versions_of_the_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["dependencies"][-1]["pip"] == [requirement for requirement, _ in entries()], (
        "run `make lock`"
    )


@pytest.mark.parametrize("version", ["3.11.2", "3.12.0", "3.13.0"])
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_dependency_has_one_version_on_every_python(version, platform):
    here = {
        "python_version": version.rpartition(".")[0],
        "python_full_version": version,
        "sys_platform": platform,
        "platform_system": {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}[platform],
        "os_name": "nt" if platform == "win32" else "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    locked = [Requirement(requirement) for requirement, _ in entries()]
    names = [need.name for need in locked if need.marker is None or need.marker.evaluate(here)]
    assert {name: names.count(name) for name in direct()} == dict.fromkeys(direct(), 1)


def test_the_library_says_that_it_has_types():
    # Without this file type checkers of other projects would take every name of the library for anything.
    assert (ROOT / "propeval_lite" / "py.typed").is_file()
    assert (
        "propeval_lite"
        in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["packages"]
    )


def imported(folder):
    """Modules that the Python files below a folder import anywhere, by name."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))
    named = r"(?:import_module|importorskip)\(\"([\w.]+)"
    found = re.findall(rf"^\s*(?:import|from) ([\w.]+)|{named}", text, re.MULTILINE)
    return {(plain or called).partition(".")[0] for plain, called in found}


def test_no_dependency_that_nothing_imports():
    library, tests = imported("propeval_lite"), imported("tests")
    parts = {"dependencies": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    idle = {
        name
        for part, needs in parts.items()
        for name in (Requirement(need).name for need in needs)
        if name not in NOT_IMPORTED
        and MODULES.get(name, name.replace("-", "_")) not in (library | tests if part == "dev" else library)
    }
    assert not idle, "remove them from pyproject.toml, or say in NOT_IMPORTED what they are for"


def test_reasons_are_given_only_for_what_is_asked_for_and_not_imported():
    assert {name.lower() for name in NOT_IMPORTED} <= set(direct())
    used = imported("propeval_lite") | imported("tests")
    assert not [name for name in NOT_IMPORTED if name.replace("-", "_") in used]
