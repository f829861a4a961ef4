"""The paths of the house and its tables."""

from django.urls import path
from django.views.decorators.cache import cache_control

from games import api
from games.views import front, house_rules, pwa, records, rules_pages, table

hour = cache_control(max_age=3600)

urlpatterns = [
    path("", front.home, name="home"),
    path("start/", front.start_table, name="open_table"),
    path("try/", front.start_trial, name="open_trial"),
    path("join/", front.join_code, name="join_code"),
    path("language/", front.set_language, name="set_language"),
    path("suggest/", front.suggestion, name="suggest"),
    path("j/<slug:key>/", front.scan, name="scan"),
    path("seat/<slug:token>/", front.take_over, name="take_over"),
    path("rules/<slug:game>/", rules_pages.rules, name="rules"),
    path("house-rule/<slug:packed>/", house_rules.shared, name="shared_rule"),
    path("t/<slug:code>/", table.phone, name="phone"),
    path("t/<slug:code>/act/", table.play, name="act"),
    path("t/<slug:code>/join/", front.join, name="join"),
    path("t/<slug:code>/screen/", table.screen, name="screen"),
    path("t/<slug:code>/gm/", table.gm, name="gm"),
    path("t/<slug:code>/gm/house-rule/", house_rules.editor, name="house_rule"),
    path("t/<slug:code>/news/<slug:page>/<int:seat>/", table.news, name="news"),
    path("t/<slug:code>/records/", records.records, name="records"),
    path("t/<slug:code>/log/", records.log, name="log"),
    path("t/<slug:code>/records/<int:game>/", records.record, name="record"),
    path("api/schema/", api.schema, name="api_schema"),
    path("api/tables/<slug:code>/", api.TableState.as_view(), name="api_table"),
    path("api/tables/<slug:code>/door/", api.Door.as_view(), name="api_door"),
    path("api/tables/<slug:code>/actions/", api.Actions.as_view(), name="api_actions"),
    path("manifest.webmanifest", hour(pwa.manifest), name="manifest"),
    path("sw.js", pwa.service_worker, name="service_worker"),
    path("offline/", pwa.offline, name="offline"),
]
