"""The group whose members are referees."""

from django.db import migrations

REFEREES = "referees"


def name_the_group(apps, schema_editor):
    apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias).get_or_create(name=REFEREES)


class Migration(migrations.Migration):
    dependencies = [("auth", "0012_alter_user_first_name_max_length")]
    operations = [migrations.RunPython(name_the_group, migrations.RunPython.noop)]
