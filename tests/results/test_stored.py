"""Each stored result names the commit it was made from, and that commit is part of this repository."""

import json
import re
from pathlib import Path

import pytest

from propeval_lite.results.store import STAMPED
from propeval_lite.runner.commits import git

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "data" / "results"
STAMPS = sorted(RESULTS.rglob("*.json"))


def stamps():
    return {str(path.relative_to(RESULTS)): json.loads(path.read_text(encoding="utf-8")) for path in STAMPS}


def test_each_table_has_its_stamp():
    tables = {path.with_suffix("") for path in RESULTS.rglob("*.csv")}
    assert tables == {path.with_suffix("") for path in STAMPS}
    for name, stamp in stamps().items():
        assert {*STAMPED, "source", "rows"} <= set(stamp), name


def test_stored_results_are_of_the_profile_paper():
    assert {stamp["profile"] for stamp in stamps().values()} == {"paper"}


def test_each_stored_result_names_an_ancestor_of_head_and_no_local_changes():
    history = git(ROOT, "rev-list", "HEAD")
    if history.returncode:
        pytest.skip("not a git checkout: cannot tell which commits belong to it")
    if git(ROOT, "rev-parse", "--is-shallow-repository").stdout.strip() == "true":
        pytest.skip("a shallow clone: its history is cut")
    commits = set(history.stdout.split())
    wrong = {
        name: stamp["commit"]
        for name, stamp in stamps().items()
        if not re.fullmatch(r"[0-9a-f]{40}", stamp["commit"]) or stamp["commit"] not in commits
    }
    assert not wrong, "run these chapters again with --profile paper, and store them with `propeval store`"
