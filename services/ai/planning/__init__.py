"""What bots think with: a board's tables, what a seat holds and needs, plans for its tickets, and what moves bring."""
