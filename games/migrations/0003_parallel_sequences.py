from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0002_stage'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='game',
            name='one_game_of_a_kind_on_the_table',
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ['gathering', 'playing']), models.Q(('rules', 'wicked_sequence'), _negated=True)), fields=('table', 'rules'), name='one_game_of_a_kind_on_the_table'),
        ),
    ]
