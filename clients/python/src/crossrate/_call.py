"""A request and the type of its answer, without a transport: what the blocking and the asynchronous client
share.
"""

from __future__ import annotations

import operator
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timezone
from decimal import Decimal
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import quote

T = TypeVar("T")

Day: TypeAlias = date | str
"""A calendar day, or its text `YYYY-MM-DD`. A datetime (or a pandas Timestamp) counts where its time is
midnight.
"""

Instant: TypeAlias = datetime | str
"""A datetime with a zone, or a UTC text such as `2026-04-13T16:30:00Z`."""

Amount: TypeAlias = Decimal | int | float | str
"""A decimal number. Of a float the shortest text that denotes it counts; a Decimal or a text keeps every
digit.
"""

Symbols: TypeAlias = str | Iterable[str]
"""Currency codes: a sequence, or a text with commas; `"*"` for all but the base."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request. `answer` is a dataclass that JSON is read into, or `bytes`; `also`: error statuses with
    that answer too.
    """

    operation: str
    path: str
    answer: type[T]
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    also: tuple[int, ...] = ()

    @property
    def method(self) -> str:
        return "GET" if self.body is None else "POST"


Steps: TypeAlias = Generator[Call[Any], Any, T]
"""Several requests: yields calls, is sent their answers, returns the result."""


def query_of(**values: str | int | None) -> dict[str, str]:
    """Parameters without those that are None; an underscore at the end of a name (a word of Python) is
    dropped.
    """
    return {name.rstrip("_"): str(value) for name, value in values.items() if value is not None}


def path_of(*segments: str) -> str:
    """A path of segments, each escaped."""
    return "".join(f"/{quote(segment, safe='')}" for segment in segments)


def day_text(value: Day | None) -> str | None:
    """`YYYY-MM-DD`; ValueError for a datetime that is not midnight."""
    if isinstance(value, datetime):
        if value.time() != time():
            raise ValueError(f"not a day, but an instant: {value}")
        value = value.date()
    return value.isoformat() if isinstance(value, date) else value


def instant_text(value: Instant | None) -> str | None:
    """UTC with milliseconds at most; ValueError for a datetime without a zone."""
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError(f"this datetime has no zone: {value}; use datetime(…, tzinfo=timezone.utc)")
    text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z").replace(".000Z", "Z")


def amount_text(value: Amount) -> str:
    """Digits without an exponent; a text is sent as it is. ValueError for NaN, infinity, and a truth, which Python
    counts as a number.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        # The repr of NumPy's numbers, which frames have, names their type.
        value = Decimal(float.__repr__(value))
    number = value if isinstance(value, Decimal) else Decimal(operator.index(value))
    if isinstance(value, bool) or not number.is_finite():
        raise ValueError(f"not an amount: {value}")
    return format(number, "f")


def symbols_text(value: Symbols | None) -> str | None:
    """Codes with commas between them. ValueError for an empty list: the server would take it for all currencies."""
    if value is None or isinstance(value, str):
        return value
    text = ",".join(value)
    if text == "":
        raise ValueError("the list of symbols is empty; leave it out for all currencies")
    return text
