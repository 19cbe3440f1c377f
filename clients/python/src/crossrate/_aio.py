"""The asynchronous client: the same operations, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
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


def _sends(make: Callable[P, Call[T]]) -> Callable[Concatenate[AsyncCrossrate, P], Coroutine[Any, Any, T]]:
    async def method(self: AsyncCrossrate, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.send(make(*args, **kwargs))

    describe(method, make)
    return method


def _runs(make: Callable[P, Steps[T]]) -> Callable[Concatenate[AsyncCrossrate, P], Coroutine[Any, Any, T]]:
    async def method(self: AsyncCrossrate, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(make(*args, **kwargs))

    describe(method, make)
    return method


def _selects(make: Callable[P, RangeQuery]) -> Callable[Concatenate[AsyncCrossrate, P], AsyncRange]:
    def method(self: AsyncCrossrate, /, *args: P.args, **kwargs: P.kwargs) -> AsyncRange:
        return AsyncRange(self, make(*args, **kwargs))

    describe(method, make)
    return method


def _runs_on(
    make: Callable[Concatenate[RangeQuery, P], Steps[T]],
) -> Callable[Concatenate[AsyncRange, P], Coroutine[Any, Any, T]]:
    async def method(self: AsyncRange, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.client.run(make(self.query, *args, **kwargs))

    describe(method, make)
    return method


class AsyncCrossrate:
    """An asynchronous client of one server. Arguments, operations and exceptions are those of `Crossrate`.

    sleep: awaited between attempts.
    http: an `httpx.AsyncClient` of your own; it is not closed with this one.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        longest_wait: float = 90.0,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._connection = Connection(url, key, retries, longest_wait)
        self._owns_http = http is None
        self._http = httpx.AsyncClient(timeout=timeout) if http is None else http
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

    async def chain_entries(self, from_: int = 0) -> AsyncIterator[dict[str, Any]]:
        """Every entry of the signed history from a sequence on; 1000 of them are one call."""
        start: int | None = from_
        while start is not None:
            page = await self.chain(start)
            for entry in page.entries:
                yield entry
            start = page.next_from

    async def stream(
        self, base: str = "USD", symbols: Symbols | None = None, *, dp: int | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        """Rates as they change, as `Crossrate.stream`. Leave it with `contextlib.aclosing`, which closes
        the connection.
        """
        session = Session(self._connection, base, symbols, dp)
        while True:
            outcome: Outcome | None = None
            try:
                async with self._http.stream(**session.request()) as response:
                    if session.accepts(response):
                        async for chunk in response.aiter_bytes():
                            for event in session.events(chunk):
                                yield event
                    else:
                        await response.aread()
                        outcome = response
            except httpx.RequestError as fault:
                outcome = fault
            await self._sleep(session.wait(outcome))

    @property
    def rate_limit(self) -> RateLimit | None:
        """The window of limits that the last answer described; None where nothing is limited."""
        return self._connection.rate_limit

    async def send(self, call: Call[T]) -> T:
        """Sends one request, again where that helps, and returns its answer."""
        attempt = 0
        while True:
            outcome = await self._attempt(call)
            pause = self._connection.pause(call, attempt, outcome)
            if pause is None:
                return self._connection.value(call, outcome)
            await self._sleep(pause)
            attempt += 1

    async def run(self, steps: Steps[T]) -> T:
        """Sends the requests of an operation that has several."""
        try:
            call = next(steps)
            while True:
                call = steps.send(await self.send(call))
        except StopIteration as end:
            result: T = end.value
            return result

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncCrossrate:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _attempt(self, call: Call[T]) -> Outcome:
        try:
            return await self._http.request(**self._connection.request(call))
        except httpx.RequestError as fault:
            return fault


class AsyncRange:
    """A series or bars; `async for` gives its rows. The methods are those of `Range`, awaited."""

    def __init__(self, client: AsyncCrossrate, query: RangeQuery) -> None:
        self.client = client
        self.query = query

    async def __aiter__(self) -> AsyncIterator[RangeRow]:
        """Rows of all pages, each page when it is needed; a page is one call."""
        async for page in self.pages():
            for row in page.data:
                yield row

    async def pages(self, limit: int | None = None) -> AsyncIterator[RangePage]:
        """All pages; `limit`: rows of a page, at most 366."""
        page = await self.client.send(self.query.page(limit=limit))
        yield page
        while page.next_cursor is not None:
            page = await self.client.send(self.query.page(page.next_cursor, limit))
            yield page

    to_polars = _runs_on(_ranges.to_polars)
    to_pandas = _runs_on(_ranges.to_pandas)
    to_arrow = _runs_on(_ranges.to_arrow)
    sync_polars = _runs_on(_ranges.sync_polars)
    sync_pandas = _runs_on(_ranges.sync_pandas)
    estimate = _runs_on(_ranges.estimate)
    save = _runs_on(_ranges.save)
