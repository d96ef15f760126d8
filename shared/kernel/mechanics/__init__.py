"""The mechanics by the names that rule-set files use."""

from typing import Final

from shared.kernel.mechanic import Mechanic
from shared.kernel.mechanics.alvin import Alvin
from shared.kernel.mechanics.big_cities import BigCities
from shared.kernel.mechanics.city_markers import CityMarkers
from shared.kernel.mechanics.claim import Claim
from shared.kernel.mechanics.display import Display
from shared.kernel.mechanics.draw_tickets import TicketDraw
from shared.kernel.mechanics.growing_network import GrowingNetwork
from shared.kernel.mechanics.last_round import LastRound
from shared.kernel.mechanics.longest_path import LongestPath
from shared.kernel.mechanics.merchandise import Merchandise
from shared.kernel.mechanics.most_tickets import MostTickets
from shared.kernel.mechanics.on_the_track import OnTheTrack
from shared.kernel.mechanics.parallel_tracks import ParallelTracks
from shared.kernel.mechanics.passengers import PassengerRules
from shared.kernel.mechanics.split_tickets import SplitTickets
from shared.kernel.mechanics.tickets import TicketRules
from shared.kernel.mechanics.train_cards import TrainCards
from shared.kernel.mechanics.turns import Turns
from shared.kernel.mechanics.yard import Yard

MECHANICS: Final[dict[str, type[Mechanic]]] = {
    "turns": Turns,
    "train_cards": TrainCards,
    "display": Display,
    "claim": Claim,
    "parallel_tracks": ParallelTracks,
    "growing_network": GrowingNetwork,
    "draw_tickets": TicketDraw,
    "split_tickets": SplitTickets,
    "tickets": TicketRules,
    "alvin": Alvin,
    "city_markers": CityMarkers,
    "passengers": PassengerRules,
    "merchandise": Merchandise,
    "last_round": LastRound,
    "longest_path": LongestPath,
    "most_tickets": MostTickets,
    "yard": Yard,
    "on_the_track": OnTheTrack,
    "big_cities": BigCities,
}
