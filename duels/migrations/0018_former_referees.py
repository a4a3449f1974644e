from collections import defaultdict

from django.conf import settings
from django.db import migrations, models


def find_those_before(apps, _schema_editor):
    """Who refereed a duel before is told by what they ruled and published, and by whom its change of hands concerned;
    of these, some may have no account any more."""
    Duel = apps.get_model("duels", "Duel")
    Entry = apps.get_model("duels", "Entry")
    Happening = apps.get_model("duels", "Happening")
    accounts = set(apps.get_model(settings.AUTH_USER_MODEL).objects.values_list("pk", flat=True))
    found = defaultdict(set)
    ruled = Entry.objects.filter(kind__in=("ruling", "publication"), by__isnull=False)
    for duel, user in ruled.order_by().values_list("duel", "by").distinct():
        found[duel].add(user)
    for duel, concerns in Happening.objects.filter(what="taken_over").values_list("duel", "concerns"):
        found[duel].update(concerns)
    rows = []
    through = Duel.former_referees.through
    for duel in Duel.objects.only("cast", "referee").iterator():
        players = {player["user"] for player in duel.cast.values()}
        former = (found.get(duel.pk, set()) & accounts) - players - {duel.referee_id}
        rows += [through(duel_id=duel.pk, user_id=user) for user in sorted(former)]
    through._default_manager.bulk_create(rows, batch_size=500)


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0017_officials"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="duel",
            name="former_referees",
            field=models.ManyToManyField(
                blank=True,
                help_text="before it changed hands",
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(find_those_before, migrations.RunPython.noop),
    ]
