"""Märklin's end: countries on tickets, the bonus for the most tickets, ties (MK-17 to MK-20, BASE-40, BASE-43)."""

from __future__ import annotations

import pytest

from shared.kernel import RecountError, ScoreSheet, completed, score
from tests.unit.kernel.play import maerklin, position

# Munich to Stuttgart, a short ticket of 5: with its tracks, the ticket and the bonus 5 + 5 + 10
MUNICH_STUTTGART = "augsburg-muenchen-gray,augsburg-ulm-gray,stuttgart-ulm-gray"


def sheet_of(text: str, seats: int = 2) -> ScoreSheet:
    rules = maerklin(seats)
    return score(rules, position(rules, f"over=1 {text}"))


def lines(sheet: ScoreSheet, seat: int, reason: str) -> list[tuple[int, str, dict]]:
    return [(line.points, line.rule, line.evidence) for line in sheet.lines[seat] if line.reason == reason]


def is_completed(tracks: str, ticket: str) -> bool:
    rules = maerklin()
    state = position(rules, f"tracks={tracks}/- tickets={ticket}/-")
    sheet = sheet_of(f"tracks={tracks}/- tickets={ticket}/-")
    done = lines(sheet, 0, "ticket")[0][2]["completed"]
    assert done == bool(completed(rules, state, 0))
    return done


@pytest.mark.rule("MK-17")
@pytest.mark.rule("BASE-38")
@pytest.mark.parametrize(
    "tracks",
    [
        "frankfurt-koeln-gray,duesseldorf-koeln-gray,duesseldorf-niederlande-purple",
        "frankfurt-koeln-gray,duesseldorf-koeln-gray,dortmund-duesseldorf-gray,dortmund-muenster-gray,"
        "muenster-niederlande-orange",
        "frankfurt-kassel-blue,hannover-kassel-gray,bremen-hannover-yellow,bremen-emden-blue,emden-niederlande-white",
    ],
)
def test_a_country_is_reached_over_any_of_its_tracks(tracks: str) -> None:
    assert is_completed(tracks, "frankfurt-niederlande")
    assert not is_completed(tracks.rsplit(",", 1)[0], "frankfurt-niederlande")


@pytest.mark.rule("MK-17")
def test_no_path_passes_through_a_country() -> None:
    """Bremen to Emden and on to Düsseldorf by the Netherlands."""
    through = "bremen-emden-blue,emden-niederlande-white,duesseldorf-niederlande-purple"
    assert not is_completed(through, "bremen-duesseldorf")
    joined = f"{through},bremen-muenster-black,dortmund-muenster-gray,dortmund-duesseldorf-gray"
    assert is_completed(joined, "bremen-duesseldorf")


@pytest.mark.rule("MK-17")
def test_two_tracks_to_one_country_do_not_join() -> None:
    """Cologne reaches the Rhine's end in Switzerland only from the side of the track that leads there."""
    south = "konstanz-schweiz-white,freiburg-schweiz-orange"
    assert not is_completed(f"{south},duesseldorf-koeln-gray", "duesseldorf-konstanz")
    assert not is_completed(south, "koeln-schweiz")


@pytest.mark.rule("MK-17")
def test_a_path_ends_in_a_country_at_either_end_of_the_ticket() -> None:
    tracks = "daenemark-kiel-gray,hamburg-kiel-black,berlin-hamburg-blue"
    assert is_completed(tracks, "berlin-daenemark")
    sheet = sheet_of(f"tracks={tracks}/- tickets=berlin-daenemark/-")
    (line,) = lines(sheet, 0, "ticket")
    assert line[2]["tracks"] == ["berlin-hamburg-blue", "hamburg-kiel-black", "daenemark-kiel-gray"]


@pytest.mark.rule("MK-18")
@pytest.mark.rule("BASE-40")
def test_m15_ten_points_for_the_most_completed_tickets() -> None:
    sheet = sheet_of(f"tracks={MUNICH_STUTTGART}/- tickets=muenchen-stuttgart/berlin-muenchen")
    assert lines(sheet, 0, "most_tickets") == [(10, "MK-18", {"completed": 1})]
    assert lines(sheet, 1, "most_tickets") == []
    assert sheet.totals == [5 + 5 + 10, -15]
    assert [line.reason for line in sheet.lines[0]] == ["track"] * 3 + ["ticket", "most_tickets"]


