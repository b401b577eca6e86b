"""One lock around every read, change and write of a study's files."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import platform
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final

from ordbo_cli.errors import FileError, LockTimeoutError
from ordbo_cli.files.durable.atomic import write_all
from ordbo_cli.files.durable.mounts import locks_are_local
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.problem.spelling import shown, shown_path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # the fallback lock is used there

_UNSUPPORTED: Final = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
_LONGEST_NAP: Final = 0.1
_GUARD_LIFE: Final = 10.0  # seconds after which a process that left no name counts as dead


@contextlib.contextmanager
def locked(path: Path, timeout: float) -> Iterator[None]:
    """Hold a lock for the time of a ``with`` block.

    The lock is the system's (``flock``) on a file that stays: it ends with its holder, however that dies. Where the
    file system has no ``flock``, a second file that exists while the lock is held does instead; it names its holder,
    and one that a dead process of this machine left is taken over. Where ``flock`` holds on this machine alone (NFS
    that is mounted with ``nolock``, sshfs), both are held: the file keeps other machines out.

    Args:
        path: the lock file.
        timeout: seconds to wait for it.

    Raises:
        LockTimeoutError: another process held it for longer; the message names it.
        FileError: the system refused to make the lock file.
    """
    descriptor = _open(path)
    try:
        is_held = _flock(descriptor, path, timeout)
        if is_held:
            _sign(descriptor)
        if is_held and not locks_are_local(path):
            yield
        else:
            with _exclusive_file(path.with_name(path.name + "ed"), timeout):
                yield
    finally:
        os.close(descriptor)  # which releases a flock


def discard(path: Path) -> bool:
    """Delete a lock file that nobody holds, and return whether that was done: who waits for it makes another one."""
    try:
        with locked(path, 0.0):
            path.unlink()
    except (LockTimeoutError, FileError, OSError):
        return False
    return True


def _open(path: Path) -> int:
    flags = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(path, flags | os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        with contextlib.suppress(OSError):
            return os.open(path, flags | os.O_RDONLY)  # another user's: it can be locked all the same
        raise refused("lock it", path, error) from None


def _flock(descriptor: int, path: Path, timeout: float) -> bool:
    """Return whether the system's lock is held now; False where the file system has none."""
    if fcntl is None:
        return False
    for _ in _attempts(timeout):
        fault = _try_flock(descriptor)
        while fault is None and not _is_at(descriptor, path):
            _open_again(descriptor, path)
            fault = _try_flock(descriptor)
        if fault is None:
            return True
        if fault.errno in _UNSUPPORTED:
            return False
        if fault.errno not in (errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK):
            raise refused("lock it", path, fault) from None
    raise _timed_out(path, timeout)


def _is_at(descriptor: int, path: Path) -> bool:
    """Return whether an open file is the one that a name leads to: who locks another holds nobody up."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
    except OSError:  # nobody can say
        return True


def _open_again(descriptor: int, path: Path) -> None:
    """Let a descriptor be of the file that has come in the place of the one that was waited for."""
    new = _open(path)
    os.dup2(new, descriptor, inheritable=False)
    os.close(new)


def _try_flock(descriptor: int) -> OSError | None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error
    return None


def _attempts(timeout: float) -> Iterator[None]:
    """Yield at once, and then after ever longer naps until the time is over."""
    end, nap = time.monotonic() + timeout, 0.002
    yield
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(nap, left))
        nap = min(2 * nap, _LONGEST_NAP)
        yield


def _signature() -> bytes:
    since = datetime.now(timezone.utc).isoformat(timespec="seconds")
    holder = {"pid": os.getpid(), "host": platform.node(), "since": since, "token": os.urandom(8).hex()}
    return json.dumps(holder).encode()


def _sign(descriptor: int) -> None:
    """Write who holds the lock, for the people who wait; a full disk is no reason to fail."""
    if os.fstat(descriptor).st_nlink > 1:
        return  # somebody made it another name of a file that is none of ours
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        write_all(descriptor, _signature())


def _holder(path: Path) -> dict[str, Any]:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for
    try:
        descriptor = os.open(path, flags)
        try:
            found = json.loads(os.read(descriptor, 4096))
        finally:
            os.close(descriptor)
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _timed_out(path: Path, timeout: float) -> LockTimeoutError:
    holder = _holder(path)
    who = "another process"
    if holder:
        pid, host, since = (shown(str(holder.get(key, "?"))) for key in ("pid", "host", "since"))
        who = f"process {pid} on {host} since {since}"
    waited = f" after {timeout:g} s" if timeout else ""
    message = f"{shown_path(path)}: {'still ' if timeout else ''}held by {who}{waited}"
    return LockTimeoutError(message, "Wait for it, or allow more time with --lock-timeout")


@contextlib.contextmanager
def _exclusive_file(path: Path, timeout: float) -> Iterator[None]:
    signature = _signature()
    _create(path, signature, timeout)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if path.read_bytes() == signature:  # not a successor's
                path.unlink()


def _create(path: Path, signature: bytes, timeout: float) -> None:
    for _ in _attempts(timeout):
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            _evict_dead(path)
            continue
        except OSError as error:
            raise refused("lock it", path, error) from None
        try:
            write_all(descriptor, signature)
        except OSError as error:
            with contextlib.suppress(OSError):
                path.unlink()  # unsigned it would hold everybody up
            raise refused("lock it", path, error) from None
        finally:
            os.close(descriptor)
        return
    raise _timed_out(path, timeout)


def _evict_dead(path: Path) -> None:
    """Delete the file of a dead process; a guard file lets one thief at a time look and act."""
    if not _abandoned(path):
        return
    guard = path.with_name(path.name + ".guard")
    try:
        os.close(os.open(guard, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except OSError:
        with contextlib.suppress(OSError):
            if time.time() - guard.stat().st_mtime > _GUARD_LIFE:
                guard.unlink()
        return
    try:
        if _abandoned(path):
            with contextlib.suppress(OSError):
                path.unlink()
    finally:
        with contextlib.suppress(OSError):
            guard.unlink()


def _abandoned(path: Path) -> bool:
    """Return whether a lock file's maker is dead, or died before it could sign."""
    holder = _holder(path)
    if holder:
        return _dead(holder)
    try:
        return time.time() - path.stat().st_mtime > _GUARD_LIFE
    except OSError:
        return False


def _dead(holder: dict[str, Any]) -> bool:
    """Return whether a holder is known to be dead: only processes of this machine can be."""
    pid = holder.get("pid")
    if holder.get("host") != platform.node() or not isinstance(pid, int) or not 0 < pid < 2**31 or os.name == "nt":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:  # it lives and belongs to somebody else
        return False
    return False
