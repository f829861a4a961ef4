"""For whoever runs the server: Knave's book to edit and add to; what tables keep, to look at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import (
    JSONField,
    PositiveIntegerField,
    PositiveSmallIntegerField,
    QuerySet,
)
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from characters.admin_words import WORDS
from characters.models import (
    Article,
    Call,
    Character,
    Encounter,
    Goal,
    HirelingKind,
    Item,
    Monster,
    Pile,
    Spell,
    TableRow,
)
from characters.models.book import Shipped
from characters.services import kept_book, traits
from games.admin import NamesChanges, ReadOnly
from games.rules.knave import creation
from games.rules.knave.damage import parse_damage
from games.rules.knave.growth import HIGHEST_LEVEL
from games.rules.knave_fight.model import (
    HIGHEST_BONUS,
    LOWEST_BONUS,
    MOST_ATTACKS,
    MOST_DEFENSE,
    MOST_HP,
    MOST_MORALE,
    MOST_QUALITY,
)
from games.text import without_nul

HIGHEST_FACE = 20

# These two take the type of their rows for checkers alone: as the server runs they have none.
if TYPE_CHECKING:
    Rows = admin.ModelAdmin[Shipped]
    Form = ModelForm[Shipped]
else:
    Rows = admin.ModelAdmin
    Form = ModelForm


@admin.action(description=_("Hide the chosen rows"))
def hide(model: Rows, request: HttpRequest, rows: QuerySet[Shipped]) -> None:
    """Take rows of the book off the lists to choose from; whoever has them keeps them."""
    _set_hidden(rows, is_hidden=True)


@admin.action(description=_("Show the chosen rows again"))
def show(model: Rows, request: HttpRequest, rows: QuerySet[Shipped]) -> None:
    """Put rows of the book that were hidden on those lists again."""
    _set_hidden(rows, is_hidden=False)


def _set_hidden(rows: QuerySet[Shipped], *, is_hidden: bool) -> None:
    rows.update(is_hidden=is_hidden)
    kept_book.changed(rows.model)  # such a write sends no signal


class KeptJSON(forms.JSONField):
    """Takes what each database keeps: Python reads more as JSON than they do, or less of it."""

    def to_python(self, value: Any) -> Any:
        try:
            read = super().to_python(value)
            json.dumps(read, allow_nan=False, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise self._invalid() from error
        if without_nul(read) != read:
            raise self._invalid()
        return read

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            self.to_python(data)
        except ValidationError:  # shown as it was written, to be set right
            return forms.fields.InvalidJSONInput(data)
        return super().bound_data(data, initial)

    def _invalid(self) -> ValidationError:
        return ValidationError(self.error_messages["invalid"], code="invalid")


class BookAdmin(NamesChanges, Rows):
    """Rows of the book. An edited row is left alone by upgrades.

    None is deleted: sheets may still hold it, and a shipped one would come
    back. It is hidden instead. Its key is what other rows name it by.
    """

    actions = [hide, show]
    # SQLite keeps figures that PostgreSQL has no room for.
    formfield_overrides = {
        JSONField: {"form_class": KeptJSON},
        PositiveSmallIntegerField: {"max_value": 32_767},
        PositiveIntegerField: {"max_value": 2_147_483_647},
    }
    list_filter = ["is_hidden", "is_own"]
    search_fields = ["name", "name_es", "key"]
    prepopulated_fields = {"key": ["name"]}
    list_per_page = 200

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["key"] if obj else []

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else self.prepopulated_fields

    def save_model(self, request: HttpRequest, obj: Shipped, form: Form, change: bool) -> None:
        """Remember that the host wrote this; hiding alone leaves the rest to upgrades."""
        if not change:
            obj.is_own = True
        if set(form.changed_data) - {"is_hidden"}:
            obj.edited_at = timezone.now()
        super().save_model(request, obj, form, change)


class FoughtWith(Form):
    """Keeps figures within a fight's own bounds: else it refuses to begin, for the whole table."""

    bounds: ClassVar[dict[str, tuple[int, int]]] = {}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        for name, (least, most) in self.bounds.items():
            if (value := given.get(name)) is not None and not least <= value <= most:
                text = _("From %(least)s to %(most)s.") % {"least": least, "most": most}
                self.add_error(name, text)
        return given


class ArticleForm(FoughtWith):
    """What a weapon and an armor must have to be fought with (KN-5, KN-14)."""

    bounds = {"defense": (0, MOST_DEFENSE), "quality": (0, MOST_QUALITY)}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        kind = given.get("kind")
        if kind == Article.Kind.WEAPON and not (given.get("die") and given.get("hands")):
            raise ValidationError(_("A weapon needs a die and one hand or two."))
        if kind == Article.Kind.ARMOR and not given.get("defense"):
            raise ValidationError(_("Body armor needs a defense."))
        if given.get("quality") == 0:
            raise ValidationError(_("A thing of quality 0 is broken. Leave it empty for none."))
        for named in ("ammunition", "feeds"):
            key = given.get(named)
            if key and not Article.objects.filter(key=key).exists():
                raise ValidationError({named: _("No article has this key.")})
        self._check_protection(kind, given)
        return given

    def _check_protection(self, kind: str | None, given: dict[str, Any]) -> None:
        """Refuse what the sheet would tell and no number would count (KN-5)."""
        adds = 1 if kind in {Article.Kind.SHIELD, Article.Kind.HELMET} else 0
        if given.get("bonus", adds) != adds:
            self.add_error("bonus", _("A shield and a helmet add 1, and nothing else does."))
        if kind != Article.Kind.ARMOR and given.get("defense") is not None:
            self.add_error("defense", _("Only body armor has a defense."))


