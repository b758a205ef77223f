"""Confinement of a process: it writes and removes files only in its own folder, and where libraries keep caches.

A call that changes into `/` and removes what is in the working directory then removes nothing of the machine's. The
kernel enforces it by Landlock (https://docs.kernel.org/userspace-api/landlock.html), which needs no privileges and no
mounts, and also works in most containers. It does not restrict what is read, nor the modes and owners of files.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

WRITABLE = "ORACLE_WRITABLE"
"""The environment variable for further paths that calls may write; `/` is no confinement."""

ALLOW_ROOT = "ORACLE_ALLOW_ROOT"
"""The environment variable by which root runs calls that are not confined."""

CACHES = (".cache", ".cupy", ".nv", ".pytensor", ".triton")
"""Where libraries keep caches in the home directory: a cache that is removed is filled again."""

CACHE_VARIABLES = (
    *("XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "MPLCONFIGDIR", "CUPY_CACHE_DIR", "CUDA_CACHE_PATH", "TRITON_CACHE_DIR"),
    *("JAX_COMPILATION_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "TF_DUMP_GRAPH_PREFIX", "PYTHONPYCACHEPREFIX"),
)
"""Environment variables by which users name a folder that a library writes."""

DEVICES = (
    *("null", "zero", "full", "random", "urandom"),
    *("accel*", "apex_*", "dri", "dxg", "kfd", "nvidia*", "vfio"),
)
"""The devices that calls may write to, in /dev, as patterns: none of them is a terminal, or holds anything. The others
are accelerators.
"""

_DUMPS = re.compile(r"--xla_dump_to=(\S+)")

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the numbers of system calls, the same on all machines
_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13)) | _REFER  # to remove, to make, to move between folders
_OF_A_FILE = _WRITE_FILE | _TRUNCATE
_PATH_BENEATH, _VERSION = 1, 1
_SET_NO_NEW_PRIVS = 38
_RENAMES, _TRUNCATIONS = 2, 3  # the versions from which moving between two own folders works, and truncating is covered
_ADMINISTRATOR = 21  # the capability CAP_SYS_ADMIN


def confine(folder: str | Path) -> bool:
    """Have the kernel refuse this process, and what it starts, to change files outside `folder`, shared memory, caches,
    what the user names and what /proc has of this process, and to write to devices other than DEVICES. Return False if
    the kernel cannot.
    """
    version = find_version()
    if version < _RENAMES or os.sep in list_named():
        return False
    handled = _CHANGES | (_TRUNCATE if version >= _TRUNCATIONS else 0)
    ruleset = _call(_CREATE_RULESET, struct.pack("=Q", handled), 8, 0)
    for path in (folder, "/dev/shm", *list_caches(), *list_named()):
        _allow(ruleset, path, handled)
    for device in (*_list_devices(), Path("/proc/self")):
        _allow(ruleset, device, handled & _OF_A_FILE)
    ctypes.CDLL(None).prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return True


def find_version() -> int:
    """Return the version of Landlock that the kernel has, or 0."""
    try:
        return _call(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def list_caches() -> Iterator[str]:
    """Yield the folders of caches, which are made if the home directory has none."""
    home = _find_home()
    with suppress(OSError):
        (home / CACHES[0]).mkdir(mode=0o700, exist_ok=True)
    yield from (str(home / name) for name in CACHES)
    yield from (path for path in map(os.environ.get, CACHE_VARIABLES) if path)
    yield from _DUMPS.findall(os.environ.get("XLA_FLAGS", ""))


def _list_devices() -> Iterator[Path]:
    for pattern in DEVICES:
        yield from Path("/dev").glob(pattern)


def _find_home() -> Path:
    return Path(os.path.expanduser("~"))


def list_named() -> list[str]:
    """Return the paths that the user names."""
    return [path for path in os.environ.get(WRITABLE, "").split(os.pathsep) if path]


def _allow(ruleset: int, path: str | Path, access: int) -> None:
    """Allow changes of a file, or in a folder; of one that is not there, nothing."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        access = access if os.path.isdir(path) else access & _OF_A_FILE
        try:
            _call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", access, descriptor), 0)
        finally:
            os.close(descriptor)


def _call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call, and return its result. Raises OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    result = library.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(result)


def describe_danger() -> str:
    """Return what to say where calls run as root, unconfined; otherwise, or if the user allows it, nothing."""
    if os.geteuid() != 0 or find_version() >= _RENAMES or os.environ.get(ALLOW_ROOT):
        return ""
    return "calls run as root and can remove any file, because the kernel has no Landlock"


def may_administer() -> bool:
    """Return whether this process may administer the machine: root of a container, as a rule, may not."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return bool(int(re.findall(r"^CapEff:\s*([0-9a-f]+)", status, re.MULTILINE)[0], 16) >> _ADMINISTRATOR & 1)


def make_cache_variables() -> dict[str, str]:
    """Return environment variables for caches that libraries keep beside their sources, which a call cannot write."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(_find_home() / CACHES[0])
    return {"NUMBA_CACHE_DIR": str(Path(cache, "numba"))}
