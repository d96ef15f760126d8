"""Facts about processes and ports of this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil

MARK = "WHISTLESTOP_STACK"
"""Environment variable that every process of a stack inherits; its value is the stack's folder."""
READABLE = {"SPT_NOENV": "1"}
"""Lets a process that changes its title (setproctitle) leave its environment where others can read it."""


def free_ports(count: int) -> list[int]:
    """Gives ports that were free a moment ago, all different."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def is_free(port: int) -> bool:
    """Whether a server could listen on this port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def listener_on(port: int) -> str:
    """Names who listens on a port, as far as this user may know."""
    try:
        for connection in psutil.net_connections("tcp"):
            if connection.laddr and connection.laddr.port == port and connection.pid and not connection.raddr:
                return f"{psutil.Process(connection.pid).name()} (process {connection.pid})"
    except psutil.Error:
        return "another program"
    return "another program"


def of_stack(var: Path) -> Iterator[psutil.Process]:
    """Gives every living process that belongs to the stack in folder `var`, orphans too."""
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(MARK) == str(var):
                yield process
        except (psutil.Error, OSError):
            continue


def family(pid: int) -> list[psutil.Process]:
    """Gives a process and all its descendants; none when it is gone."""
    try:
        leader = psutil.Process(pid)
        return [leader, *leader.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def memory(pid: int, *, descendants: bool = True) -> int:
    """Gives the bytes of memory of a process and its descendants, shared pages split between those who share them."""
    total = 0
    for process in family(pid)[:None if descendants else 1]:
        try:
            info = process.memory_full_info()
        except psutil.Error:
            continue
        total += info.pss if hasattr(info, "pss") else info.uss
    return total