@admin.register(Article)
class ArticleAdmin(BookAdmin):
    form = ArticleForm
    list_display = ["name", "name_es", "kind", "cost", "lot", "slots", "is_hidden"]
    list_filter = ["kind", *BookAdmin.list_filter]


@admin.register(Spell)
class SpellAdmin(BookAdmin):
    list_display = ["number", "name", "name_es", "reach", "duration", "is_hidden"]
    list_display_links = ["name"]
    list_filter = ["save_with", *BookAdmin.list_filter]


FIGURES: dict[str, tuple[int, int]] = {
    "level": (0, HIGHEST_LEVEL),
    "hp": (1, MOST_HP),
    "armor_defense": (0, MOST_DEFENSE),
    "attack_bonus": (LOWEST_BONUS, HIGHEST_BONUS),
    "morale": (2, MOST_MORALE),
}
"""Of a foe or a hireling, as the fight takes them."""


class MonsterForm(FoughtWith):
    """Attacks are read by the fight: each needs a name, a count and damage that can be rolled."""

    bounds = FIGURES

    def clean_attacks(self) -> list[dict[str, Any]]:
        attacks = self.cleaned_data["attacks"]
        if not isinstance(attacks, list):
            raise ValidationError(_("A list of attacks is needed."))
        return [self._attack(one) for one in attacks]

    @staticmethod
    def _attack(one: Any) -> dict[str, Any]:
        try:
            name, damage, count = one["name"].strip()[:80], str(one["damage"])[:20], one["count"]
            name_es, read = (one.get("name_es") or "").strip()[:80], parse_damage(damage)
            if not name or type(count) is not int or not 1 <= count <= MOST_ATTACKS:
                raise ValueError
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            text = _('An attack is {"name": …, "count": 1, "damage": "d6"}.')
            raise ValidationError(text) from error
        if read.is_beyond_dice:
            text = _("%(damage)s: a hit rolls up to 20 dice of 2 to 100 sides, and adds up to 99.")
            raise ValidationError(text % {"damage": damage})
        blow = {"name": name, "name_es": name_es, "count": count, "damage": damage, "die": read.die}
        return {**blow, "is_ranged": one.get("is_ranged") is True}


@admin.register(Monster)
class MonsterAdmin(BookAdmin):
    form = MonsterForm
    list_display = [
        "name",
        "name_es",
        "kind",
        "level",
        "hp",
        "armor_defense",
        "is_hidden",
    ]
    list_filter = ["kind", *BookAdmin.list_filter]


class HirelingKindForm(FoughtWith):
    """A hireling goes into fights with its employer (KN-24)."""

    bounds = FIGURES


@admin.register(HirelingKind)
class HirelingKindAdmin(BookAdmin):
    form = HirelingKindForm
    list_display = ["name", "name_es", "wage", "level", "hp", "morale", "is_hidden"]


class TableRowForm(Form):
    """A row stands for faces of a d20 in a table, and hands out articles that exist."""

    def clean_table(self) -> str:
        """Refuse a table that nobody rolls on (KN-3, KN-7): its row would never be seen again."""
        table: str = self.cleaned_data["table"]
        known = sorted({*creation.STARTING_ROLLS, *traits.KEYS})
        if table not in known:
            text = _("Nothing rolls on this table. There are: %(tables)s.")
            raise ValidationError(text % {"tables": ", ".join(known)})
        return table

    def clean_items(self) -> list[list[str | int]]:
        items = self.cleaned_data["items"] or []
        try:
            pairs = [(str(key), int(count)) for key, count in items]
        except (TypeError, ValueError) as error:
            raise ValidationError(_('Items are pairs: [["torch", 5]].')) from error
        known = set(Article.objects.values_list("key", flat=True))
        if any(key not in known or not 1 <= count <= 100 for key, count in pairs):
            raise ValidationError(_("Every item names an article by its key, and 1 to 100 of it."))
        return [[key, count] for key, count in pairs]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not 1 <= given.get("low", 1) <= given.get("high", HIGHEST_FACE) <= HIGHEST_FACE:
            raise ValidationError(_("A row goes from one face of the d20 to another."))
        return given


@admin.register(TableRow)
class TableRowAdmin(BookAdmin):
    form = TableRowForm
    list_display = ["name", "name_es", "table", "low", "high", "is_hidden"]
    list_filter = ["table", *BookAdmin.list_filter]


class OfParties(ReadOnly):
    words = WORDS


@admin.register(Character)
class CharacterAdmin(OfParties):
    list_display = ["name", "table", "kind", "state", "level", "hp", "max_hp"]
    list_filter = ["kind", "state"]
    search_fields = ["name", "table__code"]


@admin.register(Item)
class ItemAdmin(OfParties):
    list_display = ["__str__", "count", "table", "holder", "pile", "quality"]
    list_filter = ["kind"]
    list_select_related = ["table", "holder", "pile", "article", "spell"]
    search_fields = ["name", "article__name", "holder__name", "table__code"]


@admin.register(Pile)
class PileAdmin(OfParties):
    list_display = ["id", "name", "table", "is_shown", "is_open"]
    search_fields = ["name", "table__code"]


@admin.register(Encounter)
class EncounterAdmin(OfParties):
    list_display = ["name", "table", "is_open", "created_at"]
    search_fields = ["name", "table__code"]


@admin.register(Call)
class CallAdmin(OfParties):
    list_display = ["id", "kind", "ability", "table", "is_open", "created_at"]
    search_fields = ["reason", "table__code"]


@admin.register(Goal)
class GoalAdmin(OfParties):
    list_display = ["text", "worth", "table", "is_shown", "done_at"]
    search_fields = ["text", "table__code"]
