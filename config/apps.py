from django.apps import AppConfig
from django.core import checks


class SiteConfig(AppConfig):
    name = "config"
    label = "site_config"

    def ready(self) -> None:
        from config import security_log
        from config.demo import warn_of_demo

        checks.register(warn_of_demo, checks.Tags.security, deploy=True)
        security_log.start()
