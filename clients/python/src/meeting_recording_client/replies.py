"""Reads replies."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from http.client import HTTPMessage, HTTPResponse
from typing import Any

from .error_classes import CLASSES
from .errors import ApiError, InvalidReplyError
from .retries import read_retry_after

# Media types of replies that a caller can deal with.
JSON = re.compile(r"application/json\b")
TEXT = re.compile(r"text/(?!html|event-stream)|application/(json\b|x-)")
JSON_OR_TEXT = re.compile(f"{JSON.pattern}|{TEXT.pattern}")
STREAM = re.compile(r"text/event-stream\b")


@dataclass(frozen=True)
class Reply:
    """A successful reply. `data` is what its JSON contains, or its text; None if there is nothing."""

    status: int
    headers: HTTPMessage
    data: Any


def reply_of(response: HTTPResponse, accepts: re.Pattern[str] | None) -> Reply:
    """Reads a reply of these media types; None: of any, unread."""
    check(response, accepts)
    if accepts is None or response.status == 204:
        return Reply(response.status, response.headers, None)
    content = response.read()
    is_json = accepts is not TEXT and JSON.match(_type(response))
    return Reply(response.status, response.headers, _parsed(response, content) if is_json else content.decode())


def check(response: HTTPResponse, accepts: re.Pattern[str] | None) -> None:
    """Raises the error that the reply is. What is not of the service is not read: it may be large."""
    is_ok = 200 <= response.status < 300
    if is_ok and (accepts is None or response.status == 204):
        return
    if not (accepts if is_ok and accepts else JSON).match(_type(response)):
        raise _invalid(response, _strange(response))
    if not is_ok:
        raise _error_of(response)


def _error_of(response: HTTPResponse) -> ApiError:
    """The error of the class that belongs to its code."""
    body = _parsed(response, response.read())
    error = body.get("error") if isinstance(body, dict) else None
    code, message = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, None)
    if not isinstance(code, str) or not isinstance(message, str):
        return _invalid(response, f"HTTP {response.status}")
    headers = response.headers
    retry_after = read_retry_after(headers["Retry-After"])
    return CLASSES.get(code, ApiError)(message, response.status, code, headers["X-Request-Id"], retry_after)


def _strange(response: HTTPResponse) -> str:
    status, media_type = response.status, _type(response)
    if 300 <= status < 400:
        return "The service redirects to another URL: check base_url"
    if status < 300 and TEXT.match(media_type):
        return f"The reply is {media_type}: text() reads it"
    if status < 300 and STREAM.match(media_type):
        return "The reply is a stream: events() reads it"
    return f"HTTP {status}, not from the service itself" + (f" ({media_type})" if media_type else "")


def _parsed(response: HTTPResponse, content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise _invalid(response, "The reply is not valid JSON") from None


def _invalid(response: HTTPResponse, message: str) -> InvalidReplyError:
    retry_after = read_retry_after(response.headers["Retry-After"])
    return InvalidReplyError(message, response.status, "INVALID_REPLY", None, retry_after)


def _type(response: HTTPResponse) -> str:
    return response.headers["Content-Type"] or ""
