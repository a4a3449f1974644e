"""Addresses of the notices and settings."""

from django.urls import path

from . import views

app_name = "notices"
urlpatterns = [
    path("avis/", views.notices, name="notices"),
    path("avis/<int:pk>/", views.notice, name="notice"),
    path("avis/tout-lu/", views.all_read, name="all_read"),
    path("avis/arret/<str:token>/", views.stop, name="stop"),
    path("reglages/", views.preference, name="settings"),
    path("reglages/liens/", views.revoke, name="revoke"),
]
