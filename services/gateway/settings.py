"""What an operator may tune at the gateway, from the environment; the defaults suit one process of 64 threads."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from environs import Env, EnvError
from limits import parse
from marshmallow import ValidationError, validate

from services.gateway.tokens import BOT, PLATFORM, SEAT, SPECTATOR

ANONYMOUS = "anonymous"
RATES = {
    PLATFORM: "500/second",
    BOT: "5000/second",
    SEAT: "200/second",
    SPECTATOR: "100/second",
    ANONYMOUS: "100/second",
}


@dataclass(frozen=True)
class Tuning:
    """How many requests may stream or wait at once, how often a stream shows that it lives, how fast a caller may ask.

    Every stream and every wait holds a thread; what is left of the threads serves everything else.
    """

    streams: int = 32
    waits: int = 16
    heartbeat: float = 15.0
    rates: dict[str, str] = field(default_factory=lambda: dict(RATES))

    @classmethod
    def load(cls) -> Tuning:
        """Reads MAX_STREAMS, MAX_WAITS, HEARTBEAT_SECONDS and RATE_<KIND>; says what is wrong and exits with 2."""
        env = Env(eager=False)
        least = validate.Range(min=0)
        tuning = cls(
            streams=env.int("MAX_STREAMS", cls.streams, validate=least),
            waits=env.int("MAX_WAITS", cls.waits, validate=least),
            heartbeat=env.float("HEARTBEAT_SECONDS", cls.heartbeat, validate=validate.Range(min=0.1, max=60)),
            rates={kind: env.str(f"RATE_{kind.upper()}", rate, validate=_rate) for kind, rate in RATES.items()},
        )
        try:
            env.seal()
        except EnvError as error:
            sys.stderr.write(f"whistlestop gateway: cannot start, these settings are not right: {error}\n")
            sys.exit(2)
        return tuning


def _rate(value: str) -> None:
    try:
        parse(value)
    except ValueError as error:
        raise ValidationError(f'found {value!r}, needed a rate such as "100/second"') from error
