"""How much may be sent at once."""

from __future__ import annotations

from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler


class BoundedUploadHandler(FileUploadHandler):
    """Refuse what is far heavier than any form takes before it is read; each form refuses what is too heavy for it."""

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: dict[str, str],  # noqa: N803  # Django's name
        content_length: int,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        if content_length > settings.HEAVIEST_REQUEST:
            raise RequestDataTooBig(f"{content_length} bytes were sent.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> UploadedFile | None:
        return None
