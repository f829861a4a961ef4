"""A default in the database: an older release, which still serves meanwhile, leaves it out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_owed_fingers"),
    ]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="owed_ms",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    ]
