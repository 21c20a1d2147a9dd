import pytest
from repository import commit_all, git, make_repository

from propeval_lite.runner import commits


@pytest.fixture
def root(tmp_path):
    return make_repository(tmp_path / "here")


def test_a_clean_tree_has_its_whole_commit(root):
    head = git(root, "rev-parse", "HEAD")
    assert commits.git_commit(root) == head
    assert len(head) == 40
    assert commits.fault_of_commit(root, head) is None


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("notebooks/one.ipynb", True), ("new.py", True), ("data/input.csv", True), ("data/other/new.csv", True),
        ("data/results.csv", True), ("sub/data/results/x.csv", True), ("a b.txt", True), ("data/é.csv", True),
        ("runs/one/paper/run.json", False), ("data/results/voc/t.csv", False), ("data/results/new.json", False),
        ("data/.results.lock", False),
    ],
)  # fmt: skip
def test_what_makes_a_tree_unclean(root, file, counts):
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text("changed")
    assert commits.git_commit(root).endswith("+") is counts
    assert bool(commits.local_changes(root)) is counts


def test_a_removed_and_a_staged_file_count(root):
    (root / "data" / "input.csv").unlink()
    assert commits.local_changes(root) == ["data/input.csv"]
    git(root, "checkout", "--quiet", "data/input.csv")
    (root / "staged.txt").write_text("")
    git(root, "add", "staged.txt")
    assert commits.local_changes(root) == ["staged.txt"]


def test_settings_that_hide_new_files_do_not(root):
    git(root, "config", "status.showUntrackedFiles", "no")
    (root / "new.py").write_text("")
    assert commits.git_commit(root).endswith("+")


def test_changes_outside_the_compendium_count_too(tmp_path):
    inner = make_repository(tmp_path / "outer" / "inner")
    (inner / ".git").rename(tmp_path / "outer" / ".git")
    commit_all(tmp_path / "outer")
    assert commits.local_changes(inner) == []
    (tmp_path / "outer" / "library.py").write_text("")
    assert len(commits.local_changes(inner)) == 1


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"])
def test_a_hook_of_another_repository_does_not_mislead(root, variable, monkeypatch):
    head = git(root, "rev-parse", "HEAD")
    monkeypatch.setenv(variable, "/no/such/place")
    assert commits.git_commit(root) == head


@pytest.mark.parametrize(
    ("commit", "said"),
    [
        ("unknown", "no known commit"), ("", "no known commit"), (None, "no known commit"), (5, "no known commit"),
        ("0123456789abcdef+", "0123456789 with local changes"), ("f" * 40, "ffffffffff, which is no ancestor"),
        ("no such", "which is no ancestor"), ("--help", "which is no ancestor"),
    ],
)  # fmt: skip
def test_a_commit_that_cannot_be_made_again_has_a_fault(root, commit, said):
    assert said in commits.fault_of_commit(root, commit)


def test_a_commit_of_another_branch_is_no_ancestor(root):
    first = git(root, "rev-parse", "HEAD")
    git(root, "checkout", "--quiet", "-b", "other")
    other = commit_all(root)
    git(root, "checkout", "--quiet", "-")
    assert commits.fault_of_commit(root, first) is None
    assert "no ancestor of HEAD" in commits.fault_of_commit(root, other)


def test_outside_git_nothing_is_known(tmp_path, monkeypatch):
    assert commits.git_commit(tmp_path) == "unknown"
    assert commits.local_changes(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert commits.git_commit(tmp_path) == "unknown", "a repository without a commit"
    monkeypatch.setenv("PATH", "/no/such/place")
    assert commits.git(tmp_path, "status").returncode == 127
