from django.apps import AppConfig
from django.db.models.signals import pre_migrate


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        # Deeds register themselves with the one way in when they are imported.
        import games.deeds
        import games.screens.pages  # noqa: F401 - puts Brave or Knave on the list of games, first
        from games.keeping import release

        pre_migrate.connect(release.before_migrating, sender=self)
