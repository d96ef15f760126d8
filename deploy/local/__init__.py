"""Whistlestop on one machine, without containers: `make up`, and `Stack` for tests, demo and benchmarks."""

from __future__ import annotations

from deploy.local.stack import Stack, StackError

__all__ = ["Stack", "StackError"]
