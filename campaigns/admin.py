"""For whoever runs the server: what tables keep of their campaigns, to look at."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin

from campaigns.models import Campaign, Chapter, Character, Member, OwnOracle, Sequence, Strength
from games.admin import ReadOnly


@admin.register(Campaign)
class CampaignAdmin(ReadOnly):
    list_display: ClassVar = ["name", "table", "is_in_front", "began_at", "closed_at"]
    search_fields: ClassVar = ["name", "table__name", "table__code"]


@admin.register(Chapter)
class ChapterAdmin(ReadOnly):
    list_display: ClassVar = ["campaign", "number", "title", "step", "oracle_title", "ended_at"]
    list_filter: ClassVar = ["step"]
    search_fields: ClassVar = ["title", "campaign__name"]


@admin.register(Character)
class CharacterAdmin(ReadOnly):
    list_display: ClassVar = ["name", "kind", "state", "campaign", "owner"]
    list_filter: ClassVar = ["kind", "state"]
    search_fields: ClassVar = ["name", "description", "campaign__name"]


@admin.register(Member)
class MemberAdmin(ReadOnly):
    list_display: ClassVar = ["name", "campaign", "is_gm", "is_away", "has_left"]


@admin.register(Strength)
class StrengthAdmin(ReadOnly):
    list_display: ClassVar = ["name", "campaign", "pc_form", "npc_form"]
    search_fields: ClassVar = ["name", "campaign__name"]


@admin.register(Sequence)
class SequenceAdmin(ReadOnly):
    list_display: ClassVar = ["act", "chapter", "number", "is_over"]
    list_filter: ClassVar = ["is_over"]


@admin.register(OwnOracle)
class OwnOracleAdmin(ReadOnly):
    list_display: ClassVar = ["title", "table", "created_at"]
    search_fields: ClassVar = ["title", "table__name"]
