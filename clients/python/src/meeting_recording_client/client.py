"""The client."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from .events import follow
from .lists import items
from .replies import JSON, JSON_OR_TEXT, TEXT
from .sources import Source
from .transport import Call, Transport, recording_path
from .uploads import BegunUpload, Uploading, upload
from .waiting import Awaited, wait_for

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .schema import RecordingDetail, StreamedEvent, UploadFields

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


class Options(TypedDict, total=False):
    """What every call takes besides its path."""

    #: Of the query: `{"status": ["ERROR", "COMPLETED"]}`. Those that are None are left out.
    params: Mapping[str, object] | None
    #: Sent as JSON; text and bytes are sent as they are.
    body: object
    #: Of text and bytes, if their content does not say what it is.
    content_type: str
    headers: Mapping[str, str]
    #: The `revision` that a change is based on: refused with a `PreconditionFailedError` if there has been another since.
    revision: int | None
    #: New for each call by default. Give one to repeat a call in another process.
    idempotency_key: str | None
    #: Seconds without a byte after which an attempt ends. By default that of the client.
    timeout: float | None
    #: How often the call is repeated after an error that may pass. By default that of the client.
    retries: int | None


class Client:
    """One Meeting Recording Service, as one API key sees it. Threads can share it.

    Paths are those of the API document, after `/api/v1`, with their ids: `/recordings/01998a3c-...`. All calls raise an `ApiError` of
    the class that belongs to the error's code, a `ConnectionError` or a `TimeoutError`, after they have been repeated where that is
    safe.
    """

    def __init__(self, base_url: str, key: str | None, *, retries: int = 3, timeout: float = 60) -> None:
        """`base_url`: where the service is, with or without `/api/v1`. `key`: an API key; None: none, for share links and plans."""
        self._transport = Transport(base_url, key, retries, timeout)

    def request(self, method: Method, path: str, **options: Unpack[Options]) -> Any:
        """A whole reply: a dict with `data`, and `pagination` where there are pages; text where that was asked for."""
        return self._transport.call(Call(method, path, **options), JSON_OR_TEXT).data

    def get(self, path: str, **options: Unpack[Options]) -> Any:
        """The `data` of a reply."""
        return self._data("GET", path, options)

    def post(self, path: str, **options: Unpack[Options]) -> Any:
        """Creates or starts something; repeated, it happens once."""
        return self._data("POST", path, options)

    def put(self, path: str, **options: Unpack[Options]) -> Any:
        """Replaces something, such as a transcript by that in a file."""
        return self._data("PUT", path, options)

    def patch(self, path: str, **options: Unpack[Options]) -> Any:
        """Changes something; with `revision`, only if nobody else has changed it since."""
        return self._data("PATCH", path, options)

    def delete(self, path: str, **options: Unpack[Options]) -> Any:
        """Deletes or revokes something."""
        return self._data("DELETE", path, options)

    def text(self, path: str, **options: Unpack[Options]) -> str:
        """A reply as text, where `params` has a `format`: captions, Markdown, an export."""
        return cast(str, self._transport.call(Call("GET", path, **options), TEXT).data)

    def list(self, path: str, **options: Unpack[Options]) -> Iterator[Any]:
        """Every item of a list: pages are requested as they are needed. Of a transcript, its segments."""
        return items(self._transport, Call("GET", path, **options))

    def upload(
        self,
        source: Source,
        *,
        recording: str | None = None,
        idempotency_key: str | None = None,
        on_begin: Callable[[BegunUpload], object] | None = None,
        resume: BegunUpload | None = None,
        on_progress: Callable[[int, int | None], object] | None = None,
        timeout: float = 300,
        retries: int | None = None,
        **fields: Unpack[UploadFields],
    ) -> RecordingDetail:
        """Uploads a recording, in pieces that survive broken connections; returns the recording, which is then processed.

        `source`: the path of a file, an open file, bytes, or anything that yields bytes. `fields`: of the new recording; `title` is by
        default the name of the file. `recording`: adds or replaces the media of this one instead. `on_begin` receives, once the service
        expects the file, what `resume` takes in order to continue even after the program has ended, with the same source from its
        start. `on_progress` receives about once a second how many bytes the service has stored, and how many there are, if known.
        """
        uploading = Uploading(recording, idempotency_key, on_begin, resume, on_progress, timeout, retries)
        identifier = upload(self._transport, source, uploading, fields)
        return cast("RecordingDetail", self.get(recording_path(identifier), retries=retries))

    def wait_for(self, recording: str, awaited: Awaited, *, timeout: float = 3600) -> RecordingDetail:
        """The recording with this id, once it is `playable`, or has a `transcript` or `summary`.

        Raises a `RecordingFailedError` if that will not come, and a `TimeoutError` after `timeout` seconds.
        """
        return wait_for(self._transport, recording, awaited, timeout)

    def events(
        self,
        *,
        types: str | None = None,
        cursor: str | None = None,
        **params: str,
    ) -> Iterator[StreamedEvent]:
        """Events as they happen, from now on or after `cursor`. Broken connections are resumed without a gap.

        `types`: `recording.*,transcript.completed`; `params`: others of `GET /events/stream`, such as `recording_id`. The `cursor` of
        each event continues after it, also days later.
        """
        return follow(self._transport, {**params, "types": types}, cursor)

    def _data(self, method: Method, path: str, options: Options) -> Any:
        data = self._transport.call(Call(method, path, **options), JSON).data
        return None if data is None else data["data"]
