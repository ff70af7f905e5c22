"""Sends requests, and repeats them."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import secrets
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import Any

from .errors import ApiError
from .replies import JSON, STREAM, Reply, check, reply_of
from .retries import delay_after, is_lost, is_repeatable, takes_key

# What separates the parts of a path, and what an id that is encoded contains.
_LITERAL = "/%:@!$&'()*+,;=~"


@dataclass(frozen=True)
class Call:
    """A request before it is one: `path` is that of the API document, with its ids filled in."""

    method: str
    path: str
    params: Mapping[str, object] | None = None
    body: object = None
    content_type: str = "application/octet-stream"
    headers: Mapping[str, str] = field(default_factory=dict)
    revision: int | None = None
    idempotency_key: str | None = None
    timeout: float | None = None
    retries: int | None = None


class Transport:
    """Requests to one service. The API key goes to no other origin: redirects are not followed."""

    def __init__(self, base_url: str, key: str | None, retries: int, timeout: float) -> None:
        _require_key(key)
        self.retries = retries
        self._timeout = timeout
        self._origin = _origin_of(base_url)
        self._headers = {"User-Agent": "meeting-recording-client-python"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        # Those of Python also follow redirects, with the key.
        self._opener = urllib.request.OpenerDirector()
        for handler in (urllib.request.ProxyHandler, urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
            self._opener.add_handler(handler())

    def call(self, call: Call, accepts: re.Pattern[str] | None = JSON) -> Reply:
        """The reply, of these media types, after as many attempts as it takes."""
        key = call.idempotency_key or (secrets.token_hex(16) if takes_key(call.method, call.path) else None)
        retries = self.retries if call.retries is None else call.retries
        repeatable = is_repeatable(call.method, call.path, call.revision is not None)
        lost = False
        for attempts in itertools.count(1):
            try:
                with self._opened(call, key) as response:
                    return reply_of(response, accepts)
            except (ApiError, OSError) as error:
                if lost and call.method == "DELETE" and _is_gone(error):
                    break
                delay = None if attempts > retries else delay_after(error, attempts, repeatable)
                if delay is None:
                    raise
                lost = lost or is_lost(error)
            time.sleep(delay)
        return Reply(200, HTTPMessage(), {"data": {"success": True}})

    @contextlib.contextmanager
    def stream(self, call: Call) -> Iterator[HTTPResponse]:
        """An open stream of events, which is closed at the end of the `with`."""
        with self._opened(call, None) as response:
            check(response, STREAM)
            yield response

    @contextlib.contextmanager
    def _opened(self, call: Call, key: str | None) -> Iterator[HTTPResponse]:
        """The reply to one attempt. What breaks while it is read is also a `ConnectionError` or `TimeoutError`."""
        timeout = self._timeout if call.timeout is None else call.timeout
        request = self._request(call, key)
        try:
            with self._opener.open(request, timeout=timeout) as response:
                yield response
        except (HTTPException, OSError) as error:
            name = f"{call.method} {call.path}"
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                raise TimeoutError(f"{name}: nothing was received for {timeout:g} s") from error
            raise ConnectionError(f"{name}: {str(reason) or type(reason).__name__}") from error

    def _request(self, call: Call, key: str | None) -> urllib.request.Request:
        headers = {**self._headers, **call.headers}
        if key is not None:
            headers["Idempotency-Key"] = key
        if call.revision is not None:
            headers["If-Match"] = f'"{call.revision}"'
        data: bytes | None = None
        if isinstance(call.body, (bytes, bytearray, str)):
            data = call.body.encode() if isinstance(call.body, str) else bytes(call.body)
            headers["Content-Type"] = call.content_type
        elif call.body is not None:
            data = json.dumps(call.body, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        base = self._origin if call.path.startswith("/health/") else f"{self._origin}/api/v1"
        url = f"{base}{_checked_path(call.path)}{_query(call.params or {})}"
        return urllib.request.Request(url, data, headers, method=call.method)


def recording_path(identifier: str) -> str:
    """`/recordings/ext:CRM%2F4711`"""
    return f"/recordings/{urllib.parse.quote(identifier, safe=':')}"


def _checked_path(path: str) -> str:
    """Refuses paths that an id has turned into that of something else."""
    segments = {urllib.parse.unquote(segment) for segment in path.split("/")[1:]}
    if not path.startswith("/") or re.search(r"[?#\s]", path) or segments & {"", ".", ".."}:
        raise ValueError(
            f"{path!r} is not a path such as '/recordings/ID': parameters belong in params, and ids are encoded with "
            "urllib.parse.quote(id, safe='')"
        )
    return urllib.parse.quote(path, safe=_LITERAL)


def _query(params: Mapping[str, object]) -> str:
    """`metadata[crm]=4711` of a mapping."""
    given: dict[str, str] = {}
    for name, value in params.items():
        if isinstance(value, Mapping):
            given.update({f"{name}[{key}]": _text(one) for key, one in value.items()})
        elif value is not None:
            given[name] = _text(value)
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    """`status=ERROR,COMPLETED`, `full=true`."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_text(one) for one in value)
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _origin_of(base_url: str) -> str:
    """The URL without `/api/v1`. Anything after the path would end up within the paths of requests."""
    url = urllib.parse.urlsplit(base_url)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("base_url must be a URL such as https://meetings.example.com")
    if "@" in url.netloc or re.search(r"[?#\s]", base_url):
        raise ValueError('base_url must be a URL without credentials, "?" and "#"')
    return re.sub(r"(/api/v1)?/*$", "", base_url, count=1)


def _require_key(key: str | None) -> None:
    """Not only with the first request, whose error would be that of the service."""
    if key is None:
        return
    if not key.strip():
        raise ValueError("key is empty: pass an API key (mrs_...), or None to use the API without one")
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ValueError("key has characters that no API key has")


def _is_gone(error: Exception) -> bool:
    return isinstance(error, ApiError) and (error.status == 404 or error.code == "ALREADY_REVOKED")
