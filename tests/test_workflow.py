"""The workflow on GitHub: pinned actions, least permissions, every Python, and a book that is published last."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".github" / "workflows"
TEXT = (FOLDER / "ci.yml").read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load(TEXT)
JOBS = WORKFLOW["jobs"]


def commands(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def test_there_is_one_workflow():
    assert [path.name for path in FOLDER.iterdir()] == ["ci.yml"]


def test_actions_are_pinned_by_commit_with_their_version_beside_them():
    used = re.findall(r"uses:\s*(.+)", TEXT)
    assert len(used) == sum("uses" in step for job in JOBS.values() for step in job["steps"])
    for line in used:
        assert re.fullmatch(r"[a-z-]+/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_an_action_has_one_version():
    pins = re.findall(r"uses:\s*(\S+)@(\S+)", TEXT)
    assert len({name for name, _ in pins}) == len(set(pins))


def test_nothing_is_permitted_but_what_a_job_asks_for():
    assert WORKFLOW["permissions"] == {}
    for name, job in JOBS.items():
        expected = {"pages": "write", "id-token": "write"} if name == "publish" else {"contents": "read"}
        assert job["permissions"] == expected, name


def test_no_credentials_stay_behind_a_checkout():
    checkouts = [step for job in JOBS.values() for step in job["steps"] if "checkout" in step.get("uses", "")]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_the_suite_runs_on_every_python():
    assert JOBS["test"]["strategy"]["matrix"] == {"python": ["3.11", "3.12", "3.13"]}
    assert "make test" in commands(JOBS["test"])


@pytest.mark.parametrize(
    ("job", "verb"), [("lint", "lint"), ("test", "browser"), ("coverage", "coverage"), ("book", "book")]
)
def test_jobs_call_verbs_of_the_makefile(job, verb):
    assert f"make {verb}" in commands(JOBS[job])
    assert re.search(rf"^{verb}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_book_is_published_from_main_after_everything_else_has_passed():
    publish = JOBS["publish"]
    assert set(publish["needs"]) == set(JOBS) - {"publish"}
    assert publish["if"] == "github.event_name == 'push' && github.ref == 'refs/heads/main'"
    assert commands(publish) == [], "the job that may write runs no code of the repository"
    assert publish["steps"][-1]["uses"].startswith("actions/deploy-pages@")
    upload = JOBS["book"]["steps"][-1]
    assert upload["uses"].startswith("actions/upload-pages-artifact@")
    assert upload["if"] == "github.ref == 'refs/heads/main'"


def test_runs_of_main_are_never_cancelled():
    assert WORKFLOW["concurrency"]["cancel-in-progress"] == "${{ github.ref != 'refs/heads/main' }}"


def test_no_text_of_a_pull_request_reaches_a_shell():
    assert not any("${{" in command for job in JOBS.values() for command in commands(job))


def test_hooks_run_what_is_there():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    assert {hook["language"] for hook in hooks} == {"system"}, "a hook downloads nothing"
    entries = [hook["entry"].split() for hook in hooks]
    assert all(entry[0].startswith(".venv/bin/") for entry in entries)
    named = [word for entry in entries for word in entry if word.startswith("tests/")]
    assert named and all((ROOT / word).is_file() for word in named)


@pytest.mark.parametrize("tool", ["ruff check .", "ruff format --check .", "mypy"])
def test_lint_covers_code_notebooks_and_types(tool):
    lint = re.search(
        r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )[1]
    assert f"\t$(BIN)/{tool}\n" in lint
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "extend-exclude" not in settings
