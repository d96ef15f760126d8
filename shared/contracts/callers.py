"""How the gateway tells the services behind it for whom it asks."""

from __future__ import annotations

CALLER_HEADER = "Whistlestop-Caller"
"""A verified one: `owner:<platform>`, `seat:<game>:<seat>:<epoch>`, `spectator:<game>:<epoch>` or `bot:<account>`."""
