"""The catalogues: everything that the site says is said in French too, in full and well typeset."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.catalog import Catalog

ROOT = Path(__file__).parents[1]
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]")
NEVER_SHOWN = re.compile("socialaccount|openid|usersessions|headless|idp")
BADLY_SET = re.compile(r"\w'\w|\w [:;!?»]")
NAMES = "name|foe_name|player|names|duel|foe|seat"


@pytest.fixture(scope="session")
def tools() -> ModuleType:
    """The script that collects messages; Babel must find it by its name."""
    spec = importlib.util.spec_from_file_location("messages", ROOT / "scripts" / "messages.py")
    sys.modules["messages"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def said(tools) -> Catalog:
    """Every message of the code and the templates."""
    return tools.collected()


@pytest.fixture(scope="session")
def french(tools) -> Catalog:
    return catalogue_of(tools, "fr")


def catalogue_of(tools, folder):
    return tools.read(ROOT / "locale" / folder / "LC_MESSAGES" / "django.po")


def keys(catalog):
    return {(message.context, message.id) for message in catalog if message.id}


def forms(text):
    return text if isinstance(text, tuple | list) else (text,)


def translations(catalog):
    """Every message that is translated, with every form of its translation."""
    return [(message, form) for message in catalog if message.id for form in forms(message.string)]


def test_the_catalogue_holds_what_is_said_and_nothing_stale(said, french):
    assert len(keys(said)) > 500
    assert keys(french) ^ keys(said) == set(), "run `make messages`, then translate"
    assert not french.obsolete


def test_nothing_is_left_to_translate(french, tools):
    assert tools.untranslated(french) == []


def test_what_allauth_says_is_worded_anew_only_where_it_says_it(tools):
    (path,) = tools.borrowed()
    assert list(tools.faults_of_borrowed(path)) == []


def test_what_allauth_sets_badly_is_worded_anew(tools):
    """Straight apostrophes and plain spaces before high punctuation, in what it says of accounts and second factors."""
    (ours,) = tools.borrowed()
    worded = keys(tools.read(ours))
    theirs = tools.read(tools.ACCOUNTS / "fr" / "LC_MESSAGES" / "django.po")
    ours_too = [one for one in theirs if any(not NEVER_SHOWN.search(file) for file, _line in one.locations)]
    left = [one.id for one in ours_too if (one.context, one.id) not in worded and BADLY_SET.search(_shown(one))]
    assert left == []


def _shown(message):
    return "" if message.fuzzy else " ".join(forms(message.string))


@pytest.mark.parametrize("catalogue", ["fr", "accounts/fr"])
def test_translations_keep_the_placeholders(tools, catalogue):
    for message, form in translations(catalogue_of(tools, catalogue)):
        ids = forms(message.id)
        allowed = set(PLACEHOLDER.findall(" ".join(ids)))
        found = set(PLACEHOLDER.findall(form))
        assert found <= allowed, message.id
        if len(ids) == 1:
            assert found == allowed, message.id


def test_translations_keep_the_markup(french):
    for message, form in translations(french):
        assert sorted(re.findall(r"<[^>]+>", form)) == sorted(re.findall(r"<[^>]+>", forms(message.id)[0])), message.id


@pytest.mark.parametrize("catalogue", ["fr", "accounts/fr"])
def test_french_is_well_typeset(tools, catalogue):
    """No-break spaces before high punctuation and inside quotation marks, typographic apostrophes."""
    for message, form in translations(catalogue_of(tools, catalogue)):
        text = re.sub(r"<[^>]+>", "", form)
        assert not re.search(r"(?<!\u00a0)[;!?»]|[^\u00a0\d]:(?!\d)|«(?!\u00a0)|\w'\w|\.\.\.|\"", text), message.id


def test_french_never_needs_to_elide_before_a_name(french):
    """A name may begin with a vowel: « de Ana » must not come about; `names.of` makes the genitive."""
    for message, form in translations(french):
        assert not re.search(rf"\b(de|que|le|la|du pantin) %\(({NAMES})\)s", form), message.id


@pytest.mark.parametrize(
    "wrong",
    [
        r"\b(une|dernière|première|prochaine) estoc\b",
        r"\bestocs? (furtive )?(\w*ée|prête)s?\b",
        r"\b(posts?|poste[rz]?|postent|posté)\b",
        r"\bMarkdown fonctionne\b",
        r"\bduels? d’arène\b",
        r"\b(vainqueur|gagnant|perdant|remplaçant)s?\b",
        r"(%\(\w+\)s est|\bêtes( \w+)?) inscrit\b",
    ],
)
def test_french_keeps_to_the_glossary_and_agrees_with_nobody_in_particular(french, wrong):
    """« Estoc » is masculine, the rules say « duel de pantins », and who wins or registers may be anybody."""
    help_pages = [page.read_text() for page in (ROOT / "templates").glob("**/help/fr/*.html")]
    texts = [form for _message, form in translations(french)] + help_pages
    assert len(help_pages) > 5
    assert [found[0] for text in texts if (found := re.search(wrong, text, re.IGNORECASE))] == []
