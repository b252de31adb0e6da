"""The process that children are forked from: one thread, our readers imported, no connection, loop or secret in it."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import selectors
import signal
import socket
import struct

from tools.isolation import child_process

ENDED = struct.Struct("<iqd")
"""How a child ended: its wait status, its peak resident memory in bytes, its processor time in seconds."""
_KIBIBYTE = 1024


def serve(control_fd: int, module: str, warm_up: str) -> None:
    """Calls `module`'s `warm_up`, then forks a child for each set of descriptors that comes, until its sender ends."""
    # What fails here fails again in the child that needs it, which can say so.
    with contextlib.suppress(Exception):
        getattr(importlib.import_module(module), warm_up)()
    gc.collect()
    gc.freeze()
    _Server(socket.socket(fileno=control_fd)).run()


class _Server:
    """`_children` maps each child to the socket on which its end is told, and whose closing asks for that end."""

    def __init__(self, control: socket.socket) -> None:
        self._control, self._open = control, True
        self._children: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._woken, wake = socket.socketpair()
        for end in (self._woken, wake):
            end.setblocking(False)
        self._wake = wake
        signal.signal(signal.SIGCHLD, _heard)
        signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
        self._selector.register(control, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)

    def run(self) -> None:
        """Serves until the control socket closes; then kills and buries every child."""
        while self._open or self._children:
            for key, _ in self._selector.select():
                if key.fileobj is self._woken:
                    self._bury()
                elif key.fileobj is self._control:
                    self._accept()
                elif (pid := key.data) in self._children:
                    self._kill(pid)

    def _accept(self) -> None:
        """Forks for one request; once the other end closes, nothing may outlive it."""
        descriptors: list[int] = []
        with contextlib.suppress(OSError):
            _, descriptors, _, _ = socket.recv_fds(self._control, 1, 3)
        if len(descriptors) == 3:
            self._fork(*descriptors)
            return
        self._open = False
        self._selector.unregister(self._control)
        for pid in self._children:
            self._kill(pid)

    def _fork(self, channel: int, ended: int, log: int) -> None:
        """Forks a child; where the system allows no more processes, closing its sockets tells the parent."""
        server, pid = os.getpid(), -1
        with contextlib.suppress(OSError):
            pid = os.fork()
        if pid == 0:
            try:
                child_process.enter(channel, log, server)
                child_process.answer()
                os._exit(0)
            finally:
                os._exit(child_process.EXIT_FAULT)
        os.close(channel)
        os.close(log)
        with socket.socket(fileno=ended) as told:
            if pid > 0:
                with contextlib.suppress(OSError):
                    os.setpgid(pid, pid)
                self._children[pid] = told.dup()
                self._selector.register(self._children[pid], selectors.EVENT_READ, pid)

    def _kill(self, pid: int) -> None:
        """Kills a child and whatever it started. It is not buried yet, so its number is still its own."""
        with contextlib.suppress(KeyError):
            self._selector.unregister(self._children[pid])
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)

    def _bury(self) -> None:
        """Collects the children that ended, and tells how, save of those that end with the server: they are lost."""
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(4096)
        while self._children:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return
            self._kill(pid := ended.si_pid)
            _, status, usage = os.wait4(pid, 0)
            with self._children.pop(pid) as told, contextlib.suppress(OSError):
                if self._open:
                    told.sendall(ENDED.pack(status, usage.ru_maxrss * _KIBIBYTE, usage.ru_utime + usage.ru_stime))


def _heard(number: int, frame: object) -> None:
    """Handles a signal by nothing: that it came is told by the wake-up descriptor."""
