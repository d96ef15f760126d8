"""The longest trail over one seat's tracks (USA-4).

The longest trail is exact for every multigraph, and fast on the dense networks of `deploy/bench/dense_networks.py` too.
Three facts shrink a network; a search then finds the least that a trail has to leave out of what remains.

- A trail crosses a bridge once, so behind it lies all of the trail or one end. The best trail wholly behind it is a
  candidate; the best one that starts at the bridge becomes an end that hangs at the near city. A trail has two ends, so
  the two longest that hang at a city are enough. This alone takes trees apart.
- A city with just two edges becomes one longer edge: a trail that used one of them alone would end there, and could go
  on.
- An edge from a city to itself is used whenever the city is visited, so it only adds to what the city is worth.

A trail in a block without bridges is a connected set of edges in which two cities are odd (its ends) or none. So the
edges left out meet the odd cities of the block, and only these, an odd number of times, but an end turns one city from
odd to even or back, and gains what hangs there. `_Block` decides on one edge after the other, depth first, and so tries
every such set, with two cuts:

- Positions that agree on all that is open (the step, the odd cities, the ends left, which open cities are joined) have
  the same future. One that is not cheaper than one that failed fails too.
- The loss so far and a lower bound for the rest must keep to a limit. The limit starts at the bound for the whole block
  and rises to the least value that broke it until a trail is found: so the first trail found is a longest.

The lower bound: the edges left out contain paths that pair up the odd cities. For each distance d from 0 on, join odd
cities at most d apart to clusters. A path leads out of each cluster with an odd number of them; it is longer than d and
serves only the two clusters of its ends. So each odd cluster costs half a train for each d. An end settles one cluster
for each d, and gains at most what hangs at a city not yet left less the way there; or the two ends are paired with each
other and gain at most the two longest.
"""

from __future__ import annotations

Edge = tuple[int, int, int, int]  # track, city, city, length


def longest_trail(edges: list[Edge]) -> tuple[int, list[int]]:
    """The length of a longest trail and its tracks, one after the other: none twice, cities as often as it likes."""
    network = _Network(edges)
    for negative, odd, tracks, cities in network.components():
        if -negative <= network.best:
            break
        if odd <= 2:
            network.offer(-negative, tracks)
        else:
            network.solve(cities)
    return network.best, _walk(edges, network.best_tracks)


def _walk(edges: list[Edge], tracks: int) -> list[int]:
    """The tracks of an Euler trail over a set of edges (Hierholzer)."""
    ways: dict[int, list[tuple[int, int]]] = {}
    for i, edge in enumerate(edges):
        if tracks >> i & 1:
            ways.setdefault(edge[1], []).append((i, edge[2]))
            ways.setdefault(edge[2], []).append((i, edge[1]))
    stack: list[tuple[int, int]] = []  # the edge that led to a city, and the city
    for city, out in ways.items():
        if not stack or len(out) & 1:
            stack = [(-1, city)]
    walk: list[int] = []
    while stack:
        came, city = stack[-1]
        if ways[city]:
            i, other = ways[city].pop()
            if tracks >> i & 1:
                tracks ^= 1 << i
                stack.append((i, other))
        else:
            stack.pop()
            if came >= 0:
                walk.append(edges[came][0])
    return walk


