"""Counts the results of an arena into its tally; whoever comes second counts nothing twice."""

from __future__ import annotations

from services.ai.arenas.specification import Specification
from services.ai.arenas.store import Arena, ArenaStore
from services.ai.arenas.tally import Tally


def tally_of(store: ArenaStore, arena: Arena) -> Tally:
    """What is counted of an arena."""
    kept = store.tally(arena.id)
    if kept is not None:
        return Tally.from_plain(kept)
    specification = Specification.from_plain(arena.specification)
    return Tally.empty(len(specification.entrants), specification.seats)


def count(store: ArenaStore, arena: Arena) -> Arena | None:
    """Counts results that are new, as many as are given at once; gives the arena as it is then."""
    results = store.results(arena.id)
    if not results:
        return arena
    tally = tally_of(store, arena)
    for result in results:
        tally.add(result)
    store.save_tally(arena, arena.counted + len(results), tally.plain())
    return store.read(arena.id)
