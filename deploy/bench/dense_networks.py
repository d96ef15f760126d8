"""Networks of one seat that are as dense as 45 trains allow: the hard cases for the longest trail.

Every network is a list of tracks (track id, city, city, length), each seed always gives the same one, and no mode reads
a file: a caller that has a board hands its tracks in, else a made-up board of the same kind is used.
"""

from __future__ import annotations

from random import Random

Track = tuple[int, int, int, int]
TRAINS = 45
MODES = (
    "typical", "random", "shortest", "growth", "squeezed", "complete", "grid", "cubic", "cycles", "clusters",
    "parallel", "hardest",
)  # fmt: skip

# What hill climbing on the work of the search came to, as pairs of cities and the length if it is not 1.
HARDEST = (
    "18-19 23-24 16-23 26-27 18-25 21-22 19-20 5-6 1-2 0-2 0-1 9-16 11-12 9-10 2-9 8-15 6-13-2 12-19 3-1 8-9 7-14 "
    "24-25 25-26 4-11 15-22 7-8 14-21 16-17 10-11 4-5 11-18 22-23 17-24 10-17 6-1 4-20-2 19-13 26-20-2 17-34 "
    "13-17 14-23 7-12",
    "6-0 7-4 9-3 10-16 11-2 11-8 12-2 12-7 13-9-2 14-1 14-2 15-8 16-10 17-15 18-0 18-4 19-17 20-10 20-19 21-18 "
    "22-4 23-0 23-8 24-19 25-1 25-13 25-24 21-1 20-4 3-0 8-10 17-15 24-12 15-25 12-7 19-5 6-14 21-11 13-11 6-8-2 "
    "0-16 21-3",
    "4-3 6-3 8-4 8-7 9-8 10-0 11-1 12-1 12-10 13-4 14-8 15-0 15-2 16-7 16-11 17-1 17-5 18-6 18-25 19-3 19-18 20-5 "
    "20-8 20-13 22-12 22-13 23-6 23-9 23-16 24-7 24-9 24-15 25-0 25-10 25-9 15-5 10-7 1-20-3 6-25 14-25 16-19 "
    "9-35 9-11",
)


def made_up_board(seed: int, cities: int = 36, pairs: int = 78) -> list[Track]:
    """Tracks of a board like the printed ones: cities on a map, near ones joined without crossings, lengths 1 to 6."""
    rng = Random(seed)
    spots = [(rng.random() * 1.6, rng.random()) for _ in range(cities)]
    near = sorted((_distance(spots[a], spots[b]), a, b) for a in range(cities) for b in range(a))
    tracks: list[Track] = []
    for far, a, b in near:
        if len(tracks) < pairs and not any(_cross(spots[a], spots[b], spots[c], spots[d]) for _, c, d, _ in tracks):
            tracks.append((len(tracks), a, b, min(6, max(1, round(far * 12)))))
    return tracks


def _distance(p: tuple[float, float], q: tuple[float, float]) -> float:
    return ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2) ** 0.5


def _cross(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float], s: tuple[float, float]) -> bool:
    if p in (r, s) or q in (r, s):
        return False
    return _side(p, q, r) != _side(p, q, s) and _side(r, s, p) != _side(r, s, q)


def _side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> bool:
    return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])


def network(mode: str, seed: int, board: list[Track] | None = None) -> list[Track]:
    """The network of a mode and a seed, never longer than 45 trains. `board` serves the modes that build on a map."""
    rng = Random(f"{mode} {seed}")
    if mode == "hardest":
        words = rng.choice(HARDEST).split()
        if rng.random() < 0.5:
            rng.shuffle(words)
        return _numbered([_parsed(edge) for edge in words])
    if mode in ("complete", "grid", "cubic", "cycles", "clusters", "parallel"):
        return _numbered(_abstract(mode, rng))
    tracks = made_up_board(seed % 20) if board is None else _one_of_each_group(board, rng)
    return _claimed(mode, rng, tracks)


def _one_of_each_group(board: list[Track], rng: Random) -> list[Track]:
    groups = {frozenset(t[1:3]): t for t in rng.sample(board, len(board))}
    return sorted(groups.values())


def _claimed(mode: str, rng: Random, board: list[Track]) -> list[Track]:
    """Claims tracks of a board one by one until none fits any more."""
    mine: list[Track] = []
    degree = [0] * (1 + max(max(t[1:3]) for t in board))
    wish = _wish(rng, board) if mode == "typical" else set()
    free = rng.sample(board, len(board))
    left = TRAINS
    while free := [t for t in free if t[3] <= left]:
        track = min(free, key=lambda t: _rank(mode, t, degree, wish, bool(mine)))
        free.remove(track)
        mine.append(track)
        left -= track[3]
        for city in track[1:3]:
            degree[city] += 1
    return mine


