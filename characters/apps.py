from django.apps import AppConfig


class CharactersConfig(AppConfig):
    name = "characters"

    def ready(self) -> None:
        # Deeds register themselves with the one way in when they are imported.
        import characters.deeds  # noqa: F401
