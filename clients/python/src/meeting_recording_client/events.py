"""The stream of events."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from .errors import ApiError
from .retries import backoff, is_lost
from .transport import Call, Transport

if TYPE_CHECKING:
    from .schema import Event

# The service sends something every 15 seconds.
SILENCE_SECONDS = 45


def follow(transport: Transport, params: Mapping[str, object], cursor: str | None) -> Iterator[Event]:
    """Events as they happen. Reconnects and continues where it was, until the service refuses."""
    has_been_open = False
    failures = 0
    while True:
        try:
            for message in _messages(transport, {**params, "cursor": cursor}):
                has_been_open, failures = True, 0
                cursor = message.get("id", cursor)
                # `end` is not one: the reply to the next request says why.
                if message.get("event", "end") != "end":
                    yield cast("Event", {**json.loads(message["data"]), "cursor": cursor})
        except (ApiError, OSError) as error:
            if not has_been_open or not is_lost(error):
                raise
        failures += 1
        time.sleep(backoff(failures))


def _messages(transport: Transport, params: Mapping[str, object]) -> Iterator[dict[str, str]]:
    """The messages of one connection, until the service closes it. A comment has no fields."""
    call = Call("GET", "/events/stream", params=params, timeout=SILENCE_SECONDS)
    with transport.stream(call) as lines:
        for is_gap, block in itertools.groupby(lines, key=lambda line: line == b"\n"):
            if not is_gap:
                fields = (line.decode().rstrip("\n").partition(":") for line in block)
                yield {name: value.removeprefix(" ") for name, _, value in fields}
