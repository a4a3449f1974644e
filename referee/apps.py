from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RefereeConfig(AppConfig):
    name = "referee"
    verbose_name = _("Referees' desk")

    def ready(self) -> None:
        from duels import append_only

        from .models import Candidacy, HandOver

        append_only.answered_once("referee_handover", "answer", "answered_at", erasable=HandOver.WORDS)
        append_only.answered_once(
            "referee_candidacy", "answer", "answered_at", "answered_by_id", "reason", erasable=Candidacy.WORDS
        )
