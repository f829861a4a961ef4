"""Who shoots: a trade's figure, and a sheet's. Archers who are in service already shoot as well."""

from django.db import migrations, models


def arm_archers(apps, schema_editor):
    characters = apps.get_model("characters", "Character").objects
    characters.filter(trade__key="archer").update(natural_is_ranged=True)


class Migration(migrations.Migration):

    dependencies = [
        ("characters", "0001_knave"),
    ]

    operations = [
        migrations.AddField(
            model_name="character",
            name="natural_is_ranged",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="hirelingkind",
            name="is_ranged",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(arm_archers, migrations.RunPython.noop),
    ]
