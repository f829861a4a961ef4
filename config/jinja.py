"""The Jinja2 environment of our own templates: escaped, translated, few globals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, cast

import msgspec
import segno
from django.conf import settings
from django.templatetags.static import static
from django.utils import translation
from jinja2 import BaseLoader, Environment, Template, TemplateNotFound, meta
from jinja2.environment import TemplateModule
from jinja2.runtime import Context
from jinja2.utils import missing
from markupsafe import Markup, escape

from config import quick_code
from config.quick_code import QuickCode, as_macro, call_macro, is_macro
from config.style_sheets import style_sheet
from games.addresses import address_of, may_move
from games.days import day, day_and_time
from games.grammar import drawn_together, in_one_sentence, number
from games.said import gettext, ngettext
from games.screens import compiled, paths, pruned, reads
from games.screens.compiled import CompiledBefore, made
from games.screens.each import each
from games.screens.kept import answering, sender
from games.screens.paths import parsed as parsed_template
from games.screens.signs import sign
from games.services.act import answers_scene
from games.text import set_apart

# In characters. Texts up to this long are escaped once and kept: names and words come again and
# again, long texts do not.
SHORT = 100


class QuickContext(Context):
    """Calls what stood in a variable; a macro that was handed on is called as `call_macro` does."""

    def call(self, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        if is_macro(called):
            # Jinja passes these along for functions that ask for the context; a macro does not.
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return call_macro(called, args, kwargs)
        return super().call(called, *args, **kwargs)


def words(text: str, /, **gaps: Any) -> Markup:
    """Translate a template's own text and fill its gaps, escaped: Jinja's newstyle `_`."""
    said = gettext(text)
    if gaps:
        apart = {k: _set_apart(v) if type(v) is str else v for k, v in gaps.items()}
        filled = Markup(said) % apart  # noqa: S704 - ours, not a visitor's
        # A text of ours that begins with a small letter stands in the middle of something.
        fitting = in_one_sentence if said.startswith("%(") else drawn_together
        return cast(Markup, fitting(filled, gaps))
    return _without_gaps(said)


_set_apart = lru_cache(maxsize=4096)(set_apart)


@lru_cache(maxsize=4096)
def _without_gaps(said: str) -> Markup:
    return Markup(said) % ()  # noqa: S704 - ours, too


def shown(value: Any) -> str:
    """Return a value as HTML: what markupsafe's `escape` does, which wraps each in an object.

    For pieces that are joined at once, as those of a template are.
    """
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return _escaped(value) if len(value) < SHORT else escape(value)
    return str(value) if kind is int else escape(value)


@lru_cache(maxsize=8192)
def _escaped(text: str) -> str:
    return str.__str__(escape(text))


class QuickTemplate(Template):
    """A template whose code shows its values by `shown`."""

    @classmethod
    def from_code(
        cls,
        environment: Environment,
        code: CodeType,
        globals: MutableMapping[str, Any],
        uptodate: Callable[[], bool] | None = None,
    ) -> Template:
        """Load compiled code, in which every value that is shown goes through `shown`."""
        template = super().from_code(environment, code, globals, uptodate)
        template.root_render_func.__globals__.update(escape=shown, as_macro=as_macro)
        return template


@cache
def _free_names(env: Environment, template: str) -> frozenset[str]:
    """Return what a template, or one that it names, looks up in the context it is given."""
    kept = made(env, f"names in {template}", lambda: _looked_up(env, template))
    names, others = msgspec.json.decode(kept, type=tuple[list[str], list[str]])
    return frozenset(names).union(*(_free_names(env, name) for name in others))


def _looked_up(env: Environment, template: str) -> bytes:
    """Return the names that a template itself looks up, and the templates that it names."""
    parsed = parsed_template(env, template)
    names = sorted(meta.find_undeclared_variables(parsed))
    others = sorted({name for name in meta.find_referenced_templates(parsed) if name})
    return msgspec.json.encode((names, others))


class AsTheyWere(BaseLoader):
    """Templates as they were when the process began, whatever stands in their place later.

    A new release is put in a folder some time before each process that serves from it is replaced;
    its templates ask for what only its own code has.
    """

    def __init__(self, env: Environment, files: BaseLoader) -> None:
        names = files.list_templates()
        self._sources = {name: files.get_source(env, name)[:2] for name in names}

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool]]:
        """Return a template's text and file. Raises TemplateNotFound."""
        if template not in self._sources:
            raise TemplateNotFound(template)
        return *self._sources[template], lambda: True

    def list_templates(self) -> list[str]:
        return sorted(self._sources)


