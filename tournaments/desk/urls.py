"""Addresses of the registration desk."""

from django.urls import path

from . import views

app_name = "desk"
urlpatterns = [
    path("", views.desk, name="desk"),
    path("nouvelle/", views.register, name="register"),
    path("<int:pk>/retrait/", views.withdrawal, name="withdrawal"),
]
