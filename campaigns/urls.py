"""The paths of campaigns at a table, beside the live ones."""

from django.urls import path, re_path

from campaigns.views import oracles, records, sheets

CODE = r"^t/(?P<code>[-\w]+)/"

urlpatterns = [
    path("t/<slug:code>/character/<int:number>/", sheets.sheet, name="wicked_sheet"),
    path("t/<slug:code>/chapter/print/", sheets.printed, name="wicked_print"),
    path("t/<slug:code>/oracles/", oracles.oracles, name="wicked_oracles"),
    path("t/<slug:code>/oracles/new/", oracles.editor, name="wicked_oracle_new"),
    path("t/<slug:code>/oracles/<slug:oracle>/", oracles.editor, name="wicked_oracle"),
    re_path(
        CODE + r"oracles/(?P<oracle>[-\w]{1,40})/(?P<kind>text|yaml)/$",
        oracles.exported,
        name="wicked_oracle_file",
    ),
    path("t/<slug:code>/campaign/", records.overview, name="wicked_records"),
    path("t/<slug:code>/campaign/people/", records.people, name="wicked_people"),
    path("t/<slug:code>/campaign/people/<int:number>/", records.person, name="wicked_person"),
    path("t/<slug:code>/campaign/owed/", records.owe_list, name="wicked_owed"),
    path("t/<slug:code>/campaign/search/", records.search, name="wicked_search"),
    path("t/<slug:code>/campaign/book/", records.book, name="wicked_book"),
    path("t/<slug:code>/campaign/markdown/", records.markdown, name="wicked_markdown"),
    path("t/<slug:code>/campaign/file/", records.file, name="wicked_file"),
    path("t/<slug:code>/campaign/bring/", records.bring, name="wicked_bring"),
    path("t/<slug:code>/campaign/<int:number>/", records.chapter, name="wicked_chapter"),
    path(
        "t/<slug:code>/campaign/<int:number>/fight/<int:sequence>/",
        records.fight,
        name="wicked_record",
    ),
    path("t/<slug:code>/campaign/<int:number>/tell/", records.telling, name="wicked_telling"),
]
