"""The mechanics by the names that rule-set files use."""

from shared.kernel.mechanic import Mechanic
from shared.kernel.mechanics.claim import Claim
from shared.kernel.mechanics.display import Display
from shared.kernel.mechanics.draw_tickets import TicketDraw
from shared.kernel.mechanics.last_round import LastRound
from shared.kernel.mechanics.longest_path import LongestPath
from shared.kernel.mechanics.parallel_tracks import ParallelTracks
from shared.kernel.mechanics.tickets import TicketRules
from shared.kernel.mechanics.train_cards import TrainCards
from shared.kernel.mechanics.turns import Turns

MECHANICS: dict[str, type[Mechanic]] = {
    "turns": Turns,
    "train_cards": TrainCards,
    "display": Display,
    "claim": Claim,
    "parallel_tracks": ParallelTracks,
    "draw_tickets": TicketDraw,
    "tickets": TicketRules,
    "last_round": LastRound,
    "longest_path": LongestPath,
}
