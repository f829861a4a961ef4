from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        # Deeds register themselves with the one way in when they are imported.
        import games.deeds
        import games.screens.pages  # noqa: F401 - puts Brave or Knave on the list of games, first
