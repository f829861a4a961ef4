"""The site's addresses and one that nobody has listed: a control."""

from django.http import HttpResponse
from django.urls import include, path

urlpatterns = [
    path("", include("config.urls")),
    path("forgotten/", lambda request: HttpResponse("x"), name="forgotten"),
]