class _Network:
    """The network as it shrinks, and the best trail so far. A set of given tracks is an int with a bit for each."""

    __slots__ = (
        "a", "alive", "b", "best", "best_tracks", "hanging", "label", "length", "loop_tracks", "loops", "tracks", "way",
        "ways",
    )  # fmt: skip

    def __init__(self, edges: list[Edge]) -> None:
        numbers: dict[int, int] = {}
        for edge in edges:
            numbers.setdefault(edge[1], len(numbers))
            numbers.setdefault(edge[2], len(numbers))
        cities = len(numbers)
        self.a: list[int] = [numbers[edge[1]] for edge in edges]
        self.b: list[int] = [numbers[edge[2]] for edge in edges]
        self.length: list[int] = [edge[3] for edge in edges]
        self.tracks: list[int] = [1 << i for i in range(len(edges))]  # what an edge stands for
        self.alive: list[bool] = [True] * len(edges)
        self.ways: list[list[int]] = [[] for _ in range(cities)]  # the edges of a city
        self.loops: list[int] = [0] * cities  # what visiting a city is worth
        self.loop_tracks: list[int] = [0] * cities
        self.hanging: list[list[tuple[int, int]]] = [[(0, 0), (0, 0)] for _ in range(cities)]  # length, tracks
        self.way: list[int] = [-1] * cities  # the edge that leads to a city in a spanning tree
        self.label: list[int] = [0] * cities  # edges outside the tree around the one that leads to a city
        self.best: int = 0
        self.best_tracks: int = 0
        for i, a in enumerate(self.a):
            b = self.b[i]
            if a == b:
                self.loops[a] += self.length[i]
                self.loop_tracks[a] |= 1 << i
            else:
                self.ways[a].append(i)
                self.ways[b].append(i)

    def offer(self, length: int, tracks: int) -> None:
        """Keeps a trail if it is the best so far."""
        if length > self.best:
            self.best = length
            self.best_tracks = tracks

    def components(self) -> list[tuple[int, int, int, list[int]]]:
        """Each component as (minus its length, how many cities are odd, tracks, cities), the longest first.

        The cities come in the order of a spanning tree. Each edge outside the tree labels its two cities.
        """
        found: list[tuple[int, int, int, list[int]]] = []
        seen = [False] * len(self.ways)
        for _, start in sorted([(-len(ways), x) for x, ways in enumerate(self.ways)]):
            if seen[start]:
                continue
            seen[start] = True
            cities = [start]
            odd = twice = tracks = 0
            for x in cities:
                odd += len(self.ways[x]) & 1
                twice += 2 * self.loops[x]
                tracks |= self.loop_tracks[x]
                for i in self.ways[x]:
                    twice += self.length[i]
                    tracks |= 1 << i
                    y = self.a[i] + self.b[i] - x
                    if not seen[y]:
                        seen[y] = True
                        self.way[y] = i
                        cities.append(y)
                    elif i != self.way[x] and i != self.way[y]:
                        self.label[x] ^= 1 << i
            found.append((-(twice >> 1), odd, tracks, cities))
        found.sort()
        return found

    def solve(self, cities: list[int]) -> None:
        """Offers the longest trail of a component: cuts its bridges, then solves the blocks, the first city's last.

        A bridge is an edge of the tree with no edge outside the tree around it.
        """
        for x in reversed(cities[1:]):
            self.label[self._beyond(self.way[x], x)] ^= self.label[x]
        blocks: dict[int, list[int]] = {}
        root: dict[int, int] = {}
        for x in cities:
            if self.label[x]:
                root[x] = root[self._beyond(self.way[x], x)]
                blocks[root[x]].append(x)
            else:
                root[x] = x
                blocks[x] = [x]
                if self.way[x] >= 0:
                    self.alive[self.way[x]] = False
        for x in reversed(list(blocks)):
            length, tracks = self._solve_block(blocks[x])
            bridge = self.way[x]
            if bridge >= 0:
                hanging = self.hanging[self._beyond(bridge, x)]
                hanging.append((self.length[bridge] + length, self.tracks[bridge] | tracks))
                hanging.sort(reverse=True)
                hanging.pop()

    def _beyond(self, edge: int, city: int) -> int:
        return self.a[edge] + self.b[edge] - city

    def _solve_block(self, cities: list[int]) -> tuple[int, int]:
        """Offers the longest trail of a block; gives the longest from its first city if a bridge leads there."""
        x = cities[0]
        if len(cities) > 1:
            cities = self._merged(cities)
        if len(cities) > 1:
            block = _Block(self, cities)
            if block.search(-1, self.best):
                self.offer(block.found, block.found_tracks)
            if self.way[x] >= 0:
                block.search(0, 0)
            return block.found, block.found_tracks
        first, second = self.hanging[x]
        length = self.loops[x] + first[0]
        tracks = self.loop_tracks[x] | first[1]
        self.offer(length + second[0], tracks | second[1])
        return length, tracks

    def _merged(self, cities: list[int]) -> list[int]:
        """Merges the edges of each city with just two and nothing hanging; the cities left, the first one always."""
        left = dict.fromkeys(cities)
        todo = cities[1:]
        while todo:
            x = todo.pop()
            ways = [i for i in self.ways[x] if self.alive[i]]
            if len(ways) > 2 or self.hanging[x][0][0] or x not in left or x == cities[0]:
                continue
            del left[x]
            i, j = ways
            y = self._beyond(i, x)
            z = self._beyond(j, x)
            length = self.length[i] + self.length[j] + self.loops[x]
            tracks = self.tracks[i] | self.tracks[j] | self.loop_tracks[x]
            self.alive[j] = False
            if y == z:
                self.alive[i] = False
                self.loops[y] += length
                self.loop_tracks[y] |= tracks
                todo.append(y)
            else:
                self.a[i] = y
                self.b[i] = z
                self.length[i] = length
                self.tracks[i] = tracks
                self.ways[z].append(i)
        return list(left)


