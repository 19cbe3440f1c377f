"""Every operation returns what the server answers, to the last digit."""

import asyncio
import inspect
from datetime import date, datetime, timezone
from decimal import Context, Decimal

import numpy
import pytest
from crossrate import AsyncCrossrate, Crossrate, ApiError


def test_latest_rates_are_the_digits_of_the_answer(cr, raw):
    answer = cr.latest("EUR", ["USD", "TWD"])
    body = raw("/v1/latest?base=EUR&symbols=USD,TWD")
    assert answer.rates == body["rates"]
    assert [str(rate) for rate in answer.rates.values()] == [str(rate) for rate in body["rates"].values()]
    assert answer.sources == body["sources"]
    assert answer.derived_symbols == tuple(body["derived_symbols"])
    assert answer.effective_at["USD"] == datetime.fromisoformat(
        body["effective_at"]["USD"].replace("Z", "+00:00")
    )
    assert len(cr.latest().rates) == 30


def test_an_empty_list_of_symbols_is_not_taken_for_all_of_them(cr):
    calls = [
        lambda: cr.latest(symbols=[]),
        lambda: cr.historical("2015-01-15", symbols=[]),
        lambda: next(iter(cr.stream(symbols=[]))),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="the list of symbols is empty"):
            call()


def test_a_day_is_given_as_a_date_a_text_or_a_midnight(cr, raw):
    expected = raw("/v1/2015-01-15?base=EUR&symbols=CHF")["rates"]
    for day in (date(2015, 1, 15), "2015-01-15", datetime(2015, 1, 15)):
        answer = cr.historical(day, "EUR", "CHF")
        assert (answer.date, answer.rates) == (date(2015, 1, 15), expected)
    with pytest.raises(ValueError, match="not a day"):
        cr.historical(datetime(2015, 1, 15, 12))


def test_rates_of_a_day_as_they_were_known_at_an_instant(cr):
    instant = datetime(2024, 12, 24, tzinfo=timezone.utc)
    answer = cr.historical("2024-12-23", "EUR", "USD", as_of=instant, as_of_basis="published")
    assert (answer.as_of, answer.as_of_basis, answer.as_of_reconstructed) == (instant, "published", True)
    with pytest.raises(ValueError, match="no zone"):
        cr.historical("2024-12-23", as_of=datetime(2024, 12, 24))


@pytest.mark.parametrize(
    "amount", [100, "100", Decimal("100"), 100.0, Decimal("1E+2"), numpy.float64(100), numpy.int64(100)]
)
def test_a_conversion_is_exact_whatever_the_type_of_the_amount(cr, amount):
    answer = cr.convert(amount, "USD", "EUR", date="2024-03-01")
    assert (answer.amount, answer.converted) == (100, answer.rate * 100)
    assert (answer.from_ccy, answer.to_ccy, answer.date) == ("USD", "EUR", date(2024, 3, 1))


def test_a_float_is_sent_as_the_shortest_text_that_denotes_it(cr):
    assert cr.convert(0.1, "USD", "EUR").amount == Decimal("0.1")


@pytest.mark.parametrize("amount", [float("nan"), Decimal("Infinity"), True])
def test_what_is_no_amount_is_not_sent(cr, amount):
    with pytest.raises(ValueError, match="not an amount"):
        cr.convert(amount, "USD", "EUR")


def test_a_batch_keeps_the_order_and_the_digits(cr):
    pairs = [("JPY", "2500.5"), ("USD", Decimal("0.000000000000001"))]
    answer = cr.convert_batch("EUR", pairs)
    assert [(item.to_ccy, item.amount) for item in answer.conversions] == [
        (to, Decimal(one)) for to, one in pairs
    ]
    assert [item.converted for item in answer.conversions] == [
        item.rate * item.amount for item in answer.conversions
    ]


