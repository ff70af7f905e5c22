"""Uploads in pieces, which survive broken connections and the end of the program."""

from __future__ import annotations

import time
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, cast

from .error_classes import ConflictError
from .errors import ApiError, InvalidReplyError, RecordingFailedError
from .replies import Reply
from .retries import delay_after
from .sources import File, Source, Stream, opened
from .transport import Call, Transport, recording_path

if TYPE_CHECKING:
    from .schema import RecordingDetail

MIB = 1024 * 1024
# A piece takes about a second: so often progress is shown, and so little is sent again after a broken connection.
FIRST_PIECE, SMALLEST_PIECE, LARGEST_PIECE, PIECE_SECONDS = MIB, MIB // 4, 8 * MIB, 1
TUS = {"Tus-Resumable": "1.0.0"}


class BegunUpload(TypedDict):
    """An upload that has begun. Keep it, as JSON, to continue even after the program has ended."""

    id: str
    upload_url: str


@dataclass(frozen=True)
class Uploading:
    """How to upload: the arguments of `Client.upload`."""

    recording: str | None
    idempotency_key: str | None
    on_begin: Callable[[BegunUpload], object] | None
    resume: BegunUpload | None
    on_progress: Callable[[int, int | None], object] | None
    timeout: float
    retries: int | None


def upload(transport: Transport, given: Source, how: Uploading, fields: Mapping[str, object]) -> str:
    """Uploads a file; returns the id of its recording."""
    source = opened(given)
    try:
        total = cast("int | None", fields.get("size", source.size))
        body = {"title": source.name if not how.recording else None, **fields, "size": total}
        body = {name: value for name, value in body.items() if value is not None}
        begun = how.resume or _begin(transport, body, how)
        if how.on_begin and not how.resume:
            how.on_begin(begun)
        sender = _Sender(transport, begun, how)
        offset = sender.stored() if how.resume else 0
        _send_all(sender, source, offset, total, lambda sent: how.on_progress and how.on_progress(sent, total))
        return begun["id"]
    finally:
        source.close()


def _begin(transport: Transport, body: Mapping[str, object], how: Uploading) -> BegunUpload:
    path = f"{recording_path(how.recording)}/upload" if how.recording else "/recordings"
    call = Call("POST", path, body=body, idempotency_key=how.idempotency_key, retries=how.retries)
    data = transport.call(call).data["data"]
    return {"id": how.recording or data["id"], "upload_url": data["upload_url"]}


def _send_all(
    sender: _Sender, source: File | Stream, offset: int | None, total: int | None, report: Callable[[int], object]
) -> None:
    """Piece by piece, until the service has all of it: `offset` is what it has, None if that is all."""
    size, failures = FIRST_PIECE, 0
    while offset is not None:
        begun = time.monotonic()
        piece = source.read(offset, size)
        is_end = not piece
        if is_end and total is not None:
            if offset < total:
                raise EOFError(f"The source ended after {offset} of {total} bytes")
            return
        try:
            # The end of a stream is when its length is known.
            offset = sender.send(piece, offset, {"Upload-Length": str(offset)} if is_end else {})
        except (ApiError, OSError) as error:
            failures += 1
            sender.wait(error, failures)
            stored = sender.stored()
            failures = failures if stored is None or stored == offset else 0
            offset = stored
            continue
        report(offset)
        if is_end:
            return
        failures = 0
        is_fast = time.monotonic() - begun < PIECE_SECONDS
        size = min(size * 2, LARGEST_PIECE) if is_fast else max(size // 2, SMALLEST_PIECE)


class _Sender:
    """Sends to one upload, as tus 1.0 specifies. Its URL is that of the service: the key goes nowhere else."""

    def __init__(self, transport: Transport, begun: BegunUpload, how: Uploading) -> None:
        self._transport = transport
        self._id = begun["id"]
        self._path = f"/uploads/{urllib.parse.urlsplit(begun['upload_url']).path.rpartition('/')[2]}"
        self._timeout = how.timeout
        self._retries = transport.retries if how.retries is None else how.retries

    def send(self, piece: bytes, offset: int, more: Mapping[str, str]) -> int:
        """Returns how much is stored then."""
        headers = {**TUS, "Upload-Offset": str(offset), **more}
        kind = "application/offset+octet-stream"
        call = Call("PATCH", self._path, None, piece, kind, headers, timeout=self._timeout, retries=0)
        reply = self._transport.call(call, None)
        stored = _offset_of(reply)
        if piece and stored <= offset:
            raise InvalidReplyError("Nothing was stored", reply.status, "INVALID_REPLY")
        return stored

    def stored(self) -> int | None:
        """How much is stored; None if that is all."""
        call = Call("HEAD", self._path, headers=TUS, timeout=self._timeout, retries=self._retries)
        try:
            reply = self._transport.call(call, None)
        except ApiError as error:
            if error.status != 404:
                raise
            self._require_media()
            return None
        offset = _offset_of(reply)
        return None if reply.headers["Upload-Length"] == str(offset) else offset

    def wait(self, error: Exception, failures: int) -> None:
        """Raises the error unless the upload can go on after it."""
        delay = 0 if isinstance(error, ConflictError) else delay_after(error, failures, True)
        if delay is None or failures > self._retries:
            raise error
        time.sleep(delay)

    def _require_media(self) -> None:
        """An upload that is no longer there has been used, refused or canceled."""
        reply = self._transport.call(Call("GET", recording_path(self._id), retries=self._retries))
        recording: RecordingDetail = reply.data["data"]
        if recording["status"] == "ERROR":
            raise RecordingFailedError(recording, recording["statusReason"] or "The upload failed")


def _offset_of(reply: Reply) -> int:
    offset = reply.headers["Upload-Offset"]
    if offset is None:
        raise InvalidReplyError("The reply does not say how much is stored", reply.status, "INVALID_REPLY")
    return int(offset)
