from django.db import migrations, models


def note_until_when(apps, schema_editor):
    """Until now it was worked out from the deadline as it stood."""
    for phase in apps.get_model("duels", "Phase").objects.exclude(sealed_for={}).iterator():
        began = phase.opened_at + phase.stopped_for
        phase.sealed_until = began + (phase.due_at - began) * phase.sealed_share
        phase.save(update_fields=["sealed_until"])


class Migration(migrations.Migration):

    dependencies = [
        ('duels', '0020_given_back'),
    ]

    operations = [
        migrations.AddField(
            model_name='phase',
            name='sealed_until',
            field=models.DateTimeField(help_text='until when others wait for a sealed post (B7.1)', null=True),
        ),
        migrations.RunPython(note_until_when, migrations.RunPython.noop),
    ]
