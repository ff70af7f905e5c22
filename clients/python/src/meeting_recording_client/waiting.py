"""Waits for what becomes of a recording."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, NoReturn

from .errors import RecordingFailedError
from .transport import Call, Transport, recording_path

if TYPE_CHECKING:
    from .schema import RecordingDetail

# That it can be played, with the media uploaded last; that it has a transcript, or a summary.
Awaited = Literal["playable", "transcript", "summary"]

FIRST_LOOK_SECONDS, LOOK_FACTOR, LONGEST_LOOK_SECONDS = 0.5, 1.5, 5.0
# The service may be restarted meanwhile.
RETRIES = 8


def wait_for(transport: Transport, recording_id: str, awaited: Awaited, timeout: float) -> RecordingDetail:
    """Looks regularly, which needs no right to see events; soon after the begin, and less often later."""
    if awaited not in ("playable", "transcript", "summary"):
        raise ValueError(f"Wait for 'playable', 'transcript' or 'summary', not {awaited!r}")
    deadline = time.monotonic() + timeout
    delay = FIRST_LOOK_SECONDS
    while True:
        reply = transport.call(Call("GET", recording_path(recording_id), retries=RETRIES))
        recording: RecordingDetail = reply.data["data"]
        if _has(recording, awaited):
            return recording
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"Recording {recording_id}: no {awaited} within {timeout:g} s")
        time.sleep(min(delay, left))
        delay = min(delay * LOOK_FACTOR, LONGEST_LOOK_SECONDS)


def _has(recording: RecordingDetail, awaited: Awaited) -> bool:
    def fail(reason: str) -> NoReturn:
        raise RecordingFailedError(recording, reason)

    if awaited == "playable":
        new_media = recording["newMedia"]
        if new_media and new_media["status"] == "failed":
            fail(new_media["statusReason"] or "The new media cannot be used")
        if new_media:
            return False
        if recording["media"] == "none":
            fail("The recording has no media")
        if recording["media"] != "available" and recording["status"] == "ERROR":
            fail(recording["statusReason"] or "The recording failed")
        return recording["media"] == "available"

    transcription, summary = recording["transcription"], recording["summary"]
    last = summary if awaited == "summary" else transcription
    if last["status"] == "completed":
        return True
    steps = (transcription, summary) if awaited == "summary" else (transcription,)
    for step in steps:
        if step["status"] == "failed":
            fail(step["statusReason"] or f"The {awaited} failed")
    if recording["status"] == "ERROR":
        fail(recording["statusReason"] or "The recording failed")
    if recording["status"] == "COMPLETED" and all(step["status"] != "processing" for step in steps):
        fail(f"The recording has no {awaited}, and none is being made")
    return False
