"""All addresses of the site. Public ones are French, short, and never change."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.conf.urls.static import static
from django.contrib import admin
from django.templatetags.static import static as address_of
from django.urls import URLPattern, URLResolver, include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView

from config.state import state
from notices.views import language

# The admin has no door of its own: one signs in as everywhere, second factor included.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = settings.SITE_NAME

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("duels.urls")),
    path("arbitrage/", include("referee.urls")),
    path("compte/", include("allauth.urls")),
    path("", include("notices.urls")),
    path("", include("tournaments.urls")),
    path("inscriptions/", include("tournaments.desk.urls")),
    path("langue/setlang/", language, name="set_language"),
    path("etat/", state, name="state"),
    path("admin/", admin.site.urls),
    path("favicon.ico", RedirectView.as_view(url=lazy(address_of, str)("img/favicon.ico"))),
]

if settings.DEBUG:
    urlpatterns += static(settings.MEDIA_URL, document_root=settings.MEDIA_ROOT)
