"""Answers that a browser keeps as a file."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def download(content: str | bytes, name: str, content_type: str) -> HttpResponse:
    """Give what a browser keeps under this name instead of showing it."""
    kept = content_disposition_header(as_attachment=True, filename=name)
    return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": kept})
