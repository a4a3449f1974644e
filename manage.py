#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            "Django is not installed in this Python. Run `make setup`, then use .venv/bin/python manage.py ..."
        ) from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
