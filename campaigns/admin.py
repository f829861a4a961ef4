"""For whoever runs the server: what tables keep of their campaigns, to look at."""

from __future__ import annotations

from django.contrib import admin

from campaigns.admin_words import WORDS
from campaigns.models import Campaign, Chapter, Character, Member, OwnOracle, Sequence, Strength
from games.admin import ReadOnly


class OfCampaigns(ReadOnly):
    words = WORDS


@admin.register(Campaign)
class CampaignAdmin(OfCampaigns):
    list_display = ["name", "table", "is_in_front", "began_at", "closed_at"]
    search_fields = ["name", "table__name", "table__code"]


@admin.register(Chapter)
class ChapterAdmin(OfCampaigns):
    list_display = ["campaign", "number", "title", "step", "oracle_title", "ended_at"]
    list_filter = ["step"]
    search_fields = ["title", "campaign__name"]


@admin.register(Character)
class CharacterAdmin(OfCampaigns):
    list_display = ["name", "kind", "state", "campaign", "owner"]
    list_select_related = ["campaign", "owner"]
    list_filter = ["kind", "state"]
    search_fields = ["name", "description", "campaign__name"]


@admin.register(Member)
class MemberAdmin(OfCampaigns):
    list_display = ["name", "campaign", "is_gm", "is_away", "has_left"]


@admin.register(Strength)
class StrengthAdmin(OfCampaigns):
    list_display = ["name", "campaign", "pc_form", "npc_form"]
    search_fields = ["name", "campaign__name"]


@admin.register(Sequence)
class SequenceAdmin(OfCampaigns):
    list_display = ["act", "chapter", "number", "is_over"]
    list_filter = ["is_over"]


@admin.register(OwnOracle)
class OwnOracleAdmin(OfCampaigns):
    list_display = ["title", "table", "created_at"]
    search_fields = ["title", "table__name"]
