"""Many games between bots, counted: what the arena resources do, and the workers that play them."""