class QuickEnvironment(Environment):
    """Jinja's environment, with shortcuts where a drawing would pay for what we never use."""

    context_class = QuickContext
    template_class = QuickTemplate
    code_generator_class = QuickCode

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ready: dict[str, Template] = {}

    def get_template(
        self,
        name: str | Template,
        parent: str | None = None,
        globals: MutableMapping[str, Any] | None = None,
    ) -> Template:
        """Return a template, read once; with `auto_reload` Jinja looks whether it has changed."""
        if self.auto_reload or globals is not None or isinstance(name, Template):
            return super().get_template(name, parent, globals)
        template = self._ready.get(name)
        if template is None:
            template = self._ready[name] = super().get_template(name, parent)
        return template

    def macros_of(
        self, name: str, context: Context | None, local: Mapping[str, Any]
    ) -> TemplateModule:
        """Return a template's macros, imported "with context" or without.

        They are made once for all contexts that have nothing of what they read: most are imported
        so for a page's CSRF input, which a region never has. Jinja makes them anew each time.
        """
        template = self.get_template(name)
        if context is None:
            return template.module
        names = _free_names(self, name)
        if names.isdisjoint(local) and all(context.resolve_or_missing(n) is missing for n in names):
            return template.module
        return template.make_module(context.get_all(), shared=True, locals=local)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        # A chain of mappings is searched key by key for every new context, and none of our
        # templates has globals of its own.
        return self.globals if d is None else super().make_globals(d)

    def getitem(self, obj: Any, argument: Any) -> Any:
        # Makes filters such as `selectattr` read an attribute first: trying an item of an object
        # that has none costs as much as drawing a small piece of HTML.
        if type(argument) is str and not hasattr(type(obj), "__getitem__"):
            return self.getattr(obj, argument)
        return super().getitem(obj, argument)


def environment(**options: Any) -> Environment:
    """Build the environment that Django's Jinja2 backend asks for."""
    env = QuickEnvironment(
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        **{"autoescape": True, **options},
    )
    if not env.auto_reload:  # nobody edits templates while this process runs
        env.bytecode_cache = CompiledBefore(settings.CACHE_DIR, _deciding_on_code())
        env.loader = AsTheyWere(env, env.loader) if env.loader else None
    env.install_gettext_callables(  # type: ignore[attr-defined]
        gettext, ngettext, newstyle=True, pgettext=translation.pgettext
    )
    env.globals["_"] = words
    env.globals.update(
        static=static,
        url=address_of,
        may_move=may_move,
        qr=qr,
        current_language=translation.get_language,
        each=each,
        sender=sender,
        answering=answering,
        sign=sign,
        style_sheet=style_sheet,
        answers_scene=answers_scene,
        signed=signed,
        day=day,
        day_and_time=day_and_time,
    )
    return env


def _deciding_on_code() -> list[Path]:
    """Return the files that decide on what is made of a template."""
    ours = [Path(str(module.__file__)) for module in (quick_code, compiled, paths, pruned, reads)]
    return [Path(__file__), *ours, *(settings.BASE_DIR / "templates").rglob("*.jinja")]


def signed(value: int) -> int | Markup:
    """Return a number for people: below zero with the minus of print, and said aloud as a word.

    A hyphen is too short to be seen across a table, and some screen readers pass it over.
    """
    if value >= 0:
        return value
    said = gettext("minus %(number)s") % {"number": -value}
    return Markup(
        '<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>'
    ).format(number(value), said)


def qr(address: str) -> Markup:
    """Draw an address as an inline SVG QR code, dark on light whatever the theme."""
    return _drawn_qr(address, gettext("QR code"))


@lru_cache(maxsize=512)
def _drawn_qr(address: str, title: str) -> Markup:
    code = segno.make(address, error="m")
    return Markup(  # noqa: S704 - segno escapes the title
        code.svg_inline(
            scale=1, border=3, omitsize=True, svgclass="qr", lineclass=None, title=title
        )
    )
