"""Calls of the client that a strict type checker accepts, with the types of their answers."""

from contextlib import aclosing
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
from crossrate import AsyncCrossrate, Crossrate, Lake, PlanGatedError, webhooks
from crossrate.models.rates import LatestRates
from crossrate.models.series import RangeRow
from typing_extensions import assert_type

cr = Crossrate("http://localhost:3000", key=None, retries=2)
assert_type(cr.latest(), LatestRates)
assert_type(cr.latest("EUR", ["USD"], dp=4).rates["USD"], Decimal)
assert_type(cr.historical(date(2025, 1, 3), "EUR").is_forward_filled, bool)
assert_type(cr.convert("100.10", "USD", "EUR", date="2025-01-03").converted, Decimal)
assert_type(
    cr.convert_batch("EUR", [("USD", 1), ("JPY", Decimal("2.5"))]).conversions[0].derivation_bps_max,
    Decimal | None,
)
assert_type(cr.convert_dated([(1, "EUR", "USD", "2025-01-03")]).conversions[0].rate_date, date)

series = cr.range("EUR", "*", "2025-01-01", date.today(), as_of=datetime.now(timezone.utc), fill="previous")
for row in series:
    assert_type(row, RangeRow)
assert_type(series.to_polars(exact=True), pl.DataFrame)
assert_type(series.sync_polars(series.to_polars()), pl.DataFrame)
assert_type(series.to_pandas(), pd.DataFrame)
assert_type(cr.lake("lake", ["daily"], years=range(2020, 2027)), Lake)
assert_type(cr.proof("EUR", "USD", date(2025, 1, 3)).legs[0].value, Decimal)
for entry in cr.chain_entries():
    assert_type(entry, dict[str, Any])
for event in cr.stream("USD", "EUR"):
    assert_type(event.rates, dict[str, Decimal])

assert_type(webhooks.verify(b"", "t=1,v1=0", ["whsec_a", "whsec_b"]).data.publication, str | None)


def earliest(error: PlanGatedError) -> date:
    return error.earliest_allowed


async def same() -> None:
    async with AsyncCrossrate("http://localhost:3000") as ac:
        assert_type(await ac.latest("EUR"), LatestRates)
        assert_type(await ac.range("EUR").to_polars(), pl.DataFrame)
        async for row in ac.range("EUR"):
            assert_type(row, RangeRow)
        async with aclosing(ac.stream()) as stream:
            async for event in stream:
                assert_type(event.kind, str)
