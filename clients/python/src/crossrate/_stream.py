"""Rates as they change: Server-Sent Events, merged into the content of `/v1/latest`, and when to connect
again.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar

import httpx

from ._call import Symbols, query_of, symbols_text
from ._connection import Connection, Outcome, no_answer, refusal
from ._decode import decode, parse
from ._retry import retry_after
from .errors import ApiError, UnexpectedResponseError, error_of
from .models.rates import LatestRates

V = TypeVar("V")

# The server sends a byte every 15 seconds at least: after this long the connection is dead.
_SILENCE_SECONDS = 45.0
_LONGEST_PAUSE = 60.0


@dataclass(frozen=True, kw_only=True)
class StreamEvent:
    """What `/v1/latest` would answer now, after one event.

    kind: `snapshot`, `rates`, or `unavailable`: there is no rate any more; the mappings are empty and `error`
        says why.
    changed: currencies in which something changed with this event.
    rates: units of each currency per 1 unit of `base`; `sources`, `effective_at` (observation time, UTC),
        `stale`, `simulated`, `spread_bps` and `derived_symbols` as in `LatestRates`. They hold all requested
        currencies, not only the changed ones.
    id: identifies this content; the client sends it when it connects again.
    """

    kind: str
    id: str
    base: str
    changed: tuple[str, ...]
    rates: dict[str, Decimal] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    effective_at: dict[str, datetime] = field(default_factory=dict)
    stale: dict[str, bool] = field(default_factory=dict)
    simulated: dict[str, bool] = field(default_factory=dict)
    spread_bps: dict[str, Decimal] = field(default_factory=dict)
    derived_symbols: tuple[str, ...] = ()
    market_session: str | None = None
    timestamp: datetime | None = None
    error: ApiError | None = None


class EventReader:
    """Bytes of one connection to events, by the HTML standard, section 9.2.6. Yields (name, id, data)."""

    def __init__(self) -> None:
        self._rest = b""
        self._name, self._id, self._data = "", "", list[str]()
        self.retry_seconds = 3.0

    def read(self, chunk: bytes) -> Iterator[tuple[str, str, str]]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            event = self._line(line.removesuffix(b"\r").decode("utf-8"))
            if event is not None:
                yield event

    def _line(self, line: str) -> tuple[str, str, str] | None:
        if line == "":
            event = (self._name, self._id, "\n".join(self._data)) if self._data else None
            self._name, self._data = "", []
            return event
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)
        elif name == "retry" and value.isdecimal():
            self.retry_seconds = int(value) / 1000
        return None


class Session:
    """A stream over all its connections. The clients open each with `request`, and wait between them as
    `wait` says.
    """

    def __init__(self, connection: Connection, base: str, symbols: Symbols | None, dp: int | None) -> None:
        self._connection = connection
        self._query = query_of(base=base, symbols=symbols_text(symbols), dp=dp)
        self._reader = EventReader()
        self._state = StreamEvent(kind="unavailable", id="", base=base.upper(), changed=())
        self._was_connected = False
        self._failures = 0

    def request(self) -> dict[str, Any]:
        """Arguments of `httpx.Client.stream` for the next connection."""
        self._reader = EventReader()
        known = {"Last-Event-ID": self._state.id} if self._state.id else {}
        return {
            "method": "GET",
            "url": f"{self._connection.url}/v1/stream",
            "params": self._query,
            "headers": self._connection.headers | {"Accept": "text/event-stream"} | known,
            "timeout": _SILENCE_SECONDS,
        }

    def accepts(self, response: httpx.Response) -> bool:
        """Whether events follow; otherwise the refusal is to be read and given to `wait`. UnexpectedResponseError
        for a page, as of a network that wants a person to sign in.
        """
        self._connection.note_limits(response)
        if response.is_success and not response.headers.get("Content-Type", "").startswith("text/event-stream"):
            raise UnexpectedResponseError("the answer is not a stream of events")
        self._was_connected = self._was_connected or response.is_success
        return response.is_success

    def events(self, chunk: bytes) -> Iterator[StreamEvent]:
        """What a chunk of bytes completes."""
        for name, event_id, data in self._reader.read(chunk):
            self._failures = 0
            if name in ("snapshot", "rates", "unavailable"):
                self._state = self._after(name, event_id, parse(data))
                yield self._state

    def wait(self, outcome: Outcome | None) -> float:
        """Seconds before the next connection. `outcome`: a refusal, a fault, or None where the server
        ended the stream.

        Raises ApiError for a refusal that waiting does not change. What a first connection meets is final as
        for any call.
        """
        pause = min(self._reader.retry_seconds * 2.0**self._failures, _LONGEST_PAUSE)
        if isinstance(outcome, httpx.Response):
            may_pass = outcome.status_code == 429 or outcome.status_code >= 500
            if not may_pass or self._is_final(outcome):
                raise refusal(outcome)
            pause = max(pause, retry_after(outcome) or 0.0)
        elif outcome is not None and self._is_final(outcome):
            raise no_answer(outcome)
        self._failures += 1
        return pause

    def _is_final(self, outcome: Outcome) -> bool:
        return not self._was_connected and self._connection.policy.pause(self._failures, outcome) is None

    def _after(self, kind: str, event_id: str, body: object) -> StreamEvent:
        before = self._state
        if kind == "unavailable":
            error = error_of(503, body, None, None)
            return StreamEvent(
                kind=kind, id=event_id, base=before.base, changed=tuple(before.rates), error=error
            )
        news = decode(LatestRates, body)
        held = before if kind == "rates" else StreamEvent(kind=kind, id=event_id, base=news.base, changed=())
        derived = {code for code in held.derived_symbols if code not in news.rates} | set(
            news.derived_symbols
        )
        rates = held.rates | news.rates
        return replace(
            held,
            kind=kind,
            id=event_id,
            changed=tuple(news.rates),
            rates=rates,
            sources=held.sources | news.sources,
            effective_at=held.effective_at | news.effective_at,
            stale=held.stale | news.stale,
            simulated=_replaced(held.simulated, news.simulated, news.rates),
            spread_bps=_replaced(held.spread_bps, news.spread_bps, news.rates),
            derived_symbols=tuple(code for code in rates if code in derived),
            market_session=news.market_session,
            timestamp=news.timestamp,
        )


def _replaced(held: dict[str, V], news: dict[str, V] | None, changed: Container[str]) -> dict[str, V]:
    """A member that names only some currencies: what an event does not name of its own has no value any more."""
    return {code: value for code, value in held.items() if code not in changed} | (news or {})
