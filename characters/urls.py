"""The paths of Knave's pages at a table, beside the live ones."""

from django.urls import path

from characters.views import sheets

urlpatterns = [
    path("knave/blank/", sheets.blank, name="knave_blank"),
    path("t/<slug:code>/knave/<int:character>/", sheets.sheet, name="knave_sheet"),
    path("t/<slug:code>/knave/<int:character>/print/", sheets.printed, name="knave_print"),
    path("t/<slug:code>/knave/<int:character>/portrait/", sheets.portrait, name="knave_portrait"),
    path("t/<slug:code>/knave/<int:character>/shop/", sheets.shop, name="knave_shop"),
    path("t/<slug:code>/graveyard/", sheets.graveyard, name="graveyard"),
    path("t/<slug:code>/gm/as/<int:seat>/", sheets.view_as, name="view_as"),
]
