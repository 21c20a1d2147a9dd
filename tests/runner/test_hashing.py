import pytest
from compendium import make_compendium, write_notebook

from propeval_lite.runner import hashing
from propeval_lite.runner.catalog import load_catalog


@pytest.fixture
def root(tmp_path):
    return make_compendium(tmp_path)


def digests(root, modules=None, files=None, **parameters):
    entry = load_catalog(root)["good"]
    return hashing.run_digests(entry, {"k_max": 1, **parameters}, modules or {}, files or {})


def changed(before, after):
    return sorted(key for key in before if before[key] != after[key])


def test_each_digest_watches_its_own_thing(root, monkeypatch):
    before = digests(root)
    assert digests(root) == before
    assert changed(before, digests(root, k_max=2)) == ["parameters"]
    assert changed(before, digests(root, modules={"m.py": "1"})) == ["library"]
    assert changed(before, digests(root, files={"data/t.csv": None})) == ["data"]
    write_notebook(root / "notebooks" / "good.ipynb", ["k_max = 10  # budget", "print(k_max)"])
    assert changed(before, digests(root)) == ["notebook"]
    before = digests(root)
    monkeypatch.setattr(hashing, "versions", lambda: {"numpy": "0"})
    assert changed(before, digests(root)) == ["library"]


CODE = '''"""What it is."""
import math


class Box:
    """A box."""

    side = 2

    def area(self):
        """Its area."""
        return self.side**2  # a square
'''


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("What it is.", "What it was.", True),
        ("A box.", "Another.", True),
        ("Its area.", "The area.", True),
        ("# a square", "# of squares", True),
        ("import math\n", "import math\n\n\n", True),
        ("side**2", "side**3", False),
        ("side = 2", "side = 2.0", False),
        ("import math", "'text'; import math", False),
        ("class Box", "class Crate", False),
    ],
)
def test_words_are_no_code(tmp_path, old, new, same):
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text(CODE)
    other.write_text(CODE.replace(old, new))
    assert (hashing.code_digest(one) == hashing.code_digest(other)) is same


def test_a_module_that_is_broken_or_compiled_is_known_by_its_bytes(tmp_path):
    for name in ("broken.py", "compiled.so"):
        file = tmp_path / name
        file.write_bytes(b"(")
        before = hashing.code_digest(file)
        file.write_bytes(b"(  # more")
        assert hashing.code_digest(file) != before


def test_a_folder_is_its_names_or_everything_in_it(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.txt").write_text("1")
    names, tree = hashing.names_digest(tmp_path), hashing.tree_digest(tmp_path)
    (tmp_path / "a" / "b.txt").write_text("22")
    assert hashing.names_digest(tmp_path) == names
    assert hashing.tree_digest(tmp_path) != tree
    tree = hashing.tree_digest(tmp_path)
    (tmp_path / ".hidden").write_text("")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "x.pyc").write_text("")
    assert hashing.names_digest(tmp_path) == names
    assert hashing.tree_digest(tmp_path) == tree
    (tmp_path / "new").write_text("")
    assert hashing.names_digest(tmp_path) != names


def test_files_below_linked_folders_count_and_links_that_lead_back_end(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    (outside / "deep").mkdir(parents=True)
    (inside / "linked").symlink_to(outside)
    (outside / "back").symlink_to(outside)
    before = hashing.tree_digest(inside)
    (outside / "deep" / "x.txt").write_text("1")
    after = hashing.tree_digest(inside)
    assert after != before
    (outside / "deep" / "x.txt").write_text("22")
    assert hashing.tree_digest(inside) != after
