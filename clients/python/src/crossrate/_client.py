"""The blocking client."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import httpx

from . import _operations, _ranges, lake
from ._call import Call, Steps, Symbols
from ._connection import Connection, Outcome, RateLimit, describe
from ._ranges import RangeQuery
from ._stream import Session, StreamEvent
from .models.series import RangePage, RangeRow

T = TypeVar("T")
P = ParamSpec("P")


def _sends(make: Callable[P, Call[T]]) -> Callable[Concatenate[Crossrate, P], T]:
    def method(self: Crossrate, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.send(make(*args, **kwargs))

    describe(method, make)
    return method


def _runs(make: Callable[P, Steps[T]]) -> Callable[Concatenate[Crossrate, P], T]:
    def method(self: Crossrate, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.run(make(*args, **kwargs))

    describe(method, make)
    return method


def _selects(make: Callable[P, RangeQuery]) -> Callable[Concatenate[Crossrate, P], Range]:
    def method(self: Crossrate, /, *args: P.args, **kwargs: P.kwargs) -> Range:
        return Range(self, make(*args, **kwargs))

    describe(method, make)
    return method


def _runs_on(make: Callable[Concatenate[RangeQuery, P], Steps[T]]) -> Callable[Concatenate[Range, P], T]:
    def method(self: Range, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.client.run(make(self.query, *args, **kwargs))

    describe(method, make)
    return method


class Crossrate:
    """A client of one server. Use it as a context manager, or `close` it; one instance serves many
    threads.

    url: the server's address, such as `http://localhost:3000`.
    key: API key `fxk_…`; without one the limits of callers without a key apply.
    timeout: seconds to connect, and to wait for the next bytes of an answer.
    retries: attempts after the first one, where the server is busy or limits refuse a call, or the connection
        fails. All operations may be repeated.
    longest_wait: seconds; a refusal whose `Retry-After` is longer is raised at once.
    sleep: what waits between attempts.
    http: a client of `httpx` with settings of your own (proxies, certificates); it is not closed with this
        one.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        longest_wait: float = 90.0,
        sleep: Callable[[float], object] = time.sleep,
        http: httpx.Client | None = None,
    ) -> None:
        self._connection = Connection(url, key, retries, longest_wait)
        self._owns_http = http is None
        self._http = httpx.Client(timeout=timeout) if http is None else http
        self._sleep = sleep

    latest = _sends(_operations.latest)
    historical = _sends(_operations.historical)
    fluctuation = _sends(_operations.fluctuation)
    average = _sends(_operations.average)
    convert = _sends(_operations.convert)
    convert_batch = _sends(_operations.convert_batch)
    convert_dated = _sends(_operations.convert_dated)
    pair = _sends(_operations.pair)
    explain = _sends(_operations.explain)
    currencies = _sends(_operations.currencies)
    official_tables = _sends(_operations.official_tables)
    official_changes = _sends(_operations.official_changes)
    official_publications = _sends(_operations.official_publications)
    official_latest = _sends(_operations.official_latest)
    official_publication = _sends(_operations.official_publication)
    official_rates = _sends(_operations.official_rates)
    official_in_force = _sends(_operations.official_in_force)
    official_convert = _sends(_operations.official_convert)
    chain = _sends(_operations.chain)
    chain_head = _sends(_operations.chain_head)
    proof = _sends(_operations.proof)
    status = _sends(_operations.status)
    health = _sends(_operations.health)
    range = _selects(_ranges.range_query)
    lake = _runs(lake.lake)

    def chain_entries(self, from_: int = 0) -> Iterator[dict[str, Any]]:
        """Every entry of the signed history from a sequence on; 1000 of them are one call."""
        start: int | None = from_
        while start is not None:
            page = self.chain(start)
            yield from page.entries
            start = page.next_from

    def stream(
        self, base: str = "USD", symbols: Symbols | None = None, *, dp: int | None = None
    ) -> Iterator[StreamEvent]:
        """Rates as they change, without an end. Connects again by itself, and goes on where the connection
        broke.

        base, symbols, dp: as for `latest`.
        Raises ApiError where the server refuses the stream for good, NoAnswerError where the first connection
        fails.
        """
        session = Session(self._connection, base, symbols, dp)
        while True:
            outcome: Outcome | None = None
            try:
                with self._http.stream(**session.request()) as response:
                    if session.accepts(response):
                        for chunk in response.iter_bytes():
                            yield from session.events(chunk)
                    else:
                        response.read()
                        outcome = response
            except httpx.RequestError as fault:
                outcome = fault
            self._sleep(session.wait(outcome))

    @property
    def rate_limit(self) -> RateLimit | None:
        """The window of limits that the last answer described; None where nothing is limited."""
        return self._connection.rate_limit

    def send(self, call: Call[T]) -> T:
        """Sends one request, again where that helps, and returns its answer."""
        attempt = 0
        while True:
            outcome = self._attempt(call)
            pause = self._connection.pause(call, attempt, outcome)
            if pause is None:
                return self._connection.value(call, outcome)
            self._sleep(pause)
            attempt += 1

    def run(self, steps: Steps[T]) -> T:
        """Sends the requests of an operation that has several."""
        try:
            call = next(steps)
            while True:
                call = steps.send(self.send(call))
        except StopIteration as end:
            result: T = end.value
            return result

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Crossrate:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _attempt(self, call: Call[T]) -> Outcome:
        try:
            return self._http.request(**self._connection.request(call))
        except httpx.RequestError as fault:
            return fault


class Range:
    """A series or bars. Iterate it for rows with exact digits, page by page; or get the whole window in
    one call.
    """

    def __init__(self, client: Crossrate, query: RangeQuery) -> None:
        self.client = client
        self.query = query

    def __iter__(self) -> Iterator[RangeRow]:
        """Rows of all pages, each page when it is needed; a page is one call."""
        for page in self.pages():
            yield from page.data

    def pages(self, limit: int | None = None) -> Iterator[RangePage]:
        """All pages; `limit`: rows of a page, at most 366."""
        page = self.client.send(self.query.page(limit=limit))
        yield page
        while page.next_cursor is not None:
            page = self.client.send(self.query.page(page.next_cursor, limit))
            yield page

    to_polars = _runs_on(_ranges.to_polars)
    to_pandas = _runs_on(_ranges.to_pandas)
    to_arrow = _runs_on(_ranges.to_arrow)
    sync_polars = _runs_on(_ranges.sync_polars)
    sync_pandas = _runs_on(_ranges.sync_pandas)
    estimate = _runs_on(_ranges.estimate)
    save = _runs_on(_ranges.save)
