"""Defaults in the database: an older release, which still serves meanwhile, leaves them out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("characters", "0002_archers"),
    ]

    operations = [
        migrations.AlterField(
            model_name="character",
            name="natural_is_ranged",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="hirelingkind",
            name="is_ranged",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
