"""What the sweeps do where something is wrong with one row: the others go on, and it is set aside after three times."""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import F, QuerySet

logger = logging.getLogger(__name__)

CUT_OFF = (InterfaceError, OperationalError)  # which is no fault of any row's


def count_failure(row: QuerySet[Any], error: BaseException | None) -> None:
    """Count a sweep that failed on a row; a connection that was cut off is only closed: the next look makes another."""
    if isinstance(error, CUT_OFF):
        connection.close()
        return
    try:
        row.update(failures=F("failures") + 1)
    except DatabaseError:
        logger.exception("sweep: a %s could not be set aside", row.model._meta.model_name)
