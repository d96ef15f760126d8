"""Longest trail."""

from __future__ import annotations


def longest_trail(tracks: list[tuple[int, int, int, int]]) -> tuple[int, list[int]]:
    """The length and the tracks, in order, of a longest trail (interim: plain search)."""
    best: tuple[int, list[int]] = (0, [])
    used: set[int] = set()
    path: list[int] = []

    def walk(city: int, length: int) -> None:
        nonlocal best
        if length > best[0]:
            best = (length, path[:])
        for track, a, b, size in tracks:
            if track not in used and city in (a, b):
                used.add(track)
                path.append(track)
                walk(b if city == a else a, length + size)
                path.pop()
                used.discard(track)

    for start in {city for _, a, b, _ in tracks for city in (a, b)}:
        walk(start, 0)
    return best
