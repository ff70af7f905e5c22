"""The stream of events."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from .errors import ApiError
from .retries import backoff, delay_after
from .transport import Call, Transport

if TYPE_CHECKING:
    from .schema import StreamedEvent

# The service sends something every 15 seconds.
SILENCE_SECONDS = 45


def follow(transport: Transport, params: Mapping[str, object], cursor: str | None) -> Iterator[StreamedEvent]:
    """Reconnects and continues where it was: as often as it takes once the stream has been open, and until the service refuses."""
    has_been_open = False
    failures = 0
    while True:
        try:
            for message in _messages(transport, {**params, "cursor": cursor}):
                has_been_open, failures = True, 0
                cursor = message.get("id", cursor)
                # `end` is not one: the reply to the next request says why.
                if message.get("event", "end") != "end":
                    yield cast("StreamedEvent", {**json.loads(message["data"]), "cursor": cursor})
            failures += 1
            time.sleep(backoff(failures))
        except (ApiError, OSError) as error:
            failures += 1
            delay = delay_after(error, failures, repeatable=True)
            if delay is None or (failures > transport.retries and not has_been_open):
                raise
            time.sleep(delay)


def _messages(transport: Transport, params: Mapping[str, object]) -> Iterator[dict[str, str]]:
    """The messages of one connection, until the service closes it. One that breaks off is none."""
    call = Call("GET", "/events/stream", params=params, timeout=SILENCE_SECONDS)
    fields: dict[str, str] = {}
    with transport.stream(call) as lines:
        for line in lines:
            if line == b"\n":
                yield fields
                fields = {}
            else:
                name, _, value = line.decode().rstrip("\n").partition(":")
                fields[name] = value.removeprefix(" ")
