"""Game-state: owns the games, their logs and what must still happen in them."""
