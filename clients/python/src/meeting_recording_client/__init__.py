"""The Python client of the Meeting Recording Service."""

from . import error_classes
from .client import Client
from .error_classes import *
from .errors import ApiError, InvalidReplyError, RecordingFailedError, WebhookVerificationError
from .uploads import BegunUpload
from .webhooks import verify_webhook

__all__ = [
    "ApiError",
    "BegunUpload",
    "Client",
    "InvalidReplyError",
    "RecordingFailedError",
    "WebhookVerificationError",
    "verify_webhook",
]
__all__ += error_classes.__all__
