"""The stream holds the content of /v1/latest, connects again after a cut, and goes on where it was."""

import asyncio
import contextlib
import json
from decimal import Decimal

import pytest
from crossrate import AsyncCrossrate, AuthenticationError, Crossrate, NoAnswerError, UnavailableError
from crossrate._connection import Connection
from crossrate._stream import EventReader, Session


def test_events_are_merged_into_the_content_of_latest(servers, control):
    with Crossrate(servers.stream_url) as client:
        with contextlib.closing(client.stream("USD", "EUR,GBP,JPY")) as stream:
            first = next(stream)
            assert (first.kind, first.rates) == ("snapshot", client.latest("USD", "EUR,GBP,JPY").rates)
            control("publish", "EUR", "0.8571")
            second = next(stream)
            assert (second.kind, second.changed) == ("rates", ("EUR",))
            latest = client.latest("USD", "EUR,GBP,JPY")
            assert second.rates == latest.rates and second.rates["EUR"] == Decimal("0.8571")
            assert (second.stale, second.sources, second.effective_at) == (
                latest.stale,
                latest.sources,
                latest.effective_at,
            )
            assert second.derived_symbols == latest.derived_symbols


def test_what_names_only_some_currencies_loses_those_that_an_event_does_not_name():
    session = Session(Connection("http://localhost:3000", None, 0, 0), "USD", None, None)
    whole = {"base": "USD", "source": "live", "market_session": "open", "notice": "", "derived_symbols": []}
    at = "2026-04-13T16:30:00Z"
    sparse = {"simulated": {"EUR": True, "JPY": True}, "spread_bps": {"EUR": 0.93, "JPY": 0.51}}

    def after(kind, codes, **members):
        each = {"sources": "live", "effective_at": at, "rates": 1.5, "stale": False}
        body = {name: dict.fromkeys(codes, value) for name, value in each.items()} | whole | members
        text = json.dumps(body | {"timestamp": at, "data_updated_at": at})
        (event,) = session.events(f"event: {kind}\nid: 1\ndata: {text}\n\n".encode())
        return event.simulated, event.spread_bps

    spreads = {"EUR": Decimal("0.93"), "JPY": Decimal("0.51")}
    assert after("snapshot", ["EUR", "JPY"], **sparse) == (sparse["simulated"], spreads)
    assert after("rates", ["EUR"]) == ({"JPY": True}, {"JPY": Decimal("0.51")})


def test_without_any_rate_it_says_why(servers, control):
    with Crossrate(servers.fading_url) as client, contextlib.closing(client.stream("USD", "EUR")) as stream:
        assert next(stream).rates
        control("fade")
        event = next(stream)
    assert (event.kind, event.changed, event.rates) == ("unavailable", ("EUR",), {})
    assert (event.error.code, type(event.error)) == ("live_unavailable", UnavailableError)


def test_after_a_cut_it_goes_on_with_what_changed_meanwhile(servers, control):
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        control("publish", "JPY", "158.01")

    with Crossrate(servers.stream_url, sleep=sleep) as client:
        with contextlib.closing(client.stream("USD", "EUR,JPY")) as stream:
            first = next(stream)
            control("cut")
            second = next(stream)
    assert (second.kind, second.changed, second.rates["JPY"]) == ("rates", ("JPY",), Decimal("158.01"))
    assert second.rates["EUR"] == first.rates["EUR"]
    assert control("last-event-ids")[-1] == first.id
    # What the server asked for by `retry`.
    assert waits == [3.0]


def test_the_asynchronous_stream_does_the_same(servers, control):
    async def watch():
        async def sleep(seconds):
            control("publish", "GBP", "0.7501")

        async with AsyncCrossrate(servers.stream_url, sleep=sleep) as client:
            async with contextlib.aclosing(client.stream("USD", "GBP")) as stream:
                events = [await anext(stream)]
                await asyncio.to_thread(control, "cut")
                return [*events, await anext(stream)]

    first, second = asyncio.run(watch())
    assert (first.kind, second.kind, second.rates) == ("snapshot", "rates", {"GBP": Decimal("0.7501")})


def test_what_a_first_connection_meets_is_final_when_the_retries_are_used_up(servers):
    waits = []
    with (
        Crossrate(servers.url, "fxk_wrong", sleep=waits.append) as client,
        pytest.raises(AuthenticationError),
    ):
        next(client.stream())
    with (
        Crossrate("http://127.0.0.1:9", sleep=waits.append, retries=1) as client,
        pytest.raises(NoAnswerError),
    ):
        next(client.stream())
    assert waits == [3.0]
    url = f"{servers.control_url}/refuse/service_unavailable"
    with Crossrate(url, sleep=waits.append, retries=2) as client, pytest.raises(UnavailableError):
        next(client.stream())
    assert waits == [3.0, 5.0, 6.0]


def test_events_are_read_from_bytes_that_are_cut_anywhere():
    first = 'retry: 1500\r\nevent: rates\nid: 7\ndata: {"a":\ndata: "€"}\n\n'
    text = first + ": a comment\n\nevent: rates\ndata\n\ndata: 2\n\n"
    whole = [("rates", "7", '{"a":\n"€"}'), ("", "7", "2")]
    content = text.encode()
    for size in (1, 2, 3, 7, len(content)):
        reader = EventReader()
        chunks = [content[at : at + size] for at in range(0, len(content), size)]
        found = [event for chunk in chunks for event in reader.read(chunk)]
        assert [event for event in found if event[2]] == whole
        assert reader.retry_seconds == 1.5