@pytest.mark.rule("MK-18")
@pytest.mark.rule("BASE-41")
def test_m15_all_tied_score_it_in_full_and_nobody_with_none() -> None:
    tied = sheet_of(
        f"tracks={MUNICH_STUTTGART}/berlin-leipzig-orange,chemnitz-leipzig-blue"
        " tickets=muenchen-stuttgart/berlin-chemnitz"
    )
    assert [len(lines(tied, seat, "most_tickets")) for seat in (0, 1)] == [1, 1]
    nobody = sheet_of("tickets=muenchen-stuttgart/berlin-chemnitz")
    assert [len(lines(nobody, seat, "most_tickets")) for seat in (0, 1)] == [0, 0]


@pytest.mark.rule("MK-18")
def test_m16_uncompleted_tickets_do_not_count_against_the_bonus_but_still_cost() -> None:
    held = "muenchen-stuttgart,berlin-schweiz,kiel-schweiz,konstanz-rostock"
    sheet = sheet_of(f"tracks={MUNICH_STUTTGART}/- tickets={held}/berlin-chemnitz")
    assert lines(sheet, 0, "most_tickets") == [(10, "MK-18", {"completed": 1})]
    assert sorted(line[0] for line in lines(sheet, 0, "ticket")) == [-22, -20, -20, 5]
    assert sheet.totals[0] == 5 + 5 - 62 + 10


@pytest.mark.rule("MK-20")
def test_m15_there_is_no_longest_path_bonus() -> None:
    assert "longest_path" not in maerklin().by_name
    sheet = sheet_of("tracks=berlin-hamburg-blue,berlin-hannover-black,hamburg-hannover-red/-")
    assert {line.reason for line in sheet.lines[0]} == {"track"}
    assert sheet.totals == [18 + 18 + 7, 0]


@pytest.mark.rule("MK-19")
@pytest.mark.rule("BASE-43")
def test_m19_first_the_most_completed_tickets() -> None:
    """20 each: seat 1 has more tokens, seat 0 more completed tickets."""
    sheet = sheet_of(
        f"tracks={MUNICH_STUTTGART}/berlin-hannover-black tickets=muenchen-stuttgart/- tokens=-/koblenz:2 reserve=3/2"
    )
    assert sheet.totals == [20, 20]
    assert sheet.ties == [{"tickets": 1, "merchandise": 0}, {"tickets": 0, "merchandise": 1}]
    assert (sheet.ranks, sheet.winners()) == ([1, 2], [0])


@pytest.mark.rule("MK-19")
@pytest.mark.rule("BASE-43")
@pytest.mark.parametrize(
    ("tokens", "ranks"),
    [
        ("berlin:7/hamburg:4,kiel:3", [2, 1]),
        ("hamburg:4,kiel:3/berlin:7", [1, 2]),
        ("hamburg:4,kiel:3/koeln:4,bremen:3", [1, 1]),
    ],
)
def test_m19_then_the_number_of_tokens_not_their_value_then_a_shared_victory(tokens: str, ranks: list[int]) -> None:
    sheet = sheet_of(f"tokens={tokens} reserve=2/2")
    assert sheet.totals == [7, 7]
    assert sheet.ranks == ranks
    assert sheet.winners() == [seat for seat, rank in enumerate(ranks) if rank == 1]


@pytest.mark.rule("BASE-43")
def test_points_come_before_ties() -> None:
    sheet = sheet_of("tokens=berlin:7/hamburg:4,ulm:2 reserve=2/2")
    assert (sheet.totals, sheet.ranks) == ([7, 6], [1, 2])


@pytest.mark.rule("BASE-42")
def test_tokens_are_recounted() -> None:
    rules = maerklin()
    text = "over=1 tracks=berlin-leipzig-orange/- tokens=berlin:7/hamburg:4 reserve=2/2"
    assert score(rules, position(rules, f"{text} points=14/4")).totals == [14, 4]
    with pytest.raises(RecountError):
        score(rules, position(rules, f"{text} points=14/5"))
