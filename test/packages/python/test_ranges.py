"""Series: rows of all pages, frames, files and estimates hold what the JSON pages hold, to the last digit."""

from datetime import date, datetime, timezone
from decimal import Decimal

import polars as pl
import pytest
from crossrate import Crossrate, _frames

HISTORY = {"base": "EUR", "symbols": "*", "start_date": "2020-01-02", "end_date": "2026-04-14"}


@pytest.fixture(scope="module")
def pages(servers):
    """{(date, symbol): rate} of the series, from the JSON pages."""
    with Crossrate(servers.url, servers.key) as client:
        rows = list(client.range(**HISTORY))
    return {(row.date, symbol): rate for row in rows for symbol, rate in row.rates.items()}


def by_day(frame):
    return {(day, symbol): rate for day, symbol, rate in frame.select("date", "symbol", "rate").rows()}


def test_rows_are_those_of_the_pages_in_order(cr, raw):
    body = raw("/v1/range?base=EUR&symbols=USD,TWD&start_date=2024-12-01&end_date=2025-01-31")
    series = cr.range("EUR", ["USD", "TWD"], "2024-12-01", date(2025, 1, 31))
    assert [(row.date.isoformat(), row.rates) for row in series] == [
        (row["date"], row["rates"]) for row in body["data"]
    ]
    small = list(series.pages(limit=7))
    assert [row for page in small for row in page.data] == list(series)
    assert [len(page.data) for page in small[:-1]] == [7] * (len(small) - 1)


def test_a_polars_frame_of_thirty_currencies_equals_the_pages_to_the_last_digit(cr, pages):
    frame = cr.range(**HISTORY).to_polars()
    assert frame["symbol"].n_unique() == 30 and frame.height == len(pages) > 40_000
    # The shortest text of a float64 has all digits that were printed.
    assert {key: Decimal(repr(rate)) for key, rate in by_day(frame).items()} == pages


def test_an_exact_polars_frame_has_the_decimals_of_the_pages(cr, pages):
    frame = cr.range(**HISTORY).to_polars(exact=True)
    assert frame.schema["rate"] == pl.Decimal(38, 18)
    assert by_day(frame) == pages


def test_the_smallest_rates_keep_their_digits_too(cr):
    series = cr.range("IDR", "EUR,USD,GBP", "1999-01-04", "2005-12-31")
    assert by_day(series.to_polars(exact=True)) == {
        (row.date, symbol): rate for row in series for symbol, rate in row.rates.items()
    }


def test_pandas_and_arrow_have_the_same_rows(cr):
    series = cr.range("USD", "EUR,JPY,TWD", "2024-01-01", "2024-12-31")
    polars_rows = series.to_polars().select("date", "symbol", "rate").rows()
    frame = series.to_pandas()
    assert list(zip(frame["date"].dt.date, frame["symbol"], frame["rate"], strict=True)) == polars_rows
    exact = series.to_pandas(exact=True)
    assert [(float(rate), type(rate)) for rate in exact["rate"]] == [
        (rate, Decimal) for _, _, rate in polars_rows
    ]
    table = series.to_arrow().to_pydict()
    assert list(zip(table["date"], table["symbol"], table["rate"], strict=True)) == polars_rows


def test_every_option_reaches_the_server(cr):
    weeks = list(
        cr.range(
            "EUR", "USD", "2024-01-01", "2024-01-31", interval="1w", aggregate="mean", order="desc", dp=2
        )
    )
    assert [row.date for row in weeks] == sorted((row.date for row in weeks), reverse=True)
    assert all(row.rates["USD"] == round(row.rates["USD"], 2) for row in weeks)
    wide = cr.range("EUR", "USD,JPY", "2024-01-01", "2024-01-31", layout="wide", fill="previous").to_polars()
    assert wide.height == 31 and {"USD", "JPY"} <= set(wide.columns)
    instant = datetime(2024, 1, 16, tzinfo=timezone.utc)
    known = list(cr.range("EUR", "USD", "2024-01-01", "2024-01-31", as_of=instant, as_of_basis="published"))
    assert max(row.date for row in known) == date(2024, 1, 15)


def test_a_file_is_the_servers_whole_or_not_there(cr, tmp_path):
    series = cr.range("EUR", "USD,JPY", "2024-01-01", "2024-12-31")
    for name in ("a.parquet", "a.csv", "a.ndjson", "a.arrows", "a.xlsx"):
        assert series.save(tmp_path / name) == tmp_path / name
    assert pl.read_parquet(tmp_path / "a.parquet").equals(series.to_polars())
    assert pl.read_csv(tmp_path / "a.csv").height == pl.read_ipc_stream(tmp_path / "a.arrows").height
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".arrows", ".csv", ".ndjson", ".parquet", ".xlsx"]
    with pytest.raises(ValueError, match="ends in"):
        series.save(tmp_path / "a.ods")


def test_the_size_is_known_before_the_download(cr):
    size = cr.range("EUR", "USD", "2024-01-01", "2024-12-31").estimate("csv")
    assert (size.format, size.requests) == ("csv", 1)
    assert size.rows >= 250


def test_without_the_package_the_message_names_what_to_install(cr, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(ImportError, match=r"pip install 'crossrate\[polars\]'"):
        cr.range("EUR", "USD", "2024-01-01", "2024-01-31").to_polars()


def test_exact_frames_of_bars_and_quotes_have_a_type_for_every_column():
    bars = (
        b"start,base,symbol,open,high,low,close,mean,ticks,source\n"
        b"2026-04-13T16:30:00.000Z,EUR,USD,1.196315349,1.196744854,1.195886152,1.196601651,1.196345084,53,live\n"
    )
    quotes = (
        b"observed_at,retrieved_at,feed,base,quote,bid,ask,mid,decimals\n"
        b"2026-04-13T16:30:00.000Z,2026-04-13T16:30:01.199Z,coinbase,USD,EUR,,,0.8359,4\n"
    )
    at = datetime(2026, 4, 13, 16, 30, tzinfo=timezone.utc)
    for csv, instant, rate, count in (
        (bars, "start", "mean", "ticks"),
        (quotes, "observed_at", "mid", "decimals"),
    ):
        (row,) = _frames.exact_polars(csv).to_dicts()
        (same,) = _frames.exact_pandas(csv).to_dict("records")
        expected = Decimal({"mean": "1.196345084", "mid": "0.8359"}[rate])
        assert (row[instant], row[rate], type(row[count])) == (at, expected, int)
        assert (same[instant], same[rate], type(same[count])) == (at, expected, int)
    assert row["bid"] is None
    assert same["bid"] is None
