"""The site's addresses, and one bare page that asks nothing but what the frame of every page asks."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone

from config.urls import urlpatterns as site


def bare(request: HttpRequest) -> HttpResponse:
    return render(request, "base.html")


def zone(request: HttpRequest) -> HttpResponse:
    return HttpResponse(timezone.get_current_timezone_name())


def broken(request: HttpRequest) -> HttpResponse:
    declaration = "secret-of-a-declaration"
    raise RuntimeError(f"something broke after {len(declaration)} letters")


urlpatterns = [path("bare/", bare), path("zone/", zone), path("broken/", broken), *site]