class _Block:
    """The search in a block without bridges. Cities and edges are numbered anew; a set of them is an int with bits."""

    __slots__ = (
        "a", "b", "beside", "bounds", "edges", "ends", "failed", "found", "found_tracks", "hanging", "length", "level",
        "limit", "loops", "near", "next_limit", "odd", "rest", "sources", "steps", "total", "tracks",
    )  # fmt: skip

    def __init__(self, network: _Network, cities: list[int]) -> None:
        number = {x: n for n, x in enumerate(cities)}
        edges = [i for x in cities for i in network.ways[x] if network.alive[i] and network.a[i] == x]
        self.a: list[int] = [number[network.a[i]] for i in edges]
        self.b: list[int] = [number[network.b[i]] for i in edges]
        self.length: list[int] = [network.length[i] for i in edges]
        self.tracks: list[int] = [
            network.tracks[i] | network.loop_tracks[network.a[i]] | network.loop_tracks[network.b[i]] for i in edges
        ]
        self.loops: list[int] = [network.loops[x] for x in cities]
        self.hanging: list[list[tuple[int, int]]] = [network.hanging[x] for x in cities]
        self.total: int = sum(self.length) + sum(self.loops)
        self.ends: list[int] = []  # the two cities of an edge
        self.beside: list[int] = [0] * len(cities)  # the cities next to a city
        self.edges: list[list[int]] = [[] for _ in cities]  # the edges at a city
        self.odd: int = 0
        for i, a in enumerate(self.a):
            b = self.b[i]
            ends = 1 << a | 1 << b
            self.ends.append(ends)
            self.odd ^= ends
            self.beside[a] |= ends
            self.beside[b] |= ends
            self.edges[a].append(i)
            self.edges[b].append(i)
        self.near: list[list[int]] = [[1 << x for x in range(len(cities))]]  # by distance, the cities within it of each
        self.steps: list[int] = []  # an edge to decide on, or ~city to leave it once all its edges are decided
        self.rest: list[int] = []  # by step, what the steps after it are worth
        self.level: list[int] = []  # by step, the index of what then still hangs in `sources`
        self.sources: list[list[tuple[int, int]]] = []  # lengths and cities, the longest first
        self.bounds: dict[int, int] = {}
        self.limit: int = 0  # a trail may lose so much
        self.next_limit: int = 0
        self.failed: dict[tuple[int, int, int, tuple[int, ...]], int] = {}
        self.found: int = 0
        self.found_tracks: int = 0
        self._order()

    def search(self, start: int, floor: int) -> bool:
        """Finds a longest trail, from city `start` if that is not -1; False if none is longer than `floor`."""
        odd, free = self.odd, 2
        if start >= 0:
            odd, free = odd ^ 1 << start, 1
            self.loops[start] = self.total + 1  # not to visit it costs too much
        self._look_ahead()
        self.limit = self._bound(0, odd, free)
        while self.limit < self.total - floor:
            self.failed = {}
            self.next_limit = self.total
            if self._step(0, odd, free, 0, (), 0):
                return True
            self.limit = self.next_limit
        return False

    def _order(self) -> None:
        """Orders the steps so that few cities are open at a time: next is one with few neighbours not yet left."""
        decided = [False] * len(self.ends)
        left = (1 << len(self.edges)) - 1
        front = 1 << min([(len(edges), x) for x, edges in enumerate(self.edges)])[1]
        while front:
            options = []
            for x in range(len(self.edges)):
                if front >> x & 1:
                    ahead = self.beside[x] & left
                    options.append((ahead.bit_count(), (ahead & ~front).bit_count(), x))
            city = min(options)[2]
            for i in self.edges[city]:
                if not decided[i]:
                    decided[i] = True
                    self.steps.append(i)
            self.steps.append(~city)
            left ^= 1 << city
            front = (front | self.beside[city]) & left

    def _look_ahead(self) -> None:
        """Sums up for each step what is still to come."""
        self.rest = [0] * len(self.steps)
        self.level = [0] * (len(self.steps) + 1)
        self.sources = [[]]
        worth = 0
        for i in range(len(self.steps) - 1, -1, -1):
            step = self.steps[i]
            self.rest[i] = worth
            if step >= 0:
                worth += self.length[step]
            else:
                worth += self.loops[~step]
                hanging = [(end[0], ~step) for end in self.hanging[~step] if end[0]]
                if hanging:
                    self.sources.append(sorted(self.sources[-1] + hanging, reverse=True))
            self.level[i] = len(self.sources) - 1

    def _fits(self, i: int, odd: int, free: int, loss: int) -> bool:
        """Whether a position before step i may still keep to the limit; if not, it may keep to the next one."""
        loss += self._bound(i, odd, free)
        if loss <= self.limit:
            return True
        self.next_limit = min(self.next_limit, loss)
        return False

    def _bound(self, i: int, odd: int, free: int) -> int:
        """What is at least lost from step i on, less the gain, with these odd cities and so many ends to place."""
        key = (odd << 2 | free) << 6 | self.level[i]
        bound = self.bounds.get(key)
        if bound is None:
            bound = self.bounds[key] = self._new_bound(i, odd, free)
        return bound

    def _new_bound(self, i: int, odd: int, free: int) -> int:
        twice = distance = 0
        clusters = odd.bit_count()
        while clusters > free:
            twice += clusters - free
            distance += 1
            clusters = self._odd_clusters(odd, distance)
        bound = (twice + 1) >> 1
        sources = self.sources[self.level[i]]
        if free == 0 or not sources:
            return bound
        gain = second = 0
        for length, city in sources:
            if length <= second:
                break
            distance = 0
            while length > second and not self._near(distance)[city] & odd:
                distance += 1
                length -= 1
            if length > gain:
                second = gain
                gain = length
            elif length > second:
                second = length
        if free == 1:
            return bound - gain
        return min(bound - gain - second, self._bound(i, odd, 0) - sum([length for length, _ in sources[:2]]))

    def _odd_clusters(self, odd: int, distance: int) -> int:
        """How many clusters have an odd number of these cities if those at most so far apart are joined."""
        near = self._near(distance)
        count = 0
        while odd:
            ahead = cluster = odd & -odd
            while ahead:
                city = ahead & -ahead
                more = near[city.bit_length() - 1] & odd & ~cluster
                cluster |= more
                ahead = ahead ^ city | more
            odd ^= cluster
            count += cluster.bit_count() & 1
        return count

    def _near(self, distance: int) -> list[int]:
        """For each city the cities at most so far away, over any edges of the block."""
        while len(self.near) <= distance:
            row = self.near[-1][:]
            for i, length in enumerate(self.length):
                if length <= len(self.near):
                    before = self.near[-length]
                    row[self.a[i]] |= before[self.b[i]]
                    row[self.b[i]] |= before[self.a[i]]
            self.near.append(row)
        return self.near[distance]

    def _step(self, i: int, odd: int, free: int, loss: int, joined: tuple[int, ...], taken: int) -> bool:
        """Decides on what is left from step i on; True if a trail was found that keeps to the limit.

        `odd` are the cities where an odd number of edges is still to leave out, `free` the ends to place, `loss` the
        length left out less the gain, `joined` the open cities of each part of the trail, `taken` its tracks.
        """
        if not self._fits(i, odd, free, loss):
            return False
        position = (i, odd, free, joined)
        if self.failed.get(position, loss + 1) <= loss:
            return False
        self.failed[position] = loss
        step = self.steps[i]
        if step < 0:
            return self._leave(i, odd, free, loss, joined, taken)
        ends = self.ends[step]
        return self._step(i + 1, odd ^ ends, free, loss + self.length[step], joined, taken) or self._step(
            i + 1, odd, free, loss, _join(joined, ends), taken | self.tracks[step]
        )

    def _leave(self, i: int, odd: int, free: int, loss: int, joined: tuple[int, ...], taken: int) -> bool:
        """Leaves the city of step i, whose edges are all decided: it must be even, or an end, or both ends."""
        city = ~self.steps[i]
        bit = 1 << city
        part = sum([cities for cities in joined if cities & bit])
        if not part:
            return not odd & bit and self._step(i + 1, odd, free, loss + self.loops[city], joined, taken)
        first, second = self.hanging[city]
        if odd & bit:
            if free == 0:
                return False
            return self._close(i, odd ^ bit, free - 1, loss - first[0], joined, part, taken | first[1])
        if free == 2 and first[0]:
            both = loss - first[0] - second[0]
            if self._close(i, odd, 0, both, joined, part, taken | first[1] | second[1]):
                return True
        return self._close(i, odd, free, loss, joined, part, taken)

    def _close(self, i: int, odd: int, free: int, loss: int, joined: tuple[int, ...], part: int, taken: int) -> bool:
        """Closes the city of step i in its part of the trail. A part without an open city must be the whole trail."""
        smaller = part & ~(1 << ~self.steps[i])
        if smaller:
            joined = tuple(sorted([smaller if cities == part else cities for cities in joined]))
            return self._step(i + 1, odd, free, loss, joined, taken)
        loss += self.rest[i]
        if len(joined) > 1 or free == 1 or not self._fits(i, 0, 0, loss):
            return False
        self.found = self.total - loss
        self.found_tracks = taken
        return True


def _join(joined: tuple[int, ...], ends: int) -> tuple[int, ...]:
    """The parts of a trail after an edge joins two cities."""
    parts: list[int] = []
    for part in joined:
        if part & ends:
            ends |= part
        else:
            parts.append(part)
    parts.append(ends)
    return tuple(sorted(parts))
