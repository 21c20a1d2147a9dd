import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text()


def test_conda_environment_holds_the_versions_of_the_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["dependencies"][-1]["pip"] == LOCK.splitlines(), "run `make lock`"


def test_lock_pins_everything_and_names_no_address():
    lines = [line for line in LOCK.splitlines() if line.strip()]
    assert all(re.match(r"^[A-Za-z0-9_.-]+==[^ ]+( ; .+)?$", line) for line in lines)
    assert "://" not in LOCK


def test_every_dependency_is_in_the_lock():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[<>=\[ ]", need)[0] for need in project["dependencies"]}
    for extra in project["optional-dependencies"].values():
        names |= {re.split(r"[<>=\[ ]", need)[0] for need in extra}
    locked = {line.split("==")[0].lower().replace("_", "-") for line in LOCK.splitlines()}
    assert {name.lower() for name in names} <= locked
