from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CampaignsConfig(AppConfig):
    name = "campaigns"
    verbose_name = _("In a Wicked Age: campaigns")

    def ready(self) -> None:
        # Deeds register themselves with the one way in when they are imported, sentences with
        # the log; the stage lets tables turn to In a Wicked Age.
        import campaigns.deeds  # noqa: F401
        from campaigns.keeping import register_keeping
        from campaigns.sentences import ALL, LONG
        from campaigns.services.in_front import check_in_front
        from campaigns.services.members import follow_host
        from campaigns.stage import register_stage
        from games import sentences, stage

        register_stage()
        register_keeping()
        stage.GOING_BACK.append(check_in_front)
        stage.HOST_HANDED.append(follow_host)
        for tellings in ALL:
            sentences.add_tellings(tellings)
        sentences.LONG.update(LONG)
