"""What is uploaded."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Union, cast

# The path of a file, an open file, bytes, or anything that yields bytes, such as what a recorder sends.
Source = Union[str, "os.PathLike[str]", bytes, BinaryIO, Iterable[bytes]]

READ_BYTES = 65536


def opened(source: Source) -> File | Stream:
    """Opens a source; the caller closes it."""
    if isinstance(source, (str, os.PathLike)):
        return File(open(source, "rb"), os.path.basename(source), closes=True)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return File(io.BytesIO(source), None, closes=True)
    if not hasattr(source, "read"):
        return Stream(iter(source))
    file = cast(BinaryIO, source)
    if file.seekable():
        return File(file, None, closes=False)
    return Stream(iter(lambda: file.read(READ_BYTES), b""))


class File:
    """Can be read from any place. `size` is in bytes."""

    def __init__(self, file: BinaryIO, name: str | None, closes: bool) -> None:
        self._file = file
        self._closes = closes
        self.name = name
        self.size = file.seek(0, os.SEEK_END)

    def read(self, offset: int, size: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(size)

    def close(self) -> None:
        if self._closes:
            self._file.close()


class Stream:
    """Can be read from any place not before that of the last read. Keeps what was read last: what has not arrived is sent again."""

    name = None
    size = None

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._start = 0
        self._held = bytearray()

    def read(self, offset: int, size: int) -> bytes:
        chunk: bytes | None = b""
        while chunk is not None:
            self._held += chunk
            passed = min(offset - self._start, len(self._held))
            del self._held[:passed]
            self._start += passed
            if len(self._held) >= size:
                break
            chunk = next(self._chunks, None)
        return bytes(self._held[:size])

    def close(self) -> None:
        """It belongs to the caller."""
