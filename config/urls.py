"""Every path of the site."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("characters.urls")),
    path("", include("campaigns.urls")),
    path("", include("games.urls")),
]

handler400 = "games.views.errors.unreadable"
handler403 = "games.views.errors.forbidden"
handler404 = "games.views.errors.not_found"
handler500 = "games.views.errors.failed"
