"""One at a time: a lock on a file that other processes, containers and hosts on a shared volume see too."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
import tempfile
import threading
import uuid
from pathlib import Path

from propeval_lite._checks.values import fail

BEAT = 5.0  # seconds between two signs of life
STALE = 60.0  # seconds without one after which a holder on another machine counts as dead
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


def machine() -> str:
    """Name of the running system: its locks hold between all its containers, whatever they call their host."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return f"{uuid.getnode():x}"


class Lock:
    """Hold the file at `path` while a block runs; an error names who else holds it.

    The system gives the lock free when its holder dies. Where a shared volume does not pass locks on to other
    machines, the file's time, set again every few seconds, tells whether a holder there is alive; process numbers
    tell nothing, since each container counts its own.
    """

    def __init__(self, path: Path, what: str, remedy: str):
        self.path, self.what, self.remedy = path, what, remedy
        self._file = -1
        self._end = threading.Event()
        self._beat = threading.Thread(target=self._keep_alive, daemon=True)

    def __enter__(self) -> Lock:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                exact = self._take()
                # The holder before us removes the file when it ends: what we hold may be no longer there.
                if os.path.exists(self.path) and os.path.samestat(os.fstat(self._file), os.stat(self.path)):
                    self._look_at_owner(exact)
                    break
            except BaseException:
                os.close(self._file)
                raise
            os.close(self._file)
        owner = {"machine": machine(), "host": socket.gethostname(), "process": os.getpid()}
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, json.dumps(owner).encode(), 0)
        self._beat.start()
        return self

    def __exit__(self, *_) -> None:
        self._end.set()
        self._beat.join()
        with contextlib.suppress(OSError):
            os.unlink(self.path)
        os.close(self._file)

    def _take(self) -> bool:
        """Take the lock; False where the file system has none."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._busy(self._owner()) from None
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            return False
        return True

    def _owner(self) -> dict:
        """Return who wrote the file last; empty for a new one."""
        try:
            owner = json.loads(os.pread(self._file, 4096, 0))
        except ValueError:
            return {}
        return owner if isinstance(owner, dict) else {}

    def _look_at_owner(self, exact: bool) -> None:
        """Refuse a file that somebody keeps alive whom our lock does not reach."""
        owner = self._owner()
        if not owner or (exact and owner.get("machine") == machine()):
            return
        with tempfile.NamedTemporaryFile(dir=self.path.parent, prefix=".") as fresh:  # the volume's own clock
            age = os.stat(fresh.name).st_mtime - os.fstat(self._file).st_mtime
        if age < STALE:
            raise self._busy(owner)

    def _busy(self, owner: dict):
        got = f"one on {owner.get('host', 'this machine')}, process {owner.get('process', 'unknown')}"
        return fail(f"no other {self.what} at work", got, self.remedy, str(self.path.parent))

    def _keep_alive(self) -> None:
        while not self._end.wait(BEAT):
            with contextlib.suppress(OSError):
                os.utime(self._file)
