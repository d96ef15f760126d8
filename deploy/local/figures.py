"""What the programs of a stack measure, read from their /metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import requests
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from deploy.local.programs import HOST
from deploy.roles import ROLES

READ_SECONDS = 5


class Figures:
    """One reading of every program; those that did not answer are not in `read`."""

    def __init__(self, samples: dict[str, list[Sample]]) -> None:
        self._samples = samples
        self.read = samples.keys()

    @classmethod
    def of(cls, ports: dict[str, int]) -> Figures:
        """Asks every program that measures anything, at its port."""
        samples = {}
        with requests.Session() as session:
            session.trust_env = False
            for program in ROLES:
                try:
                    text = session.get(f"http://{HOST}:{ports[program]}/metrics", timeout=READ_SECONDS).text
                except requests.RequestException:
                    continue
                samples[program] = [sample for family in text_string_to_metric_families(text)
                                    for sample in family.samples]
        return cls(samples)

    def total(self, name: str, **labels: str) -> float:
        """The sum of all samples of this name that have these labels; 0 where there are none yet."""
        return sum(sample.value for sample in self._named(name, labels))

    def by(self, name: str, label: str, **labels: str) -> dict[str, float]:
        """The sums of the samples of this name for each value of a label, in the order in which they come."""
        sums: Counter[str] = Counter()
        for sample in self._named(name, labels):
            sums[sample.labels[label]] += sample.value
        return dict(sums)

    def within(self, name: str, share: float, **labels: str) -> float | None:
        """The least bound of a histogram below which this share of it lies; None while it is empty."""
        buckets = sorted((float(bound), count) for bound, count in self.by(f"{name}_bucket", "le", **labels).items())
        if not buckets or not buckets[-1][1]:
            return None
        return next(bound for bound, count in buckets if count >= share * buckets[-1][1])

    def _named(self, name: str, labels: dict[str, str]) -> Iterable[Sample]:
        return (sample for samples in self._samples.values() for sample in samples
                if sample.name == name and labels.items() <= sample.labels.items())