def test_dated_items_have_the_rate_of_their_day(cr):
    items = [(Decimal("49.90"), "USD", "EUR", date(2026, 4, 10)), ("-1", "GBP", "JPY", "2026-04-11")]
    first, second = cr.convert_dated(items).conversions
    one = cr.convert("49.90", "USD", "EUR", date="2026-04-10")
    assert (first.rate, first.converted, first.date) == (one.rate, one.converted, one.date)
    assert (second.amount, second.rate_date, second.is_filled) == (-1, date(2026, 4, 10), True)
    assert "2026-04-10" in second.citation
    with pytest.raises(ApiError) as refused:
        cr.convert_dated([*items, ("1", "USD", "EUR", "2026-02-30")])
    assert refused.value.code == "validation_error"


def test_pairs_and_the_catalog(cr, raw):
    assert cr.pair("usd-eur").rate == raw("/v1/rate/USD-EUR")["rate"]
    catalog = cr.currencies()
    assert (catalog.count, catalog.pairs, len(catalog.currencies)) == (31, 465, 31)
    assert {one.code: one.minor_units for one in catalog.currencies}["JPY"] == 0


def test_an_explanation_is_of_the_rate_of_the_day_and_computes_it(cr):
    answer = cr.explain("USD", "JPY", date="2024-03-01")
    assert answer.rate == cr.historical("2024-03-01", "USD", "JPY").rates["JPY"]
    quotient = Decimal(answer.computation.numerator) / Decimal(answer.computation.denominator)
    assert Context(prec=answer.computation.significant_digits).plus(quotient) == answer.rate
    assert [(leg.operation, leg.quote, leg.source) for leg in answer.legs] == [
        ("multiply", "JPY", "ecb_daily"),
        ("divide", "USD", "ecb_daily"),
    ]


def test_official_publications_in_every_version_with_the_digits_as_printed(cr):
    assert any(table.id == "mex_fix" for table in cr.official_tables().tables)
    newest = cr.official_latest("mex", "fix", valid_on="2026-04-14")
    assert (newest.version, str(newest.rows[0].rate)) == (2, "17.350000")
    first = cr.official_publication("MEX", "fix", newest.publication, version=1)
    assert (first.version, str(first.rows[0].rate)) == (1, "17.340000")
    page = cr.official_publications("mex", "fix", from_="2026-04-01", to="2026-04-30", limit=5)
    assert [entry.publication for entry in page.publications] == [newest.publication]


def test_official_changes_are_read_once_each_by_the_cursor(cr):
    first = cr.official_changes(country="MEX", limit=1)
    second = cr.official_changes(country="MEX", limit=1, cursor=first.resume_cursor)
    last = cr.official_changes(country="MEX", limit=1, cursor=second.resume_cursor)
    assert [event.type for event in first.changes + second.changes] == [
        "official.published",
        "official.corrected",
    ]
    assert (first.changes[0].data.version, second.changes[0].data.version, last.changes) == (1, 2, ())


def test_probes(cr):
    assert cr.health().status == "ok"
    assert cr.status().checks.lake.status == "ok"


def test_limits_of_the_last_answer(cr):
    assert cr.rate_limit is None
    cr.latest("EUR", "USD")
    before = cr.rate_limit
    cr.latest("EUR", "USD")
    assert before.remaining - cr.rate_limit.remaining == 1
    assert cr.rate_limit.limit == 500


def test_the_asynchronous_client_returns_the_same(cr, servers):
    async def ask():
        async with AsyncCrossrate(servers.url, servers.key) as ac:
            days = ac.range("EUR", "USD,JPY", "2024-12-01", "2024-12-31")
            return (
                (await ac.latest("EUR", "USD")).rates,
                await ac.convert(100, "USD", "EUR", date="2024-03-01"),
                [row async for row in days],
                await days.to_polars(),
                ac.rate_limit,
            )

    rates, conversion, rows, frame, limits = asyncio.run(ask())
    days = cr.range("EUR", "USD,JPY", "2024-12-01", "2024-12-31")
    assert rates == cr.latest("EUR", "USD").rates
    assert conversion.converted == cr.convert(100, "USD", "EUR", date="2024-03-01").converted
    assert rows == list(days)
    assert frame.equals(days.to_polars())
    assert limits.limit == 500


def test_help_shows_the_arguments_of_an_operation():
    for client in (Crossrate, AsyncCrossrate):
        assert list(inspect.signature(client.latest).parameters) == ["self", "base", "symbols", "dp"]
        assert "newest rates" in client.latest.__doc__
