"""Run a notebook's cells in a fork of one warm process: a kernel's answers without a kernel's start.

``python tests/forked.py`` is the warm process. It reads a JSON object a line (notebook, parameters, folder) and
answers each with one: the traceback of the cell that failed, or null. The first time it meets a notebook it runs it
itself, so that its forks find every module imported and every kernel loaded. It has one thread of computing (a fork
must not inherit a pool of them), and numba's own pool instead of OpenMP, which refuses to be forked.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {
    "NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1", "MPLBACKEND": "agg",
}  # fmt: skip


class WarmProcess:
    """The warm process, seen from a test."""

    def __init__(self, root=ROOT):
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(root)], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, **ENVIRONMENT},
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def run(self, notebook, parameters, folder, unlike=None):
        """Run a notebook into a folder, or up to its first table unlike one there; what went wrong, or None."""
        request = {"notebook": notebook, "parameters": parameters, "folder": str(folder)}
        request["unlike"] = None if unlike is None else str(unlike)
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the warm process has died"
        return json.loads(answer)


def tables(folder, timing):
    """Tables of a run as they are on disk, but for those of seconds, which differ from run to run."""
    return {path.name: path.read_bytes() for path in folder.glob("*.csv") if path.stem not in timing}


def run_cells(entry, parameters, folder, root, unlike=None):
    """Run the code cells one after the other, the given parameters behind the cell of the defaults, as papermill does.

    Figures are drawn but not rendered: tables are what the tests compare, and papermill renders every figure once.
    """
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    from propeval_lite.runner.catalog import read_notebook
    from propeval_lite.runner.execute import begin_record
    from propeval_lite.runner.store import RUN_FILE, write_json

    write_json(folder / RUN_FILE, begin_record(entry, "smoke", parameters, root, {}))
    os.environ["PROPEVAL_RUN_FOLDER"] = str(folder)
    quiet = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "NoColor"}})
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=quiet)
    known = None if unlike is None else tables(unlike, entry.timing)
    given = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    for cell in read_notebook(entry.path).cells:
        is_parameters = "parameters" in cell.metadata.get("tags", [])
        for source in (
            ([cell.source, given] if is_parameters else [cell.source]) if cell.cell_type == "code" else []
        ):
            result = shell.run_cell(source)
            problem = result.error_before_exec or result.error_in_exec
            if problem is not None:
                raise RuntimeError(f"{entry.name}, cell {source[:60]!r} …") from problem
        if known is not None and tables(folder, entry.timing).items() - known.items():
            return


def without_pictures():
    """Let figures be drawn, and closed instead of rendered, which would take longer than all the rest."""
    import matplotlib.pyplot as plt

    from propeval_lite.results import show

    def close(figure):
        plt.close(figure)
        return "<svg/>"

    show.figure_svg = close


def warm(catalog, name, root):
    """Run a notebook here, unheard: what its cells print would be taken for answers."""
    folder = Path(tempfile.mkdtemp(prefix="propeval-warm-"))
    try:
        run_cells(catalog[name], catalog[name].resolve("smoke", {}), folder, root)
    finally:
        shutil.rmtree(folder)


def fork(entry, parameters, folder, root, unlike):
    """Run a notebook in a fork; return what went wrong there, or None."""
    problem = folder / "problem.txt"
    child = os.fork()
    if not child:
        status = 1
        try:
            run_cells(entry, parameters, folder, root, unlike)
            status = 0
        except BaseException:
            problem.write_text(traceback.format_exc())
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if problem.is_file():
        return problem.read_text()
    return f"the process ended with status {status}" if status else None


def serve(root):
    """Answer one request after the other until there are no more."""
    from propeval_lite.runner.catalog import load_catalog

    answers = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    without_pictures()
    catalog, met = load_catalog(root), set()
    for line in sys.stdin:
        request = json.loads(line)
        name, folder = request["notebook"], Path(request["folder"])
        try:
            if name not in met:
                warm(catalog, name, root)
                met.add(name)
            unlike = request["unlike"] and Path(request["unlike"])
            answer = fork(catalog[name], request["parameters"], folder, root, unlike)
        except Exception:
            answer = traceback.format_exc()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
