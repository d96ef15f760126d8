"""One seat's tracks as a network: which cities they connect, and by which path."""

from __future__ import annotations

Edge = tuple[int, int, int, int]  # track, city, city, length


class Network:
    """Union-find over cities for fast questions, neighbours for paths.

    Cities are numbered from 0. A path may start or end in a dead end but never pass through one, so two tracks to one
    dead end do not join (MK-17).
    """

    __slots__ = ("dead_ends", "edges", "roots", "stubs")

    def __init__(self, cities: int, edges: list[Edge], dead_ends: frozenset[int] = frozenset()) -> None:
        self.edges: list[Edge] = edges
        self.dead_ends: frozenset[int] = dead_ends
        self.stubs: dict[int, list[int]] = {}  # for each end of a track to a dead end, the other ends of such tracks
        self.roots: list[int] = list(range(cities))
        for _, a, b, _ in edges:
            if a in dead_ends or b in dead_ends:
                self.stubs.setdefault(a, []).append(b)
                self.stubs.setdefault(b, []).append(a)
            else:
                self.roots[self.root(a)] = self.root(b)

    def root(self, city: int) -> int:
        """The city that stands for all that are connected with this one."""
        roots = self.roots
        while roots[city] != city:
            roots[city] = roots[roots[city]]
            city = roots[city]
        return city

    def connected(self, a: int, b: int) -> bool:
        """Whether a path joins the two cities."""
        if not self.dead_ends:
            return self.root(a) == self.root(b)
        if b in self.stubs.get(a, ()):
            return True
        return any(self.root(one) == self.root(other) for one in self._doors(a) for other in self._doors(b))

    def _doors(self, city: int) -> list[int]:
        """The cities through which longer paths reach this one: itself, or those next to a dead end that are none."""
        if city not in self.dead_ends:
            return [city]
        return [beside for beside in self.stubs.get(city, []) if beside not in self.dead_ends]

    def path(self, a: int, b: int) -> list[int] | None:
        """The tracks of a path with the fewest tracks from a to b, or None."""
        if not self.connected(a, b):
            return None
        neighbours: dict[int, list[tuple[int, int]]] = {}
        for track, one, other, _ in self.edges:
            neighbours.setdefault(one, []).append((track, other))
            neighbours.setdefault(other, []).append((track, one))
        came: dict[int, tuple[int, int]] = {b: (-1, -1)}
        queue = [b]
        for city in queue:
            if city == a:
                break
            if city in self.dead_ends and city != b:
                continue
            for track, other in neighbours.get(city, ()):
                if other not in came:
                    came[other] = (track, city)
                    queue.append(other)
        path: list[int] = []
        while a != b:
            track, a = came[a]
            path.append(track)
        return path
