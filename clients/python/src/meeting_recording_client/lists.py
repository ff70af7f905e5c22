"""Lists, page by page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .transport import Call, Transport

LARGEST_PAGE = 100


def items(transport: Transport, call: Call) -> Iterator[Any]:
    """Every item of a list; the next page is requested when its first item is."""
    given = call.params or {}
    params: Mapping[str, object] | None = given
    while params is not None:
        page = transport.call(replace(call, params=params)).data
        data, pagination = page["data"], page.get("pagination")
        if isinstance(data, list):
            yield from data
            params = _following(given, pagination)
            continue
        # Of a transcript, or of what a share link shows, which may have none.
        chunk = data["transcript"] if "transcript" in data else data
        if chunk is None:
            return
        yield from chunk["segments"]
        start: Any = params.get("start_chunk", 0)
        following = {"limit": LARGEST_PAGE, **given, "start_chunk": int(start) + len(chunk["segments"])}
        params = following if chunk["pagination"]["has_more"] else None


def _following(given: Mapping[str, object], pagination: Any) -> Mapping[str, object] | None:
    """The parameters of the next page; None after the last. The first one has no `limit`: not every list takes it."""
    if not pagination or not pagination["has_more"]:
        return None
    cursor = pagination.get("next_cursor")
    place = {"cursor": cursor, "offset": None} if cursor else {"offset": pagination["offset"] + pagination["limit"]}
    return {"limit": LARGEST_PAGE, **given, **place}
