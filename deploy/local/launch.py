"""Runs supervisord, which ends when whoever started it is gone: `python -P launch.py <configuration> <parent pid>`.

It imports nothing of the project, for it stays in memory as long as the stack.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

from supervisor import supervisord

PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int) -> None:
    """Asks the kernel (Linux) for SIGTERM when the parent process ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            sys.exit("whoever started the stack is gone")


if __name__ == "__main__":
    end_with_parent(int(sys.argv[2]))
    supervisord.main(["-c", sys.argv[1]])
