"""The kernel of a run: the Python that started it, nobody's start-up files, and a log of the files it looks for.

The runner starts ``python -m propeval_lite.runner.kernel LOG -f CONNECTION_FILE``.
"""

from __future__ import annotations

import functools
import os
import sys

from ipykernel.kernelapp import IPKernelApp

READ, WRITE, LIST = "r", "w", "l"
INLINE = "module://matplotlib_inline.backend_inline"


class Kernel(IPKernelApp):
    """A kernel without configuration files and without start-up code, so that a run is the same for everyone."""

    def load_config_file(self, *_, **__) -> None:
        """Read no configuration: neither the user's, nor the system's, nor one in this folder."""

    def init_code(self) -> None:
        """Run nothing before the first cell, and make ``exit()`` an error of its cell, not the end of the kernel."""
        self.shell.ask_exit = _refuse_exit


def _refuse_exit() -> None:
    raise SystemExit("exit()")


def watch(log: str) -> None:
    """Write to `log` which files this process and its forks open, list or look for, each once a process.

    Files opened by libraries outside Python (Arrow, OpenCV) are not seen.
    """
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    seen: set[tuple[str, str]] = set()

    def note(kind: str, path: object) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return  # an open file, or the current folder
        text = os.path.abspath(os.fsdecode(path))
        if (kind, text) not in seen:
            seen.add((kind, text))
            os.write(file, os.fsencode(f"{kind}{text}\0"))

    def hook(event: str, arguments: tuple) -> None:
        if event == "open":
            note(WRITE if arguments[2] & (os.O_WRONLY | os.O_RDWR) else READ, arguments[0])
        elif event in ("os.listdir", "os.scandir"):
            note(LIST, "." if arguments[0] is None else arguments[0])
        elif event == "import" and arguments[1]:
            note(READ, arguments[1])  # a compiled module, which Python opens elsewhere

    plain_stat = os.stat

    @functools.wraps(plain_stat)
    def stat(path, *arguments, **options):
        try:
            return plain_stat(path, *arguments, **options)
        except (FileNotFoundError, NotADirectoryError):
            note(
                READ, path
            )  # `exists` and its like raise no audit event, and the file may be there next time
            raise

    for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        able.add(stat)
    os.stat = stat
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None):
            note(READ, module.__file__)
    sys.addaudithook(hook)


def main() -> None:
    """Start the kernel that the command line describes."""
    os.environ["MPLBACKEND"] = INLINE
    watch(sys.argv.pop(1))
    import matplotlib

    matplotlib.rcdefaults()  # a matplotlibrc here or in the home folder moves no line of a figure
    Kernel.launch_instance()


if __name__ == "__main__":
    main()
