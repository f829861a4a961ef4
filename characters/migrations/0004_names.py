from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('characters', '0003_older_releases_write'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='article',
            options={'ordering': ['kind', 'cost', 'name'], 'verbose_name': 'article', 'verbose_name_plural': 'articles'},
        ),
        migrations.AlterModelOptions(
            name='call',
            options={'ordering': ['-id'], 'verbose_name': 'call for a roll', 'verbose_name_plural': 'calls for rolls'},
        ),
        migrations.AlterModelOptions(
            name='character',
            options={'ordering': ['id'], 'verbose_name': 'sheet', 'verbose_name_plural': 'sheets'},
        ),
        migrations.AlterModelOptions(
            name='encounter',
            options={'ordering': ['-id'], 'verbose_name': 'encounter', 'verbose_name_plural': 'encounters'},
        ),
        migrations.AlterModelOptions(
            name='goal',
            options={'ordering': ['id'], 'verbose_name': 'goal', 'verbose_name_plural': 'goals'},
        ),
        migrations.AlterModelOptions(
            name='hirelingkind',
            options={'ordering': ['wage', 'name'], 'verbose_name': 'kind of hireling', 'verbose_name_plural': 'kinds of hirelings'},
        ),
        migrations.AlterModelOptions(
            name='item',
            options={'ordering': ['position', 'id'], 'verbose_name': 'item on a sheet', 'verbose_name_plural': 'items on sheets'},
        ),
        migrations.AlterModelOptions(
            name='monster',
            options={'ordering': ['level', 'name'], 'verbose_name': 'monster', 'verbose_name_plural': 'monsters'},
        ),
        migrations.AlterModelOptions(
            name='pile',
            options={'ordering': ['-id'], 'verbose_name': 'pile of loot', 'verbose_name_plural': 'piles of loot'},
        ),
        migrations.AlterModelOptions(
            name='spell',
            options={'ordering': ['number'], 'verbose_name': 'spell', 'verbose_name_plural': 'spells'},
        ),
        migrations.AlterModelOptions(
            name='tablerow',
            options={'ordering': ['table', 'low'], 'verbose_name': 'row of a table', 'verbose_name_plural': 'rows of tables'},
        ),
    ]
