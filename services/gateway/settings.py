"""What an operator may tune at the gateway, from the environment; the defaults suit one process of 64 threads."""

from __future__ import annotations

from dataclasses import dataclass, field

from limits import parse
from marshmallow import ValidationError

from services.gateway.tokens import BOT, EXTERNAL_BOT, PLATFORM, SEAT, SPECTATOR
from shared.contracts.settings import SETTINGS, Setting, fault, load, number

ANONYMOUS = "anonymous"
RATES = {
    PLATFORM: "500/second",
    BOT: "5000/second",
    EXTERNAL_BOT: "200/second",
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
        given = load("gateway", (*TUNED, "THREADS"), {**SETTINGS, **TUNED})
        streams, waits, threads = int(given["MAX_STREAMS"]), int(given["MAX_WAITS"]), int(given["THREADS"])
        if streams + waits >= threads:
            needed = f"more than MAX_STREAMS and MAX_WAITS together, which is {streams + waits}"
            load("gateway", (), faults=[fault("THREADS", given["THREADS"], needed)])
        rates = {kind: given[_rate_name(kind)] for kind in RATES}
        return cls(streams, waits, float(given["HEARTBEAT_SECONDS"]), rates)


def _rate_name(kind: str) -> str:
    return f"RATE_{kind.upper()}"


def _rate(value: str) -> None:
    try:
        parse(value)
    except ValueError as error:
        raise ValidationError('a rate such as "100/second"') from error


def _heartbeat(value: str) -> None:
    try:
        is_right = 0.1 <= float(value) <= 60
    except ValueError:
        is_right = False
    if not is_right:
        raise ValidationError("seconds, 0.1 to 60")


TUNED = {
    "MAX_STREAMS": Setting(number(0), str(Tuning.streams)),
    "MAX_WAITS": Setting(number(0), str(Tuning.waits)),
    "HEARTBEAT_SECONDS": Setting(_heartbeat, str(Tuning.heartbeat)),
    **{_rate_name(kind): Setting(_rate, rate) for kind, rate in RATES.items()},
}
"""What the gateway can be told from outside besides what every service can."""
