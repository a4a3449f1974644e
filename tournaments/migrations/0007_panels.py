"""The duels of tournaments under way stay among the referees of their lists, as those made from now on."""

from django.db import migrations


def as_listed(apps, schema_editor):
    matches = apps.get_model("tournaments", "Match").objects.using(schema_editor.connection.alias)
    under_way = matches.filter(duel__status__in=("announced", "running")).select_related("duel", "tournament")
    for match in under_way:
        match.duel.panel.set(match.tournament.referees.all())


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0014_panels"),
        ("tournaments", "0006_ends_of_rounds"),
    ]

    operations = [migrations.RunPython(as_listed, migrations.RunPython.noop)]
