from django.apps import AppConfig
from django.db.models.signals import pre_migrate
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Tables and their seats")

    def ready(self) -> None:
        # Deeds register themselves with the one way in when they are imported.
        import games.deeds
        import games.screens.pages  # noqa: F401 - puts Brave or Knave on the list of games, first
        from games.keeping import release

        pre_migrate.connect(release.before_migrating, sender=self)
