"""Functions that kill the process they run in, each in its own way."""

from __future__ import annotations

import atexit
import ctypes
import os
import pickle
import re
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing.connection import Listener
from pathlib import Path

import numpy as np

from oracle.sandbox.confinement import WRITABLE
from oracle.sandbox.progress import last_step, step

KEPT = []


def prepare(word="ready"):
    return word


def prepare_with_a_thread():
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    return "late"


def refuse_late():
    """Prepare well in the template, and badly in a worker."""
    if last_step():
        raise LookupError("no start")
    return prepare_with_a_thread()


def refuse():
    raise LookupError("no such subject")


def exit(subject):
    os._exit(0)


def be_killed(subject):
    os.kill(os.getpid(), signal.SIGKILL)


def start(context):
    return f"{context} and started"


def obey(context, item):
    """Do what `item` names."""
    return getattr(Acts, item)(context) if isinstance(item, str) else (context, item)


CHANGES = {
    "remove": lambda place: (place / "file").unlink(),
    "overwrite": lambda place: (place / "file").write_text("changed"),
    "open": lambda place: os.close(os.open(place / "file" if place.is_dir() else place, os.O_WRONLY | os.O_NOCTTY)),
    "truncate": lambda place: os.truncate(place / "file", 0),
    "rename": lambda place: (place / "file").rename(place / "other"),
    "move away": lambda place: (place / "file").rename("moved"),
    "make": lambda place: (place / "new").touch(),
    "make a folder": lambda place: (place / "folder").mkdir(),
    "link": lambda place: (place / "link").symlink_to("/"),
    "remove a folder": lambda place: (place / "empty").rmdir(),
    "go there and remove all": lambda place: (os.chdir(place), shutil.rmtree(".")),
    "remove by a program": lambda place: subprocess.run(["rm", "-r", place / "file"], check=True, stderr=2),
}
"""What a call may do to a folder that has a file and an empty folder."""


def change(context, item):
    """Make a change in a folder. Return the name of the error, or nothing."""
    kind, place = item
    try:
        CHANGES[kind](Path(place))
    except (OSError, subprocess.CalledProcessError) as error:
        return type(error).__name__
    return ""


class Code:
    """An object whose reading, where pickles are read as they are, makes the file `path`."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


def list_sockets():
    """Return the open sockets of this process."""
    numbers = [int(entry) for entry in os.listdir("/proc/self/fd")]
    return [number for number in numbers if os.path.exists(f"/proc/self/fd/{number}") and is_socket(number)]


def is_socket(number):
    return stat.S_ISSOCK(os.fstat(number).st_mode)


def write_to_sockets(data):
    for number in list_sockets():
        os.write(number, data)
    return os.getpid()


WRITTEN = {
    "text": lambda path: b"a line of a library's log\n" * 10,
    "the length of more than there is": lambda path: struct.pack("!Q", 1 << 20) + b"part",
    "the length of more than may be": lambda path: struct.pack("!Q", 1 << 60),
    "code": lambda path: frame(pickle.dumps((Code(path), 0))),
    "a function": lambda path: frame(pickle.dumps((os.system, 0))),
    "a function of ours": lambda path: frame(pickle.dumps((obey, 0)).replace(b"hostile", b"oracle.sandbox.worker")),
    "no pair": lambda path: frame(pickle.dumps(None)),
    "a text for a number": lambda path: frame(pickle.dumps((1, "much"))),
}
"""What a call may write into the connection of its worker."""


def frame(data):
    return struct.pack("!Q", len(data)) + data


def write_over(context, item):
    """Write into this worker's connection, and wait."""
    kind, path = item
    write_to_sockets(WRITTEN[kind](path))
    time.sleep(0.01)
    return os.getpid()


