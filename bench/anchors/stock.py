"""The floor: Django and Channels as their tutorials have them, on Daphne. `stock.py PORT FOLDER`.

A socket's action goes to a thread, is one ORM transaction on SQLite with `synchronous=FULL` (a row
of 4 KB JSON changes, a line is written to a log), and the state travels through the channel layer
to seven consumers, each of which renders its own page with Django's templates.
"""

import json
import sys
from pathlib import Path
from typing import Any, ClassVar

import django
from django.conf import settings

PORT, FOLDER = int(sys.argv[1]), Path(sys.argv[2])
SEATS, TABLES = 7, 50
PAGE = """
<section id="table"><h2>Round {{ state.round }}</h2><p>{{ state.said }}</p>
<ol>{% for p in state.players %}<li class="{% if p.number == me.number %}mine{% endif %}">
<b>{{ p.name }}</b> <span class="score" aria-label="score">{{ p.score }}</span>
<em class="mood">{{ p.mood }}</em></li>{% endfor %}
</ol><ul>{% for line in state.log %}<li>{{ line }}</li>{% endfor %}</ul></section>
<section id="hand"><h2>{{ me.name }}</h2><p>Your score is {{ me.score }}.</p>
{% for face in me.dice %}<button class="button die" name="face" value="{{ face }}"
aria-pressed="false">
<span>Throw the {{ face }}</span></button>
{% endfor %}</section>"""

settings.configure(
    SECRET_KEY="bench",
    ALLOWED_HOSTS=["*"],
    INSTALLED_APPS=[],
    LOGGING_CONFIG=None,
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": FOLDER / "stock.sqlite3",
            "OPTIONS": {
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            },
        }
    },
    CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
)
django.setup()

from channels.db import database_sync_to_async  # noqa: E402
from channels.generic.websocket import AsyncJsonWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from daphne.endpoints import build_endpoint_description_strings  # noqa: E402
from daphne.server import Server  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402
from django.template import engines  # noqa: E402
from django.urls import path  # noqa: E402

TEMPLATE = engines["django"].from_string(PAGE)


class Table(models.Model):
    objects: ClassVar[models.Manager["Table"]]
    state = models.JSONField()

    class Meta:
        app_label = "stock"

    def __str__(self) -> str:
        return f"table {self.pk}"


class Line(models.Model):
    objects: ClassVar[models.Manager["Line"]]
    table = models.ForeignKey(Table, models.CASCADE)
    seat = models.IntegerField()
    said = models.TextField()

    class Meta:
        app_label = "stock"

    def __str__(self) -> str:
        return self.said


def new_state() -> dict[str, Any]:
    players = [
        {"number": n, "name": f"Player {n}", "score": 0, "mood": "waiting", "dice": [1, 2, 3, 4, 5]}
        for n in range(SEATS)
    ]
    state = {"round": 0, "said": "", "players": players, "log": [], "deck": []}
    state["deck"] = ["card"] * ((4000 - len(json.dumps(state))) // 8)
    return state


def act(table: int, seat: int, seq: int) -> dict[str, Any]:
    with transaction.atomic():
        row = Table.objects.select_for_update().get(pk=table)
        state: dict[str, Any] = row.state
        me = state["players"][seat]
        face = seq % 20 + 1
        me["score"] += face
        me["dice"] = [*me["dice"][1:], face]
        state["round"], state["said"] = seq, f"{me['name']} rolls {face}"
        state["log"] = [*state["log"][-4:], state["said"]]
        row.save()
        Line.objects.create(table=row, seat=seat, said=state["said"])
    return state


class Phone(AsyncJsonWebsocketConsumer):  # type: ignore[misc]
    async def connect(self) -> None:
        where = self.scope["url_route"]["kwargs"]
        self.table, self.seat = where["table"], where["seat"]
        self.group = f"table{self.table}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive_json(self, content: dict[str, Any], **_more: object) -> None:
        seq = content["act"]
        state = await database_sync_to_async(act)(self.table + 1, self.seat, seq)
        told = {"type": "changed", "seq": seq, "state": state}
        await self.channel_layer.group_send(self.group, told)

    async def changed(self, told: dict[str, Any]) -> None:
        state = told["state"]
        html = TEMPLATE.render({"state": state, "me": state["players"][self.seat]})
        await self.send_json({"seq": told["seq"], "html": html})


def main() -> None:
    with connection.schema_editor() as editor:
        editor.create_model(Table)
        editor.create_model(Line)
    Table.objects.bulk_create(Table(pk=n + 1, state=new_state()) for n in range(TABLES))
    connection.close()
    routes = URLRouter([path("<int:table>/<int:seat>", Phone.as_asgi())])
    Server(
        application=ProtocolTypeRouter({"websocket": routes}),
        endpoints=build_endpoint_description_strings(host="127.0.0.1", port=PORT),
    ).run()


main()
