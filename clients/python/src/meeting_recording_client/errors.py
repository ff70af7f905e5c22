"""What calls raise; besides these, Python's own `ConnectionError` and `TimeoutError` where there is no reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .schema import RecordingDetail


class ApiError(Exception):
    """The service answered with an error. Each code has a class of its own; a code newer than this client has this one."""

    def __init__(
        self,
        message: str,
        status: int,
        code: str,
        request_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        # All of them, so that it can be pickled.
        super().__init__(message, status, code, request_id, retry_after)
        #: For people.
        self.message = message
        #: HTTP status of the reply.
        self.status = status
        #: For programs, such as `RECORDING_LOCKED`.
        self.code = code
        #: Identifies the request in the log of the service; None if the reply has none.
        self.request_id = request_id
        #: Seconds after which to try again; None if the reply does not say.
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.message


class InvalidReplyError(ApiError):
    """The reply is not one of the service: an error page of a proxy, a redirect, broken JSON. Its code is `INVALID_REPLY`."""


class RecordingFailedError(Exception):
    """What was waited for will not come. The message says why."""

    def __init__(self, recording: RecordingDetail, reason: str) -> None:
        super().__init__(recording, reason)
        self.recording = recording
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class WebhookVerificationError(Exception):
    """The request was not sent by the service, was altered, or is too old."""