def _rank(mode: str, track: Track, degree: list[int], wish: set[int], started: bool) -> tuple[int, ...]:
    """What a mode claims next: the lowest rank, the first of a shuffled list among equals."""
    known = (degree[track[1]] > 0) + (degree[track[2]] > 0)
    odd = degree[track[1]] % 2 + degree[track[2]] % 2
    if mode == "shortest":
        return (track[3],)
    if mode == "growth":  # between visited cities first, then away from one
        return (-known, track[3])
    if mode == "squeezed":  # short tracks that leave as many odd cities as possible
        return (-known if started else 0, track[3] > 3, odd, track[3])
    if mode == "typical":
        return (track[0] not in wish, -known)
    return (0,)


def _wish(rng: Random, board: list[Track]) -> set[int]:
    """The tracks that six random tickets would want, as a real player's network has."""
    wish: set[int] = set()
    cities = sorted({c for t in board for c in t[1:3]})
    for _ in range(6):
        start, goal = rng.sample(cities, 2)
        cost: dict[int, tuple[int, list[int]]] = {start: (0, [])}
        for _ in cities:
            for i, a, b, length in board:
                for x, y in ((a, b), (b, a)):
                    if x in cost:
                        far = cost[x][0] + (0 if i in wish else length)
                        if y not in cost or far < cost[y][0]:
                            cost[y] = (far, [*cost[x][1], i])
        if goal in cost:
            wish.update(cost[goal][1])
    return wish


def _parsed(edge: str) -> tuple[int, int, int]:
    a, b, length, *_ = (*map(int, edge.split("-")), 1)
    return a, b, length


def _numbered(edges: list[tuple[int, int, int]]) -> list[Track]:
    mine: list[Track] = []
    left = TRAINS
    for a, b, length in edges:
        if length <= left:
            mine.append((len(mine), a, b, length))
            left -= length
    return mine


def _abstract(mode: str, rng: Random) -> list[tuple[int, int, int]]:
    """Shapes that no printed board has, but that stay below 45 trains."""
    longest = rng.choice((1, 1, 1, 2, 3))
    if mode == "complete":
        n = rng.randint(6, 10)
        pairs = [(a, b) for a in range(n) for b in range(a)]
        if rng.random() < 0.5:
            rng.shuffle(pairs)
    elif mode == "grid":
        rows, columns = rng.choice(((2, 15), (3, 9), (4, 6), (5, 5), (4, 7), (5, 6)))
        cells = [(r, c) for r in range(rows) for c in range(columns)]
        pairs = [(r * columns + c, r * columns + c + 1) for r, c in cells if c + 1 < columns]
        pairs += [(r * columns + c, r * columns + c + columns) for r, c in cells if r + 1 < rows]
        if rng.random() < 0.5:
            rng.shuffle(pairs)
    elif mode == "cubic":
        pairs = _regular(rng, 3, rng.choice((14, 18, 22, 26, 30)))
    elif mode == "cycles":
        pairs = []
        while len(pairs) < 45:
            size = rng.randint(3, 8)
            ring = rng.sample(range(rng.choice((9, 12, 16))), size)
            pairs += [(ring[i], ring[i - 1]) for i in range(size)]
            pairs.append((rng.randrange(16), 16 + rng.randrange(6)))
        pairs = list(dict.fromkeys((max(p), min(p)) for p in pairs))
    elif mode == "clusters":
        pairs = []
        for hub in range(0, 40, 5):
            spokes = [(a, b) for a in range(hub, hub + 5) for b in range(hub, a)]
            pairs += rng.sample(spokes, rng.randint(5, 10)) + [(rng.randrange(hub, hub + 5), rng.randrange(hub + 5))]
        pairs = [p for p in pairs if p[0] != p[1]]
    else:
        pairs = [(rng.randrange(8), 8 + rng.randrange(8)) for _ in range(45)]
    return [(a, b, rng.randint(1, longest)) for a, b in pairs]


def _regular(rng: Random, degree: int, cities: int) -> list[tuple[int, int]]:
    """A random graph whose cities all have the same number of tracks."""
    while True:
        stubs = [c for c in range(cities) for _ in range(degree)]
        rng.shuffle(stubs)
        pairs = {(max(p), min(p)) for p in zip(stubs[::2], stubs[1::2], strict=True) if p[0] != p[1]}
        if 2 * len(pairs) == cities * degree:
            return sorted(pairs)
