"""The admin speaks to whoever runs the server in their language."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.utils.functional import Promise


def test_every_kind_of_row_is_called_by_a_text_that_is_translated():
    """What Django makes of a class's name is English to everybody."""
    ours = [m._meta for m in admin.site._registry if m._meta.app_label in settings.OUR_APPS]
    assert len(ours) > 20
    named = [(m.verbose_name, m.verbose_name_plural, m.app_config.verbose_name) for m in ours]
    assert [texts for texts in named if not all(isinstance(t, Promise) for t in texts)] == []
