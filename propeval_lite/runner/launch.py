"""Start a notebook under papermill in a kernel of this environment, and stop it when the user asks."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import papermill
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpec
from nbclient.exceptions import DeadKernelError
from papermill.exceptions import PapermillExecutionError

from propeval_lite.runner.catalog import Entry

KERNEL_LOG = "kernel.log"
LONGEST_SOCKET = 95  # the system takes names of 107 bytes or 103, and a number follows
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
           "OPENCV_FOR_THREADS_NUM")  # fmt: skip


class Kernels:
    """The kernels at work. Ctrl-C reaches the main thread only, which ends them through this."""

    def __init__(self):
        self.stopped = False
        self._groups: dict[Path, int] = {}
        self._lock = threading.Lock()

    def add(self, work: Path, group: int) -> None:
        """Remember the process group of the kernel of a run; one that comes too late ends at once."""
        with self._lock:
            self._groups[work] = group
            if self.stopped:
                self._send(signal.SIGKILL)

    def remove(self, work: Path) -> None:
        """Forget the kernel of a run that has ended."""
        with self._lock:
            self._groups.pop(work, None)

    def stop(self, kill: bool = False) -> None:
        """Interrupt the cells at work, or end the processes."""
        with self._lock:
            self.stopped = True
            self._send(signal.SIGKILL if kill else signal.SIGINT)

    def _send(self, number: int) -> None:
        for group in self._groups.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, number)


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def kernel_environment(work: Path, scratch: Path, share: int) -> dict[str, str]:
    """Environment of a kernel that shares this machine with `share` - 1 others.

    Threads are divided among them, unless the user has set their number: more threads than cores only get in each
    other's way.
    """
    environment = {**os.environ, "PROPEVAL_RUN_FOLDER": str(work.resolve())}
    environment |= dict.fromkeys(("IPYTHONDIR", "JUPYTER_RUNTIME_DIR"), str(scratch))  # need not be writable
    if share > 1:
        each = max(1, cores() // share)
        environment = dict.fromkeys(THREADS, str(each)) | environment
    return environment


def channels(scratch: Path) -> dict[str, str]:
    """How to talk to the kernel: by sockets in its own folder, because a free port may be taken before it is used.

    Two kernels that start at the same moment can be given one port; then one dies and the other side waits for ever.
    Only where the name of a socket would be too long for the system, or there are none, ports serve.
    """
    place = str(scratch / "socket")
    if os.name == "nt" or len(os.fsencode(place)) > LONGEST_SOCKET:
        return {}
    return {"transport": "ipc", "ip": place}


def kernel_manager(work: Path, scratch: Path, share: int, kernels: Kernels) -> type[AsyncKernelManager]:
    """Class of managers that start our kernel in an environment of its own.

    Whatever kernel "python3" names on this machine is not asked. Messages of the kernel go to a file of the run,
    not between our progress bars.
    """
    command = [
        sys.executable,
        "-m",
        "propeval_lite.runner.kernel",
        str(scratch / "reads"),
        "-f",
        "{connection_file}",
    ]
    environment = kernel_environment(work, scratch, share)

    class Manager(AsyncKernelManager):
        kernel_spec = KernelSpec(argv=command, display_name="Python 3", language="python")

        def __init__(self, **options):
            own = {"connection_file": str(scratch / "connection.json"), **channels(scratch)}
            super().__init__(**{**options, **own})

        async def _async_start_kernel(self, **options):
            with (work / KERNEL_LOG).open("ab") as log:
                await super()._async_start_kernel(stderr=log, env=environment, **options)
            provisioner: Any = self.provisioner  # a local one, with the pid of what it has started
            kernels.add(work, provisioner.pid)  # it leads a process group of its own

        start_kernel = _async_start_kernel

    return Manager


def execute(
    entry: Entry, parameters: dict, work: Path, kernels: Kernels, share: int, on_cell: Callable[[], None]
) -> tuple[str, str, bytes]:
    """Execute a notebook into the folder `work`; return its status, a message, and the log of what it read."""
    # It guesses at parameters that are checked already, and guesses wrong where a text holds a "#" or "&".
    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    # After Ctrl-C the task that waited for the kernel ends unheard, and asyncio would print its traceback.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="propeval-", ignore_cleanup_errors=True) as folder:
        scratch = Path(folder)
        try:
            executed = papermill.execute_notebook(
                _literal(entry.path),
                _literal(work / f"{entry.name}.ipynb"),
                parameters,
                kernel_name="python3",
                kernel_manager_class=kernel_manager(work, scratch, share, kernels),
                progress_bar=False,
                on_cell_complete=lambda **_: on_cell(),
            )
        except (PapermillExecutionError, DeadKernelError, RuntimeError) as error:
            if kernels.stopped:
                return "interrupted", "stopped by Ctrl-C", b""
            if isinstance(error, PapermillExecutionError):
                lines = [line for line in str(error.evalue).splitlines() if line.strip()]
                first = lines[0].strip() if lines else ""
                return "failed", f"cell {error.exec_count}: {error.ename}: {first}", b""
            if isinstance(error, DeadKernelError):
                return "failed", "the kernel died: out of memory, or ended by a cell or a signal", b""
            return "failed", f"the kernel did not start: {error}; see {KERNEL_LOG}", b""
        finally:
            kernels.remove(work)
        exited = _find_exit(executed)
        if exited:
            return "failed", exited, b""
        (work / KERNEL_LOG).unlink(missing_ok=True)
        return "finished", "", (scratch / "reads").read_bytes()


def _literal(path: Path) -> str:
    """Path for papermill, which fills in parameters where a path has braces."""
    return str(path).replace("{", "{{").replace("}", "}}")


def _find_exit(notebook) -> str:
    """Say which cell asked Python to end; papermill takes ``sys.exit(0)`` for a good end of the whole notebook."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                said = f"{output.ename} {output.evalue}".strip()
                return f"cell {cell.execution_count}: {said}; a cell or a method must not end Python"
    return ""
