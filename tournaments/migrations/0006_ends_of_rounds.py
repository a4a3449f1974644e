"""When each round ends, stored: what silences of the clock took moves it. Rounds that have opened end as announced."""

import datetime as dt

from django.db import migrations, models


def as_announced(apps, schema_editor):
    running = apps.get_model("tournaments", "Tournament").objects.using(schema_editor.connection.alias)
    for tournament in running.filter(round__gt=0):
        lasts = dt.timedelta(days=tournament.round_days)
        opened = range(1, tournament.round + 1)
        tournament.ends = [(tournament.starts_at + number * lasts).isoformat() for number in opened]
        tournament.heard_until = dt.datetime.now(dt.UTC)
        tournament.save(update_fields=["ends", "heard_until"])


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_tallies"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="ends",
            field=models.JSONField(
                blank=True, default=list, help_text="of each round that has opened so far", verbose_name="ends of the rounds"
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="heard_until",
            field=models.DateTimeField(
                blank=True, help_text="silences of the clock up to here are made good", null=True,
                verbose_name="silences heard until",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="revised_at",
            field=models.DateTimeField(
                blank=True, help_text="when its hours changed last", null=True, verbose_name="calendar changed on"
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="how",
            field=models.CharField(
                blank=True,
                choices=[
                    ("duel", "by the duel"), ("wall", "at the end of the round"), ("absence", "by absence"),
                    ("lot", "by lot"), ("walkover", "walkover"), ("bye", "bye"),
                ],
                max_length=8, verbose_name="decided how",
            ),
        ),
        migrations.RunPython(as_announced, migrations.RunPython.noop),
    ]
