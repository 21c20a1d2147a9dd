"""A tiny compendium that is a git repository, for tests of what a run says about its commit."""

import subprocess

from compendium import write_index, write_notebook

CELL = """
import os, pathlib
import pandas as pd
from propeval_lite import results
home = pathlib.Path(os.environ["PROPEVAL_HOME"])
run = pathlib.Path(os.environ["PROPEVAL_RUN_FOLDER"])
(home / "data" / "input.csv").read_text()
shown = home / "data" / "results" / "voc" / "shown.csv"
if shown.is_file():
    shown.read_text()
    shown.with_suffix(".json").read_text()
table = pd.DataFrame({"k": [k_max, 2]})
for dataset in ("voc", "coco"):
    results.fresh_or_stored(table, dataset, f"{name}_table", "made up")
(run / "verdicts.csv").write_text("row,verdict\\nwang.eq1,exact\\nwang.eq2,differs\\n")
"""


def git(root, *arguments):
    """Run git as nobody in particular; return what it says."""
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *who, "-C", str(root), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit_all(root, message="more"):
    """Commit everything that is not ignored; return the commit."""
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(root, "rev-parse", "HEAD")


def make_repository(root):
    """Two chapters, `one` and `two`, that offer tables; `one` shows a stored table if there is one."""
    for name in ("one", "two"):
        text = f"k_max = 10  # budget\nname = {name!r}  # of the tables"
        write_notebook(root / "notebooks" / f"{name}.ipynb", [text, CELL])
    write_index(root, ["one", "two"], "\n[one.paper]\nk_max = 3\n")
    (root / "data" / "input.csv").write_text("1")
    (root / ".gitignore").write_text("/runs/\n/data/.results.*\n")
    git(root, "init", "--quiet")
    commit_all(root, "first")
    return root
