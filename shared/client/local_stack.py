"""The stack that runs on this machine (`make up`), for those who name no other: where its parts are to be found."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import psutil

NOBODY = "http://127.0.0.1:8000"
"""Where a gateway is to be looked for when no local stack runs."""
VAR = Path(os.environ.get("VAR") or Path(__file__).resolve().parents[2] / "var")


def address() -> str | None:
    """The address of its gateway; None where no stack runs."""
    return _told().get("address")


def store_url() -> str | None:
    """The address of its store; None where no stack runs."""
    return _told().get("data_urls", {}).get("store")


def _told() -> dict[str, Any]:
    try:
        told = json.loads((VAR / "stack.json").read_text())
    except FileNotFoundError:
        return {}
    return told if psutil.pid_exists(told["supervisor"]) else {}
