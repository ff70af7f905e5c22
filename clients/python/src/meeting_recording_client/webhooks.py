"""Verifies the requests of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, cast

from .errors import WebhookVerificationError

if TYPE_CHECKING:
    from .schema import Event


class Headers(Protocol):
    """Headers of a request, as frameworks and `http.server` have them."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Their names, in whatever case, and values."""
        ...


def verify_webhook(body: str | bytes, headers: Headers, secret: str, *, tolerance: float = 300) -> Event:
    """The event in a request of a webhook, if the service has signed it with this secret.

    Else it raises a `WebhookVerificationError`. `body` is what was received, byte for byte, not parsed. `tolerance`: seconds by which the
    clocks may differ, and for which a request can be repeated by somebody else. An event may arrive twice: its `id` is the same.
    """
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The request is too old, or not from a webhook")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{given.get('webhook-id', '')}.{timestamp}.".encode() + content
    own = b"v1," + base64.b64encode(hmac.new(_key_of(secret), signed, hashlib.sha256).digest())
    # While a secret is being replaced, there is a signature with each.
    signatures = given.get("webhook-signature", "").encode().split()
    if not any(hmac.compare_digest(one, own) for one in signatures):
        raise WebhookVerificationError("The signature is not of this body and secret")
    return cast("Event", json.loads(content))


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("The secret of a webhook begins with whsec_")
    return key
