"""Who is answered what at every address: a row for each, a status for each role in this order.

A form is posted empty, so whoever may post it is told 422 of what is missing.
"""

from __future__ import annotations

ROLES = (
    "anonymous", "another table's host", "at the door", "removed", "tablet", "seat A", "seat B",
    "host",
)  # fmt: skip

ALL = "200 200 200 200 200 200 200 200"
AWAY = "302 302 302 302 302 302 302 302"
NOT = "405 405 405 405 405 405 405 405"
NOWHERE = "404 404 404 404 404 404 404 404"
SEATED = "404 404 404 404 200 200 200 200"
FORM = "404 404 404 404 422 422 422 422"
HOST = "404 404 403 404 403 403 403 200"

CELLS = {
    "knave_blank": {"GET": ALL, "POST": NOT},
    "knave_sheet": {"GET": "404 404 404 404 403 200 403 200", "POST": NOT},
    "knave_print": {"GET": "404 404 404 404 403 200 403 200", "POST": NOT},
    "knave_portrait": {"GET": SEATED, "POST": FORM},
    "knave_shop": {"GET": "404 404 404 404 403 200 403 200", "POST": NOT},
    "graveyard": {"GET": SEATED, "POST": NOT},
    "view_as": {"GET": HOST, "POST": NOT},
    "home": {"GET": ALL, "POST": NOT},
    "open_table": {"GET": NOT, "POST": AWAY},
    "open_trial": {"GET": NOT, "POST": AWAY},
    "join_code": {"GET": NOT, "POST": NOWHERE},
    "set_language": {"GET": NOT, "POST": AWAY},
    "suggest": {"GET": ALL, "POST": NOT},
    "scan": {"GET": AWAY, "POST": NOT},
    "take_over": {"GET": ALL, "POST": AWAY},
    "rules": {"GET": ALL, "POST": NOT},
    "shared_rule": {"GET": ALL, "POST": ALL},
    "phone": {"GET": "302 302 200 302 302 200 200 200", "POST": NOT},
    "act": {"GET": NOT, "POST": "404 404 404 404 403 403 403 302"},
    "join": {"GET": "200 200 302 200 302 302 302 302", "POST": "422 422 302 422 302 302 302 302"},
    "screen": {"GET": "302 302 302 302 200 200 200 200", "POST": NOT},
    "gm": {"GET": HOST, "POST": NOT},
    "house_rule": {"GET": HOST, "POST": "404 404 403 404 403 403 403 422"},
    "news": {"GET": "403 403 403 403 403 200 403 403", "POST": NOT},
    "records": {"GET": SEATED, "POST": NOT},
    "log": {"GET": SEATED, "POST": NOT},
    "record": {"GET": "404 404 404 404 403 403 403 200", "POST": NOT},
    "api_schema": {"GET": ALL, "POST": NOT},
    "api_table": {"GET": SEATED, "POST": NOT},
    "api_door": {"GET": ALL, "POST": "415 415 415 415 415 415 415 415"},
    "api_actions": {"GET": NOT, "POST": "415 415 415 415 415 415 415 415"},
    "manifest": {"GET": ALL, "POST": NOT},
    "service_worker": {"GET": ALL, "POST": NOT},
    "offline": {"GET": ALL, "POST": NOT},
    "wicked_sheet": {"GET": SEATED, "POST": NOT},
    "wicked_print": {"GET": SEATED, "POST": NOT},
    "wicked_oracles": {"GET": SEATED, "POST": NOT},
    "wicked_oracle_new": {"GET": SEATED, "POST": FORM},
    "wicked_oracle": {"GET": SEATED, "POST": FORM},
    "wicked_oracle_file": {"GET": SEATED, "POST": NOT},
    "wicked_records": {"GET": SEATED, "POST": NOT},
    "wicked_people": {"GET": SEATED, "POST": NOT},
    "wicked_person": {"GET": SEATED, "POST": NOT},
    "wicked_owed": {"GET": SEATED, "POST": NOT},
    "wicked_search": {"GET": SEATED, "POST": NOT},
    "wicked_book": {"GET": SEATED, "POST": NOT},
    "wicked_markdown": {"GET": SEATED, "POST": NOT},
    "wicked_file": {"GET": SEATED, "POST": NOT},
    "wicked_bring": {"GET": NOT, "POST": FORM},
    "wicked_chapter": {"GET": SEATED, "POST": NOT},
    "wicked_record": {"GET": SEATED, "POST": NOT},
    "wicked_telling": {"GET": SEATED, "POST": "404 404 404 404 403 302 302 302"},
}
