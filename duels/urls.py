"""Addresses of the duels; each module of views names its own."""

from .views import (
    appeals,
    challenges,
    copying,
    disclosures,
    duellists,
    help,
    playing,
    purse,
    reading,
    scenes,
    time_outs,
    verification,
)

app_name = "duels"
urlpatterns = [
    *reading.urlpatterns,
    *copying.urlpatterns,
    *challenges.urlpatterns,
    *playing.urlpatterns,
    *time_outs.urlpatterns,
    *appeals.urlpatterns,
    *disclosures.urlpatterns,
    *duellists.urlpatterns,
    *purse.urlpatterns,
    *scenes.urlpatterns,
    *help.urlpatterns,
    *verification.urlpatterns,
]