class Acts:
    """One method a way to die, or to live."""

    ran = 0

    @staticmethod
    def return_twice(context):
        """Fork, and return in both processes."""
        parent = os.getpid()
        os.fork()
        return os.getpid() == parent

    @staticmethod
    def return_code(context):
        return Code("/proc/self/made")

    @staticmethod
    def work(context):
        Acts.ran += 1
        return os.getpid()

    @staticmethod
    def start_daemon(context):
        """Start a process in a session of its own, which keeps what it inherited, and return its number."""
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.write(writing, str(os.getpid()).encode())
                time.sleep(3600)
            os._exit(0)
        return int(os.read(reading, 20))

    @staticmethod
    def start_program(context):
        """Start a program in a session of its own, and return its number."""
        return subprocess.Popen(["sleep", "3600"], start_new_session=True).pid

    @staticmethod
    def die_with_daemon(context):
        Acts.start_daemon(context)
        os._exit(7)

    @staticmethod
    def change_process(context):
        """Change what the next call would see."""
        os.chdir("/")
        os.umask(0o777)
        os.environ["CHANGED"] = "yes"
        os.environ.pop("PATH", None)
        sys.path.insert(0, "/changed")
        sys.setrecursionlimit(5000)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
        tempfile.tempdir = "/"
        warnings.simplefilter("error")
        np.seterr(all="raise")
        signal.setitimer(signal.ITIMER_REAL, 0.2)

    @staticmethod
    def look_at_process(context):
        np.exp(1000.0)
        time.sleep(0.3)
        blocked = signal.SIGUSR2 in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        state = ("CHANGED" in os.environ, "PATH" in os.environ, "/changed" in sys.path, sys.getrecursionlimit() == 5000)
        umask = os.umask(0)
        os.umask(umask)
        return os.getcwd() == os.environ["TMPDIR"] == tempfile.gettempdir(), umask == 0o777, blocked, *state

    @staticmethod
    def shrink_memory(context):
        """Make all files that are only in memory empty, as far as that is possible."""
        for number in map(int, os.listdir("/proc/self/fd")):
            with suppress(OSError):
                os.ftruncate(number, 0)
        return os.getpid()

    @staticmethod
    def flood(context):
        """Write much more than is kept of it, for seconds."""
        for _ in range(1024):
            os.write(1, b"x" * (1 << 20))
            time.sleep(0.001)

    @staticmethod
    def leak(context):
        """Leave descriptors open, and return the process's number."""
        for _ in range(40):
            os.open(os.devnull, os.O_RDONLY)
        return os.getpid()

    @staticmethod
    def lower_limit(context):
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
        return os.getpid()

    @staticmethod
    def write(context):
        with open("json5.py", "w") as file:
            file.write("WRITTEN = True")
        return os.getcwd(), find_spec("json5") is not None

    @staticmethod
    def leave_files(context):
        """Leave a file in the working directory, a folder, and a file that only the interpreter's end removes."""
        Path("left").touch()
        atexit.register(os.remove, tempfile.mkstemp()[1])
        tempfile.mkdtemp()
        return os.getpid(), os.getcwd(), [str(path) for path in Path(tempfile.gettempdir()).iterdir()]

    @staticmethod
    def listen_in_a_temporary_folder(context):
        with Listener(family="AF_UNIX") as listener:
            return listener.address

    @staticmethod
    def keep(context):
        KEPT.append(b"x" * (64 << 20))
        return os.getpid()

    @staticmethod
    def interrupts(context):
        return signal.getsignal(signal.SIGINT) == signal.SIG_IGN, os.getsid(0) == os.getpid()

    @staticmethod
    def abort(context):
        step("about to abort")
        os.abort()

    @staticmethod
    def dereference(context):
        ctypes.string_at(0)

    @staticmethod
    def exit(context):
        os._exit(0)

    @staticmethod
    def die_if_used(context):
        if Acts.ran:
            os.abort()
        return "alone"

    @staticmethod
    def loop(context):
        step("looping")
        while True:
            pass

    @staticmethod
    def loop_in_c(context):
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        re.match(r"(a+)+$", "a" * 64 + "b")

    @staticmethod
    def leave(context):
        step("about to leave")
        raise SystemExit(7)

    @staticmethod
    def interrupt(context):
        step("about to leave")
        raise KeyboardInterrupt

    @staticmethod
    def escape(context):
        step("about to leave")
        raise BaseException("of all things")

    @staticmethod
    def kill_template(context):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(3600)

    @staticmethod
    def be_killed_once(context):
        try:
            Path(os.environ[WRITABLE], "killed").touch(exist_ok=False)
        except FileExistsError:
            return "alive"
        return os.kill(os.getpid(), signal.SIGKILL)

    @staticmethod
    def be_stopped_once(context):
        """Stop as if somebody else had done it."""
        try:
            Path(os.environ[WRITABLE], "stopped").touch(exist_ok=False)
        except FileExistsError:
            return "alive"
        return os.kill(os.getpid(), signal.SIGSTOP)

    @staticmethod
    def be_stopped(context):
        os.kill(os.getpid(), signal.SIGSTOP)

    @staticmethod
    def wait(context):
        time.sleep(3600)

    @staticmethod
    def wait_two_seconds(context):
        time.sleep(2)
        return "waited"

    @staticmethod
    def wait_three_seconds(context):
        time.sleep(3)
        return "waited"

    @staticmethod
    def exhaust_numpy(context):
        return np.zeros(100 << 30, np.uint8)

    @staticmethod
    def exhaust_malloc(context):
        libstdcxx = ctypes.CDLL("libstdc++.so.6")
        libstdcxx._Znwm.argtypes = [ctypes.c_size_t]
        libstdcxx._Znwm(100 << 30)

    @staticmethod
    def be_killed(context):
        os.kill(os.getpid(), signal.SIGKILL)

    @staticmethod
    def mistake(context):
        raise KeyError("mistake")

    @staticmethod
    def unpicklable(context):
        return lambda: None

    @staticmethod
    def exhaust_tensorflow(context):
        import tensorflow as tf

        return tf.zeros([100 << 30], tf.uint8)

    @staticmethod
    def use_tensorflow(context):
        import tensorflow as tf

        return tf.reduce_sum(tf.constant([1.0, 2.0])).numpy().item()
