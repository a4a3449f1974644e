"""Error reports that never show what somebody filed, and the hours of the log."""

import logging
import time
from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter


class LineFormatter(logging.Formatter):
    """Hours in UTC, whatever zone the site is in: an hour of autumn does not come twice."""

    converter = staticmethod(time.gmtime)


class DiscreetReporterFilter(SafeExceptionReporterFilter):
    """On a public site, replace every posted value and every local variable in a report by stars.

    Declarations, seeds and nonces pass through many functions; masking all is the only list that forgets none.
    """

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        if request is None or not self.is_active(request):
            return super().get_post_parameters(request)
        return dict.fromkeys(request.POST, self.cleansed_substitute)

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> ItemsView[str, Any]:
        if not self.is_active(request):
            return super().get_traceback_frame_variables(request, tb_frame)
        return dict.fromkeys(tb_frame.f_locals, self.cleansed_substitute).items()


class WithoutRefusals(logging.Filter):
    """Log a refusal (403) as one line: it is an answer, and a traceback of it tells nobody anything."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], PermissionDenied):
            record.exc_info = None
        return True
