"""The catalogues of messages: collect them from the code and templates, compile them, check them.

Babel does all of it, so that no gettext need be installed. English needs no catalogue: the messages are English.

    python scripts/messages.py collect | compile | check
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import allauth
import django
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
ACCOUNTS = Path(allauth.__file__).parent / "locale"
SOURCES = ("config", "duels", "notices", "referee", "templates", "tournaments")
METHODS = [("**/migrations/**", "ignore"), ("**.py", "python"), ("**.html", f"{__name__}:extract_template"),
           ("**.txt", f"{__name__}:extract_template")]  # fmt: skip
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
COMMENTS = ("Translators:",)


def extract_template(
    fileobj: BinaryIO, keywords: dict[str, object], comment_tags: list[str], options: dict[str, object]
) -> Iterator[tuple[int, str, object, list[str]]]:
    """Babel's extraction method for Django templates: Django turns one into Python, line for line."""
    python = templatize(fileobj.read().decode())
    # What stood around the messages is blanked out; its indentation would be read as Python's.
    flush_left = "\n".join(line.lstrip() for line in python.splitlines())
    return extract_python(io.BytesIO(flush_left.encode()), keywords, comment_tags, options)


def collected() -> Catalog:
    """Return a catalogue of every message in the code and the templates."""
    catalog = Catalog(project="duels", charset="utf-8")
    for source in SOURCES:
        found = extract_from_dir(ROOT / source, METHODS, keywords=KEYWORDS, comment_tags=COMMENTS)
        for filename, _line, message, comments, context in found:
            catalog.add(message, None, [(f"{source}/{filename}", None)], auto_comments=comments, context=context)
    return catalog


def catalogues() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def borrowed() -> list[Path]:
    """The catalogues that word anew what a package says (allauth): nothing is collected for them."""
    return sorted((LOCALE / "accounts").glob("*/LC_MESSAGES/django.po"))


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def collect() -> None:
    """Bring every catalogue up to date; what is no longer said anywhere goes."""
    template = collected()
    for path in catalogues():
        catalog = read(path)
        catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
        catalog.project, catalog.version = "duels", ""
        catalog.msgid_bugs_address = catalog.last_translator = catalog.language_team = ""
        with path.open("wb") as file:
            write_po(file, catalog, width=110, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
        print(f"{path.relative_to(ROOT)}: {len(catalog)} messages, {len(untranslated(catalog))} to translate")


def compile_catalogues() -> None:
    """Write the .mo files that Django reads, where the .po is newer."""
    for path in [*catalogues(), *borrowed()]:
        target = path.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= path.stat().st_mtime:
            continue
        with target.open("wb") as file:
            write_mo(file, read(path))


def untranslated(catalog: Catalog) -> list[str]:
    """Return the messages of a catalogue that have no translation, or one to be looked over."""
    said = (message for message in catalog if message.id)
    return [str(message.id) for message in said if not _complete(message.string) or message.fuzzy]


def _complete(string: str | tuple[str, ...]) -> bool:
    return all(string) if isinstance(string, tuple) else bool(string)


def faults(path: Path, template: Catalog) -> Iterator[str]:
    """Yield what is wrong with a catalogue: messages missing, untranslated, or with other placeholders."""
    catalog = read(path)
    for message in template:
        if message.id and catalog.get(message.id, message.context) is None:
            yield f"not collected: {message.id!r} (run `make messages`)"
    yield from (f"not translated: {message!r}" for message in untranslated(catalog))
    for message, errors in catalog.check():
        yield from (f"{message.id!r}: {error}" for error in errors)


def faults_of_borrowed(path: Path) -> Iterator[str]:
    """Yield what is wrong with the wording of a package's messages: those it no longer says, faulty ones."""
    catalog, theirs = read(path), read(ACCOUNTS / path.relative_to(LOCALE / "accounts"))
    said = {(message.context, message.id) for message in theirs}
    yield from (f"not said by allauth: {one.id!r}" for one in catalog if one.id and (one.context, one.id) not in said)
    yield from (f"not translated: {message!r}" for message in untranslated(catalog))
    for message, errors in catalog.check():
        yield from (f"{message.id!r}: {error}" for error in errors)


def check() -> None:
    """Fail if any catalogue lacks a message or has a faulty one."""
    template = collected()
    found = [f"{path.relative_to(ROOT)}: {fault}" for path in catalogues() for fault in faults(path, template)]
    found += [f"{path.relative_to(ROOT)}: {fault}" for path in borrowed() for fault in faults_of_borrowed(path)]
    print("\n".join(found) or f"{len(template)} messages, all translated")
    if found:
        raise SystemExit(1)


def main(verb: str) -> None:
    """Do one of collect, compile, check."""
    settings.configure()
    django.setup()
    {"collect": collect, "compile": compile_catalogues, "check": check}[verb]()


if __name__ == "__main__":
    main(sys.argv[1])
