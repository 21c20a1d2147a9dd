"""The commit that a run belongs to, and whether the run was made from exactly that commit."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

UNKNOWN = "unknown"
# Stored tables differ from the commit as soon as the first of several runs is stored, and no run is made from them:
# a page shows what another run stored, and offers only what it has computed itself. What it did read of them is in
# its digests like any other file.
STORED = "data/results"
# A hook of git sets these for the repository that it belongs to.
ELSEWHERE = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
)


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git on the repository that holds `root`; a machine without git gives status 127."""
    environment = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, env={**environment, "LC_ALL": "C"}, errors="replace"
        )
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, "", f"git: {error.strerror}")


def local_changes(root: Path) -> list[str] | None:
    """Files that differ from the commit or are new to it, but for ignored ones and those below data/results.

    None where git does not know.
    """
    paths = (":/", f":(exclude){STORED}")
    done = git(
        root, "status", "--porcelain", "--untracked-files=all", "--ignore-submodules=none", "--", *paths
    )
    return None if done.returncode else [line[3:] for line in done.stdout.splitlines()]


def git_commit(root: Path) -> str:
    """Commit of the repository, with ``+`` when files differ from it; "unknown" outside git."""
    head, changed = git(root, "rev-parse", "--verify", "HEAD"), local_changes(root)
    if head.returncode or changed is None:
        return UNKNOWN
    return head.stdout.strip() + ("+" if changed else "")


def fault_of_commit(root: Path, commit: object) -> str | None:
    """Say why a run with this commit cannot be made again from the repository; None if it can."""
    if not isinstance(commit, str) or not commit or commit == UNKNOWN:
        return "a run of no known commit"
    if commit.endswith("+"):
        return f"a run of commit {commit[:10]} with local changes"
    if git(root, "merge-base", "--is-ancestor", commit, "HEAD").returncode:
        return f"commit {commit[:10]}, which is no ancestor of HEAD"
    return None
