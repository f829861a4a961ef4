from django.apps import AppConfig


class CharactersConfig(AppConfig):
    name = "characters"

    def ready(self) -> None:
        # Deeds register themselves with the one way in when they are imported, sentences with
        # the log; the stage lets tables turn to Knave.
        import characters.deeds  # noqa: F401
        from characters.stage import register_stage

        register_stage()
