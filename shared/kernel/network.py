"""One seat's tracks as a network: which cities they connect, and by which path."""

from __future__ import annotations


class Network:
    """Union-find over cities for fast questions, neighbours for paths.

    `edges` are (track, city, city, length); cities are numbered from 0.
    """

    __slots__ = ("edges", "roots")

    def __init__(self, cities: int, edges: list[tuple[int, int, int, int]]) -> None:
        self.edges: list[tuple[int, int, int, int]] = edges
        self.roots: list[int] = list(range(cities))
        for _, a, b, _ in edges:
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
        return self.root(a) == self.root(b)

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
            for track, other in neighbours.get(city, ()):
                if other not in came:
                    came[other] = (track, city)
                    queue.append(other)
        path: list[int] = []
        while a != b:
            track, a = came[a]
            path.append(track)
        return path
