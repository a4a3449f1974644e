"""Addresses of tournaments and champions."""

from django.urls import path

from . import views

app_name = "tournaments"
urlpatterns = [
    path("tournois/", views.tournaments, name="tournaments"),
    path("tournois/nouveau/", views.tournament_new, name="tournament_new"),
    path("tournois/<slug:slug>/", views.tournament, name="tournament"),
    path("tournois/<slug:slug>/calendrier.ics", views.calendar_file, name="calendar"),
    path("tournois/<slug:slug>/apercu.png", views.picture, name="picture"),
    path("tournois/<slug:slug>/tirages.json", views.lots_file, name="lots"),
    path("tournois/<slug:slug>/inscription/", views.entry, name="entry"),
    path("tournois/<slug:slug>/retrait/", views.withdrawal, name="withdrawal"),
    path("tournois/<slug:slug>/exclusion/<int:pk>/", views.exclusion, name="exclusion"),
    path("tournois/<slug:slug>/annulation/", views.cancellation, name="cancellation"),
    path("statistiques/", views.statistics, name="statistics"),
    path("duellistes/<int:pk>/statistiques/", views.statistics_of, name="statistics_of"),
    path("champions/cotes/", views.ratings, name="ratings"),
    path("champions/", views.champions, name="champions"),
]
