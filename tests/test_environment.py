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
