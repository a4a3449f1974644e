"""People for the tests."""

import datetime as dt

import factory
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from factory.django import DjangoModelFactory

from duels.models import Duellist
from duels.people import REFEREES


class UserFactory(DjangoModelFactory):
    class Meta:
        model = get_user_model()
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"user{n}")
    email = factory.LazyAttribute(lambda user: f"{user.username}@example.org")
    password = factory.django.Password("correct horse battery")


class RefereeFactory(UserFactory):
    username = factory.Sequence(lambda n: f"referee{n}")

    @factory.post_generation
    def in_the_group(self, create, extracted, **kwargs):
        self.groups.add(Group.objects.get_or_create(name=REFEREES)[0])


class StaffFactory(UserFactory):
    username = factory.Sequence(lambda n: f"staff{n}")
    is_staff = True
    is_superuser = True


class DuellistFactory(DjangoModelFactory):
    """An adult of 25 or so; a student with `year`."""

    class Meta:
        model = Duellist

    user = factory.SubFactory(UserFactory)
    name = factory.Sequence(lambda n: f"Duelliste {n}")
    birth_date = factory.LazyFunction(lambda: dt.date.today() - dt.timedelta(days=25 * 366))
    year = None
    wand_hand = "right"
