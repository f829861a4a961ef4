"""For whoever runs the server: everything can be looked at; tables are written by services only."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, SetUnusablePasswordMixin
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db.models import ManyToManyField, Model
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils import translation
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games import limits
from games.admin_words import WORDS, Words
from games.errors import TooMany
from games.models import Entrant, Event, Game, HouseRule, Play, Seat, Table


class GuardedLogin(AdminAuthenticationForm):
    """The admin's door: wrong passwords are counted, by address and by name."""

    def clean(self) -> Any:
        name = self.cleaned_data.get("username") or ""
        assert self.request  # the admin's page gives it
        try:
            limits.check_may_log_in(self.request, name)
        except TooMany as refusal:
            raise ValidationError(refusal.message) from refusal
        try:
            return super().clean()
        except ValidationError:
            limits.note_bad_login(self.request, name)
            raise


admin.site.login_form = GuardedLogin
admin.site.site_header = admin.site.site_title = "Taproom"


MAY = {"add": _("add"), "change": _("change"), "delete": _("delete"), "view": _("look at")}


class Permitted(ModelMultipleChoiceField):  # type: ignore[type-arg]  # Django's own takes none
    """Says what is permitted in the reader's language: Django keeps its English in the database."""

    def label_from_instance(self, obj: Any) -> str:
        deed = obj.codename.partition("_")[0]
        return f"{obj.content_type} | {MAY.get(deed, obj.name)}"


class GivesPermissions(admin.ModelAdmin):  # type: ignore[type-arg]  # Django's own takes none
    """Offers permissions for what has a page in the admin: other kinds of rows have no names."""

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Any, Any], request: Any = None, **kwargs: Any
    ) -> Any:
        if db_field.related_model is Permission:
            kinds = ContentType.objects.get_for_models(*admin.site._registry).values()
            kwargs["form_class"] = Permitted
            kwargs["queryset"] = Permission.objects.filter(content_type__in=kinds)
        return super().formfield_for_manytomany(db_field, request, **kwargs)


class NamesChanges(admin.ModelAdmin):  # type: ignore[type-arg]  # Django's own takes none
    """Keeps in the history which fields were changed, by names that whoever reads it can be told.

    Django keeps the form's labels, and looks them up when the history is shown. They begin with a
    capital, our texts do not, and so no translation would be found.
    """

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> list[dict[str, dict[str, list[str]]]]:
        kept = super().construct_change_message(request, form, formsets, add)
        names = {field.name: field.verbose_name for field in self.opts.fields}
        with translation.override(None):
            for what in (one["changed"] for one in kept if "changed" in one):
                what["fields"] = [str(names.get(name, name)) for name in form.changed_data]
        return kept


class PasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]  # as above
    """Says in the reader's language what Django says in that of whoever started the server."""

    usable_password_help_text = format_lazy(  # type: ignore[assignment]  # shown as one
        '{}<ul id="id_unusable_warning" class="messagelist"><li class="warning">{}</li></ul>',
        SetUnusablePasswordMixin.usable_password_help_text,
        _("If disabled, the current password for this user will be lost."),
    )


admin.site.unregister([Group, User])


@admin.register(Group)
class Groups(GivesPermissions, NamesChanges, GroupAdmin):
    pass


@admin.register(User)
class Accounts(GivesPermissions, NamesChanges, UserAdmin):  # type: ignore[type-arg]  # as above
    change_password_form = PasswordForm


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # Django's own takes none
    """Shows rows and changes none: a row changed here would be in no log and on no phone."""

    words: ClassVar[Words] = WORDS

    def __init__(self, model: type[Model], site: admin.AdminSite) -> None:
        """Call the fields by our words, wherever Django reads what they are called.

        Migrations read what a model says of a field, and see nothing of it.
        """
        super().__init__(model, site)
        for field in model._meta.fields:
            of_this_kind = f"{model.__name__}.{field.name}"
            if word := self.words.get(of_this_kind) or self.words.get(field.name):
                field.verbose_name = word

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ["name", "code", "language", "door", "seq", "created_at"]
    search_fields = ["name", "code"]
    exclude = ["key"]


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = ["name", "table", "number", "role", "standing"]
    search_fields = ["name", "table__code"]
    exclude = ["device"]


@admin.register(Game)
class GameAdmin(ReadOnly):
    """The state is left out: it may hold a number under a Shroud."""

    list_display = ["id", "table", "rules", "status", "started_at", "ended_at"]
    list_filter = ["rules", "status"]
    exclude = ["state"]


@admin.register(Event)
class EventAdmin(ReadOnly):
    list_display = ["table", "seq", "kind", "at"]
    search_fields = ["table__code", "kind"]


@admin.register(Play)
class PlayAdmin(ReadOnly):
    """The faces are left out, for the same reason as a game's state."""

    list_display = ["table", "seq", "seat", "tap", "at"]
    list_select_related = ["table", "seat"]
    search_fields = ["table__code"]
    exclude = ["faces"]


@admin.register(Entrant)
class EntrantAdmin(ReadOnly):
    list_display = ["guild_name", "number", "game", "seat"]


@admin.register(HouseRule)
class HouseRuleAdmin(ReadOnly):
    list_display = ["__str__", "table", "is_on"]
