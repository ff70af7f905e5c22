"""Which requests are repeated, and when."""

from __future__ import annotations

import email.utils
import random
import re
import time

from .errors import ApiError
from .operations import REPEATABLE_DELETES, TAKING_KEYS

# Somebody who has to wait longer should decide that themselves.
LONGEST_RETRY_AFTER_SECONDS = 60
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 8.0

_TAKING_KEYS = re.compile("|".join(TAKING_KEYS))
_REPEATABLE_DELETES = re.compile("|".join(REPEATABLE_DELETES))


def takes_key(method: str, path: str) -> bool:
    """Whether the operation takes an `Idempotency-Key`."""
    return _TAKING_KEYS.fullmatch(f"{method} {path}") is not None


def is_repeatable(method: str, path: str, has_revision: bool) -> bool:
    """Whether a request may be sent again if the first one may have been carried out. With a revision, the second would fail."""
    if method in ("GET", "HEAD") or takes_key(method, path):
        return True
    return not has_revision and (method == "PUT" or _REPEATABLE_DELETES.fullmatch(f"{method} {path}") is not None)


def is_lost(error: Exception) -> bool:
    """Whether the request may have been carried out although its reply says nothing of it."""
    return isinstance(error, (ConnectionError, TimeoutError)) or (
        isinstance(error, ApiError) and error.status >= 500
    )


def delay_after(error: Exception, attempts: int, repeatable: bool) -> float | None:
    """Seconds before the next attempt, after this many; None if there is to be none."""
    if isinstance(error, ApiError) and error.retry_after is not None:
        return error.retry_after if error.retry_after <= LONGEST_RETRY_AFTER_SECONDS else None
    return backoff(attempts) if repeatable and is_lost(error) else None


def backoff(attempts: int) -> float:
    """Seconds. Doubles with each attempt; random, so that clients which failed together do not return together."""
    # The exponent is bounded: events reconnect for as long as it takes.
    longest = min(FIRST_DELAY_SECONDS * 2.0 ** min(attempts - 1, 10), LONGEST_DELAY_SECONDS)
    return longest * random.uniform(0.5, 1)


def read_retry_after(value: str | None) -> int | None:
    """Seconds of a `Retry-After`, which is a number or a date; None if there is none."""
    if not value:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value):
        return int(value)
    try:
        seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except ValueError:
        return None
    return max(0, int(seconds) + 1)
