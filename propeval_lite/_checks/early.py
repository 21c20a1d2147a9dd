"""What goes wrong before the command `propeval` has imported its library: one line, not a traceback.

Importing takes a second or two and happens before any line of the command can catch anything, so this module is the
first import of the library. It does nothing in any other program.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys

STOPPED = "propeval: stopped by Ctrl-C; finished runs are kept, run the same command to go on."
GONE = (
    "propeval: error: expected to be started in a folder, got one that has been removed. "
    "Change to a folder that is there."
)


def is_command(arguments: list[str], original: list[str]) -> bool:
    """Whether this process is the command: its script, or ``python -m propeval_lite.cli``.

    Examples
    --------
    >>> is_command(["/usr/bin/propeval", "list"], []), is_command(["-m"], ["python", "-m", "propeval_lite.cli"])
    (True, True)
    >>> is_command(["-m"], ["python", "-m", "pytest"]), is_command([], [])
    (False, False)
    """
    program = os.path.basename(arguments[0]) if arguments else ""
    if program == "-m":
        return ("-m", "propeval_lite.cli") in itertools.pairwise(original)
    return program in ("propeval", "propeval.exe")


def _leave(*_) -> None:
    os.write(2, f"{STOPPED}\n".encode())
    os._exit(130)


def _check_folder() -> None:
    """End here if the folder in which the command was started is gone: numba cannot be imported there."""
    try:
        os.getcwd()
    except FileNotFoundError:
        os.write(2, f"{GONE}\n".encode())
        os._exit(2)


def begin() -> None:
    """Answer Ctrl-C with one line from now on, and refuse a folder that is gone, in the command only."""
    if is_command(sys.argv, sys.orig_argv):
        _check_folder()
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)


def end() -> None:
    """Make Ctrl-C an exception again, for those who clean up after it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


begin()
