"""A tiny compendium in a temporary folder, for tests of the runner."""

import nbformat


def write_notebook(path, cells, tag="parameters"):
    """Write a notebook of code cells; the first one gets `tag`."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in cells]
    if tag:
        notebook.cells[0].metadata["tags"] = [tag]
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def write_index(root, names, extra=""):
    """Write notebooks/index.toml for `names`."""
    rows = [f'[{name}]\ntitle = "{name}"\nstudy = "Paper"\ncovers = "§1"\n' for name in names]
    (root / "data").mkdir(exist_ok=True)
    (root / "notebooks" / "index.toml").write_text("\n".join(rows) + extra, encoding="utf-8")


def make_compendium(root):
    """Three notebooks: one that works, one that fails, one that takes its time."""
    folder = root / "notebooks"
    write_notebook(folder / "good.ipynb", [
        "k_max = 10  # budget\nnames = ['a']  # labels\ntau = 0.5  # threshold\nquick = True  # flag",
        "import os, pathlib\n"
        "pathlib.Path(os.environ['PROPEVAL_RUN_FOLDER'], 'k.csv').write_text(f'k\\n{k_max}\\n')\n"
        "print(k_max)",
    ])  # fmt: skip
    write_notebook(folder / "bad.ipynb", ["x = 1  # a number", "print('before')", "1 / 0", "print('after')"])
    write_notebook(folder / "slow.ipynb", [
        "marker = ''  # file to touch when begun",
        "import pathlib, time\nif marker:\n    pathlib.Path(marker).touch()\n    time.sleep(120)",
    ])  # fmt: skip
    write_index(root, ["good", "bad", "slow"], "\n[good.smoke]\nk_max = 3\n")
    return root
