"""Keeps clients from flooding the log: a message that they can cause again and again is written only now and then."""

from __future__ import annotations

import logging
import time

_EVERY = 60.0
"""Seconds in which the same message is written once."""
_KEPT = 1000


class LogThrottle(logging.Filter):
    """Lets each message pass once a minute, and then adds how often it was left out."""

    def __init__(self, every: float = _EVERY) -> None:
        super().__init__()
        self.every = every
        self._said: dict[tuple[str, str], tuple[float, int]] = {}
        """For each message: when it was last written, and how often it was left out since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a record."""
        # The same text with another error is another message.
        error = record.exc_info[1] if record.exc_info else None
        key, now = (str(record.msg)[:300], repr(error)[:300]), time.monotonic()
        last, left_out = self._said.get(key, (-self.every, 0))
        if now - last < self.every:
            self._said[key] = last, left_out + 1
            return False
        if len(self._said) >= _KEPT:
            self._said.clear()
        self._said[key] = now, 0
        if left_out:
            record.msg, record.args = f"{record.getMessage()} (and {left_out:,} times since the last line)", ()
        return True
