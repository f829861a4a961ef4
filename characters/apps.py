from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class CharactersConfig(AppConfig):
    name = "characters"
    verbose_name = _("Knave: the book, sheets and fights")

    def ready(self) -> None:
        # Deeds register themselves with the one way in when they are imported, sentences with
        # the log; the stage lets tables turn to Knave.
        import characters.deeds  # noqa: F401
        from characters.chronicle import hides_figures, tell_fight
        from characters.sentences import ALL
        from characters.services import book, players
        from characters.stage import register_stage
        from games import sentences, stage
        from games.rules import knave_fight

        register_stage()
        for tellings in ALL:
            sentences.add_tellings(tellings)
        stage.CHRONICLERS[knave_fight.NAME] = tell_fight
        stage.HOLDS_BACK[knave_fight.NAME] = hides_figures
        stage.GUILD_NAMES.append(players.guild_name)
        stage.BOUT_OVER.append(players.tell_bout)
        stage.SEAT_GONE.append(players.free_knaves)
        post_migrate.connect(book.load_after_migrate, sender=self)
