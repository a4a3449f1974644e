"""The spell book: shipped as version 1, replaced by staff, each fault of a bad one on its line."""

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError
from django.urls import reverse

from duels.actions import books
from duels.actions.books import store_starter, upload_book
from duels.errors import BadBook, NotAllowed
from duels.models import SpellBook
from duels.queries.books import current_book
from rules.spells.book import STARTER, starter
from tests import spells_play as play
from tests.duels.readers import as_user
from tests.factories import StaffFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
ONE = """
version = 7
[types]
fire = { fr = "Feu", en = "Fire" }
[[spell]]
code = "flammula"
level = 1
range = 5
type = "fire"
effects = [{ do = "fatigue", points = 3 }]
descriptions.fr = "Une flammèche."
"""


def test_a_database_has_the_book_that_is_shipped_from_its_first_migration_on():
    book = current_book()
    assert (book.number, book.uploaded_by) == (1, None)
    assert len(book.spells) == len(starter().spells)
    assert book.source == STARTER.read_text()
    assert set(book.types) == set(starter().types)
    assert store_starter() is None


def test_staff_upload_the_next_version_and_running_duels_keep_theirs():
    duel = play.running()
    book = upload_book(user=StaffFactory(), raw=ONE.encode())
    assert book.number == 2
    assert current_book().spell("flammula")["descriptions"] == {"fr": "Une flammèche."}
    duel.refresh_from_db()
    assert duel.book.number == 1
    with pytest.raises(LookupError):
        current_book().spell("protego")


def test_each_fault_of_a_book_has_a_line_and_nothing_is_stored():
    bad = ONE.replace("level = 1", "level = 9").replace('do = "fatigue"', 'do = "tickle"') + '[[spell]]\ncode = "x"\n'
    with pytest.raises(BadBook) as refused:
        upload_book(user=StaffFactory(), raw=bad.encode())
    faults = refused.value.faults
    assert any(fault.startswith("flammula: level") for fault in faults)
    assert any(fault.startswith("flammula: effects 1") for fault in faults)
    assert any(fault.startswith("x: type: missing") for fault in faults)
    assert current_book().number == 1


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"= 3", b"#" * 500_001])
def test_what_is_no_book_is_refused(raw):
    with pytest.raises(BadBook) as refused:
        upload_book(user=StaffFactory(), raw=raw)
    assert refused.value.faults


def test_only_staff_who_may():
    with pytest.raises(NotAllowed):
        upload_book(user=UserFactory(), raw=ONE.encode())
    clerk = StaffFactory(is_superuser=False)
    with pytest.raises(NotAllowed):
        upload_book(user=clerk, raw=ONE.encode())
    clerk.user_permissions.add(Permission.objects.get(codename="add_spellbook"))
    assert upload_book(user=type(clerk).objects.get(pk=clerk.pk), raw=ONE.encode()).number == 2


def test_a_version_is_never_changed():
    with pytest.raises(DatabaseError, match="append-only"):
        SpellBook.objects.update(number=3)


class TestAdmin:
    @staticmethod
    def upload(client, raw):
        file = SimpleUploadedFile("livre.toml", raw, content_type="application/toml")
        return client.post(reverse("admin:duels_spellbook_add"), {"file": file})

    def test_staff_upload_a_file(self):
        client = as_user(StaffFactory())
        assert client.get(reverse("admin:duels_spellbook_add")).status_code == 200
        assert self.upload(client, ONE.encode()).status_code == 302
        assert current_book().number == 2
        assert client.get(reverse("admin:duels_spellbook_change", args=[current_book().pk])).status_code == 200

    def test_a_file_sent_twice_is_one_version(self):
        client = as_user(StaffFactory())
        self.upload(client, ONE.encode())
        again = self.upload(client, ONE.encode())
        assert (again.status_code, again.context["adminform"].form.errors.keys()) == (200, {"file"})
        assert SpellBook.objects.count() == 2

    def test_each_fault_is_shown_and_nothing_stored(self):
        answer = self.upload(as_user(StaffFactory()), ONE.replace("level = 1", "level = 9").encode())
        assert answer.status_code == 200
        assert "flammula: level" in answer.content.decode()
        assert SpellBook.objects.count() == 1

    def test_who_comes_second_is_told_to_look_at_what_came_first(self, monkeypatch):
        store = books._store

        def overtaken(*read, **terms):
            store(*read, **terms)
            return store(*read, **terms)

        monkeypatch.setattr(books, "_store", overtaken)
        client = as_user(StaffFactory())
        refused = self.upload(client, ONE.encode())
        assert (refused.status_code, refused.url) == (302, reverse("admin:duels_spellbook_add"))
        assert "Quelqu’un d’autre vient de déposer une autre version" in client.get(refused.url).text
        assert SpellBook.objects.count() == 1

    def test_staff_without_that_right_upload_nothing(self):
        clerk = StaffFactory(is_superuser=False)
        clerk.user_permissions.add(Permission.objects.get(codename="view_spellbook"))
        assert self.upload(as_user(clerk), ONE.encode()).status_code == 403
        assert SpellBook.objects.count() == 1
