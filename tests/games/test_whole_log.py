"""What was played is kept: everything that was told can be read, page by page, long afterwards."""

from __future__ import annotations

import re

from django.db.models import F
from django.utils.html import strip_tags

from games.days import day
from games.models import Event, Table
from tests.games.party import Party, Person, done

LINE = re.compile(
    r'<li id="log-(\d+)" class="log-line( is-undone)?">.*?log-text">(.*?)</span>', re.S
)
OLDER = re.compile(r'id="older"[^>]*href="\?before=(\d+)"')


def page_of(person: Person, before: int | str = "") -> tuple[dict[int, str], set[int], str]:
    """Read a page of the log: its lines, which are struck out, and where the older ones are."""
    html = person.sees("log/", before=before)
    lines = {int(seq): strip_tags(text) for seq, _undone, text in LINE.findall(html)}
    struck = {int(seq) for seq, undone, _text in LINE.findall(html) if undone}
    older = OLDER.search(html)
    return lines, struck, older[1] if older else ""


def test_every_line_stands_on_one_page_from_the_newest_to_the_first(party: Party):
    for n in range(130):
        done(party.ana.does("rename_table", name=f"The Swan {n}"))
    lines, _struck, older = page_of(party.ben)
    assert len(lines) == 100
    assert "The Swan 129" in lines[max(lines)]
    rest, _struck, oldest = page_of(party.ben, older)
    assert not oldest
    assert not lines.keys() & rest.keys()
    told = set(Event.objects.filter(to=None).values_list("seq", flat=True))
    assert lines.keys() | rest.keys() == told
    assert 'id="newest"' in party.ben.sees("log/", before=older)


def test_a_log_of_years_is_read_to_its_beginning(party: Party):
    """From the hundred thousandth line on, what came before was the newest page once more."""
    Event.objects.update(seq=F("seq") + 123_456)
    Table.objects.update(seq=F("seq") + 123_456)
    for n in range(130):
        done(party.ana.does("rename_table", name=f"The Swan {n}"))
    newest, _struck, older = page_of(party.ben)
    before, _struck, _older = page_of(party.ben, older)
    assert max(before) == min(newest) - 1


def test_a_phone_leads_from_its_newest_lines_to_those_before(party: Party):
    assert '<p class="links" hidden><a id="to-log"' in party.ben.sees()
    for n in range(70):
        done(party.ana.does("rename_table", name=f"The Swan {n}"))
    link = re.search(r'id="to-log" href="[^"]*\?before=(\d+)"', party.ben.sees())
    assert link
    lines, _struck, _older = page_of(party.ben, link[1])
    assert max(lines) == int(link[1]) - 1


def test_what_was_taken_back_later_is_struck_out_on_the_older_page(party: Party):
    party.begins()
    party.dice.fall(11)
    done(party.ana.does("roll"))
    rolled = party.events("Rolled")[-1].seq
    done(party.ana.does("undo", event=rolled, sure="true"))
    _lines, struck, _older = page_of(party.ben, party.events("undone")[-1].seq)
    assert rolled in struck


def test_what_is_told_to_one_seat_alone_is_in_nobodys_log(party: Party):
    party.begins()
    secret = Event.objects.filter(to=None).order_by("-seq").first()
    assert secret
    Event.objects.filter(pk=secret.pk).update(to=party.ana.row)
    for person in party.players:
        assert secret.seq not in page_of(person)[0]


def test_during_a_bout_people_go_by_their_guild_names(party: Party):
    """BK-2: who has which guild name is not read off the older lines either."""
    party.ben.does("name_guild", name="Moth")
    party.begins()
    everything = " ".join(page_of(party.ben)[0].values())
    assert "Moth" in everything
    assert not re.search(r"\bBen\b", everything)


def test_an_address_that_names_no_number_shows_the_newest(party: Party):
    newest = page_of(party.ben)[0]
    for before in ("x", "-1", "0", "9" * 30, "99999999"):
        assert page_of(party.ben, before)[0] == newest


def told_when(person: Person, page: str = "") -> dict[str, str]:
    """Return when each line of a page's log was told, as the page says it."""
    lines = re.findall(r'log-text">(.*?)</span>\s*<time>(.*?)</time>', person.sees(page))
    return {strip_tags(text): when for text, when in lines}


def test_who_comes_back_after_weeks_sees_of_each_line_on_which_day_it_was_told(party: Party):
    """Every line of every evening had its hour alone, so all of them seemed to be of today."""
    done(party.ana.does("rename_table", name="The Old Swan"))
    that_evening = told_when(party.ben)["The table is called The Old Swan now."]
    assert re.fullmatch(r"\d\d:\d\d", that_evening)
    then = party.clock.now()
    party.clock.passes(seconds=21 * 24 * 3600)
    done(party.ana.does("rename_table", name="The New Swan"))
    for person, page in ((party.ben, ""), (party.ana, "gm/")):
        told = told_when(person, page)
        assert told["The table is called The Old Swan now."] == f"{day(then)}, {that_evening}"
        assert re.fullmatch(r"\d\d:\d\d", told["The table is called The New Swan now."])
    whole = told_when(party.ben, "log/")
    assert whole["The table is called The Old Swan now."] == that_evening, "its day is a heading"


def test_the_table_that_was_played_at_last_is_the_first_of_ones_tables(party: Party):
    """The newest to be opened were: a dozen that somebody had only tried hid where they play."""
    regular_table = party.ben.code
    for _n in range(12):
        party.clock.passes(seconds=3600)
        assert party.ben.client.post("/start/", {"host_name": "Ben"}).status_code == 302
    party.clock.passes(seconds=21 * 24 * 3600)
    done(party.ana.does("rename_table", name="The Old Swan"))
    home = party.ben.client.get("/").content.decode()
    mine = home[: home.index("join-title")]
    assert re.findall(r'class="code">(\w+)<', mine)[0] == regular_table
    assert mine.count('class="code"') == 12
    assert f"as Ben · {day(party.clock.now())}</small>" in mine


def test_of_each_table_the_front_page_shows_one_seat_and_a_dozen_tables(party: Party):
    """Each seat counted as a table: of a phone that plays for two at each, half were hidden."""
    for _n in range(12):
        host = Person("Ben", client=party.ben.client)
        host.opens_table()
        done(host.does("add_player", name="Mo"))
    home = party.ben.client.get("/").content.decode()
    assert home[: home.index("join-title")].count('class="code"') == 12


def test_whoever_has_many_tables_finds_the_codes_field_right_below_the_newest(party: Party):
    """A dozen filled a phone's screen twice before the field that a newcomer's code goes into."""
    for _n in range(5):
        Person("Ben", client=party.ben.client).opens_table()
    home = party.ben.client.get("/").content.decode()
    newest, _, longer_ago = home[: home.index("join-title")].partition('<details id="more-tables">')
    assert newest.count('class="code"') == 4
    assert longer_ago.count('class="code"') == 2
    assert "more-tables" not in party.ana.client.get("/").content.decode()


def test_the_front_page_leads_a_referee_to_the_referees_page(party: Party):
    """Back on the next evening they stood before a player's page, which offered them a knave."""
    host = Person("Rae")
    led = host.client.post("/start/", {"host_name": "Rae", "rules": "knave"})["location"]
    assert led.endswith("/gm/")
    assert f'class="row-link" href="{led}"' in host.client.get("/").content.decode()
    mine = party.ana.client.get("/").content.decode()
    assert f'class="row-link" href="/t/{party.table.code}/"' in mine  # a bout waits on the phone
