"""A log record as one line of JSON."""

from __future__ import annotations

import logging
from typing import Any

import orjson


class JsonLines(logging.Formatter):
    """With the fields of the record; of an exception only what it is: a message may quote what was
    typed.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            line["exception"] = record.exc_info[0].__name__
        return orjson.dumps(line | fields_of(record)).decode()


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "fields", {})
