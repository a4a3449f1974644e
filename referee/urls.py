"""The referees' addresses, under /arbitrage/."""

from django.urls import URLPattern, URLResolver, path, register_converter

from . import annotations, appeals, candidacies, corrections, desk, hand_overs, people, publishing, time_outs, views


class PhaseName:
    """A phase of a turn that has several: action or defence."""

    regex = "action|defence"

    def to_python(self, said: str) -> str:
        return said

    def to_url(self, name: str) -> str:
        return name


register_converter(PhaseName, "phase")

app_name = "referee"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", desk.queue, name="queue"),
    path("arbitres/", people.referees, name="referees"),
    path("disponibilite/", people.availability, name="availability"),
    path("candidature/", candidacies.apply, name="apply"),
    path("candidatures/", candidacies.candidacies, name="candidacies"),
    path("candidatures/<int:pk>/", candidacies.candidacy, name="candidacy"),
    path("<int:duel_id>/confier/", hand_overs.hand_over, name="hand_over"),
    path("<int:duel_id>/accepter/", hand_overs.answer_hand_over, name="answer_hand_over"),
    path("<int:duel_id>/prendre/", desk.take, name="take"),
    path("<int:duel_id>/reprendre/", desk.take_over, name="take_over"),
    path("<int:duel_id>/temps-mort/", time_outs.time_out, name="time_out"),
    path("<int:duel_id>/annoter/", annotations.annotate, name="annotate"),
    path("<int:duel_id>/recours/", appeals.appeal, name="appeal"),
    path("<int:duel_id>/corriger/", corrections.published, name="published"),
    path("<int:duel_id>/<int:turn>/corriger/", corrections.correct, name="correct"),
    path("<int:duel_id>/<int:turn>/<phase:name>/corriger/", corrections.correct, name="correct"),
    path("<int:duel_id>/<int:turn>/", views.review, name="review"),
    path("<int:duel_id>/<int:turn>/<phase:name>/", views.review, name="review"),
    path("<int:duel_id>/<int:turn>/<phase:name>/amender/", views.amend, name="amend"),
    path("<int:duel_id>/<int:turn>/<phase:name>/publier/", publishing.publish, name="publish"),
    path("<int:duel_id>/<int:turn>/amender/", views.amend, name="amend"),
    path("<int:duel_id>/<int:turn>/publier/", publishing.publish, name="publish"),
]
