"""A copy that is kept up to date by one call equals a new one: after corrections, withdrawals, and a way
over a file.
"""

import pandas as pd
import polars as pl
import pytest

SERIES = ("EUR", "*", "2024-12-01", "2099-12-31")


def rates(frame):
    """{(date, symbol): rate} of a frame of either library."""
    if isinstance(frame, pd.DataFrame):
        frame = pl.from_pandas(frame).with_columns(pl.col("date").cast(pl.Date))
    return {(str(date), symbol): rate for date, symbol, rate in frame.select("date", "symbol", "rate").rows()}


def test_a_polars_frame_takes_over_corrections_and_withdrawals(cr, later, tmp_path):
    before = cr.range(*SERIES).sync_polars()
    assert rates(before) == rates(cr.range(*SERIES).to_polars())
    before.write_parquet(tmp_path / "copy.parquet")
    after = later.range(*SERIES).sync_polars(pl.read_parquet(tmp_path / "copy.parquet"))
    whole = later.range(*SERIES).sync_polars()
    assert after.equals(whole)
    assert rates(after) == rates(later.range(*SERIES).to_polars())
    old, new = rates(before), rates(after)
    assert new["2024-12-23", "USD"] == 1.0393 != old["2024-12-23", "USD"]
    assert ("2024-12-30", "NOK") in old and ("2024-12-30", "NOK") not in new
    # TWD is a cross through the corrected dollar.
    changed = {("2024-12-23", "USD"), ("2024-12-23", "TWD"), ("2024-12-30", "NOK")}
    assert {key for key in old | new if old.get(key) != new.get(key)} == changed


def test_only_what_changed_is_asked_for(later):
    whole = later.range(*SERIES).sync_polars()
    since = whole["updated_at"].max()
    changed = list(later.range(*SERIES, updated_after=since.replace(hour=since.hour - 1)))
    # The corrected dollar and its cross, and the krone in the days that its withdrawn figure may have filled.
    assert {symbol for row in changed for symbol in row.rates} == {"USD", "TWD", "NOK"}
    assert sum(len(row.rates) for row in changed) < 20 < whole.height
    assert later.range(*SERIES).sync_polars(whole).equals(whole)


def test_a_pandas_frame_takes_over_the_same(cr, later):
    before = cr.range(*SERIES).sync_pandas()
    after = later.range(*SERIES).sync_pandas(before)
    assert rates(after) == rates(later.range(*SERIES).to_polars())
    pd.testing.assert_frame_equal(after, later.range(*SERIES).sync_pandas())
    pd.testing.assert_frame_equal(later.range(*SERIES).sync_pandas(after), after)


def test_a_frame_of_something_else_is_refused(cr):
    with pytest.raises(ValueError, match="no column updated_at"):
        cr.range("EUR").sync_polars(pl.DataFrame({"base": ["EUR"], "date": [None], "symbol": ["USD"]}))
    copy = cr.range("EUR", "USD", "2026-04-01").sync_polars()
    with pytest.raises(ValueError, match="on EUR, not on USD"):
        cr.range("usd", "EUR", "2026-04-01").sync_polars(copy)
    assert cr.range("eur", "USD", "2026-04-01").sync_polars(copy.clear()).equals(copy)
