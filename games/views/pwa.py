"""What makes the site an app on a phone: manifest, service worker, the page without a network."""

from __future__ import annotations

import hashlib
import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.page_mark import mark_of_pages

INK = "#14110f"
CACHED = (
    "taproom.css",
    "safety.css",
    "taproom.js",
    "store.js",
    "regions.js",
    "page.js",
    "notices.js",
    "fields.js",
    "written.js",
    "clock.js",
    "line.js",
    "outbox.js",
    "stop.js",
    "taps.js",
    "fx.js",
    "django_htmx/htmx-2.min.js",
    "icons/icon.svg",
)


def _icon(size: int, purpose: str) -> dict[str, str]:
    kind = "maskable" if purpose == "maskable" else "icon"
    return {
        "src": static(f"icons/{kind}-{size}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return what lets a phone install the app: names, icons, colours, in one's language."""
    shots = [("narrow", "390x844"), ("wide", "1180x820")]
    content = {
        "id": "/",
        "name": "Taproom",
        "short_name": "Taproom",
        "description": _("One table, every phone a character sheet and dice."),
        "lang": get_language(),
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "display_override": ["standalone", "minimal-ui"],
        "theme_color": INK,
        "background_color": INK,
        "categories": ["games", "entertainment"],
        "icons": [_icon(s, p) for p in ("any", "maskable") for s in (192, 512)],
        "screenshots": [
            {
                "src": static(f"icons/shot-{form}.png"),
                "sizes": sizes,
                "type": "image/png",
                "form_factor": form,
            }
            for form, sizes in shots
        ],
        "shortcuts": [
            {"name": _("Join a table"), "url": reverse("home") + "#join"},
            {"name": _("Rules"), "url": reverse("rules", args=["brave-or-knave"])},
        ],
        "launch_handler": {"client_mode": "navigate-existing"},
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the worker from the root, so that its scope is the whole site.

    It keeps static files and the offline page, both the same for everybody;
    no page of anybody's is ever put into its cache.
    """
    files = [*(static(name) for name in CACHED), reverse("offline")]
    # The offline page has no hash in its name, and is of its release as the files are.
    of_release = json.dumps([mark_of_pages(), files])
    version = hashlib.sha256(of_release.encode()).hexdigest()[:12]
    context = {"files": files, "version": version, "offline": reverse("offline")}
    return HttpResponse(
        render_to_string("games/sw.js.jinja", context), content_type="text/javascript"
    )


@require_safe
@cache_control(max_age=3600, public=True)
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker keeps for when the house is out of reach."""
    # Without the request: no token of anybody's may lie in a shared cache.
    return HttpResponse(render_to_string("games/offline.jinja", {"language": get_language()}))
