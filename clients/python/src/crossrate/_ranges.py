"""Series and bars: the requests for pages and files, and what is made of the files. `Range` and
`AsyncRange` send them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from . import _frames
from ._call import Call, Day, Instant, Steps, Symbols, day_text, instant_text, query_of, symbols_text
from ._operations import Basis
from .models.series import ExportEstimate, RangePage

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

FileFormat: TypeAlias = Literal["csv", "parquet", "ndjson", "arrow", "xlsx"]
Interval: TypeAlias = Literal["1m", "5m", "15m", "1h", "1d", "1w", "1mo", "1q", "1y", "tick"]
EPOCH = "1970-01-01T00:00:00Z"


@dataclass(frozen=True)
class RangeQuery:
    """The parameters of a series; the arguments of `range_query`."""

    parameters: dict[str, str]

    def page(self, cursor: str | None = None, limit: int | None = None) -> Call[RangePage]:
        """A page of rows."""
        return Call(
            "getRange", "/v1/range", RangePage, self.parameters | query_of(cursor=cursor, limit=limit)
        )

    def file(self, format: FileFormat) -> Call[bytes]:
        """The whole window as one file."""
        return Call("getRange", "/v1/range", bytes, self.parameters | {"format": format})

    def estimate(self, format: FileFormat | Literal["json"]) -> Call[ExportEstimate]:
        """The size of the answer."""
        query = self.parameters | {"format": format, "estimate": "1"}
        return Call("getRange", "/v1/range", ExportEstimate, query)

    def changes_after(self, instant: Instant) -> RangeQuery:
        """The same, limited to what changed since."""
        return replace(self, parameters=self.parameters | query_of(updated_after=instant_text(instant)))


def range_query(
    base: str = "USD",
    symbols: Symbols = "*",
    start_date: Day = "1999-01-04",
    end_date: Day = "2099-12-31",
    *,
    fill: Literal["none", "previous"] | None = None,
    interval: Interval | None = None,
    aggregate: Literal["last", "mean"] | None = None,
    side: Literal["mid", "bid", "ask"] | None = None,
    order: Literal["asc", "desc"] | None = None,
    layout: Literal["long", "wide"] | None = None,
    dp: int | None = None,
    as_of: Instant | None = None,
    as_of_basis: Basis | None = None,
    updated_after: Instant | None = None,
) -> RangeQuery:
    """A series of rates. Nothing is sent before it is iterated, or before one of its `to_…` methods is
    called.

    base: currency of which 1 unit is priced.
    symbols: currencies wanted; all but the base by default.
    start_date, end_date: first and last UTC day; by default everything that there is.
    fill: `"previous"` gives every calendar day, filled and flagged; by default only days with a publication.
    interval: None for daily rates; `"1w"`, `"1mo"`, `"1q"` and `"1y"` for weeks, months, quarters and years of
        them; `"1m"` to `"1d"` for bars of live quotes; `"tick"` for the quotes as delivered (files only).
    aggregate: of weeks, months, quarters and years, the `"last"` value (the default) or the exact `"mean"`.
    side: of bars and quotes, the price that counts: `"mid"` (the default), `"bid"` or `"ask"`.
    order: `"desc"` for the newest first.
    layout: of files, `"long"` (the default, a row for each date and currency) or `"wide"` (a column for each
        currency).
    dp: rounds rates half-even to this many decimals.
    as_of, as_of_basis: what was known at an instant, as for `historical`.
    updated_after: only what changed since: `sync_from` of an earlier page, or an instant, which is
        approximate. `sync_polars` and `sync_pandas` send it themselves.
    """
    return RangeQuery(
        query_of(
            base=base,
            symbols=symbols_text(symbols),
            start_date=day_text(start_date),
            end_date=day_text(end_date),
            fill=fill,
            interval=interval,
            aggregate=aggregate,
            side=side,
            order=order,
            layout=layout,
            dp=dp,
            as_of=instant_text(as_of),
            as_of_basis=as_of_basis,
            updated_after=instant_text(updated_after),
        )
    )


def to_polars(query: RangeQuery, *, exact: bool = False) -> Steps[pl.DataFrame]:
    """The whole window as a Polars frame, in one call. Needs `crossrate[polars]`.

    Columns: date, base, symbol, rate, source, is_forward_filled, derived, derivation_bps_max; those of bars,
        quotes and
    the wide layout are described in docs/contract.md. `rate` is the float64 nearest to the digits of the JSON
    pages; with `exact` it is a Decimal with all of them.
    """
    if exact:
        return _frames.exact_polars((yield query.file("csv")))
    return _frames.polars_of((yield query.file("parquet")))


def to_pandas(query: RangeQuery, *, exact: bool = False) -> Steps[pd.DataFrame]:
    """The same as a pandas frame; with `exact` rates are `decimal.Decimal`. Needs `crossrate[pandas]`."""
    if exact:
        return _frames.exact_pandas((yield query.file("csv")))
    return _frames.pandas_of((yield query.file("parquet")))


def to_arrow(query: RangeQuery) -> Steps[pa.Table]:
    """The same as an Arrow table, with texts as dictionaries. Needs `crossrate[arrow]`."""
    return _frames.arrow_of((yield query.file("arrow")))


def sync_polars(query: RangeQuery, previous: pl.DataFrame | None = None) -> Steps[pl.DataFrame]:
    """A copy that is kept up to date, in one call: everything the first time, then what changed. Needs
    `crossrate[polars]`.

    previous: the frame that the last synchronization returned, possibly stored as Parquet in between. All
        arguments of the range stay the same. Only what is new, corrected or withdrawn since is downloaded,
        and merged into it.
    Columns: those of `to_polars`, and `revision` and `updated_at`, the retrieval of the newest figure behind
        the rate.
    """
    since = EPOCH if previous is None else _frames.polars_synced_to(previous, query.parameters["base"])
    changes = _frames.polars_of((yield query.changes_after(since).file("parquet")))
    return _frames.polars_merged(previous, changes)


def sync_pandas(query: RangeQuery, previous: pd.DataFrame | None = None) -> Steps[pd.DataFrame]:
    """The same as a pandas frame. Needs `crossrate[pandas]`."""
    since = EPOCH if previous is None else _frames.pandas_synced_to(previous, query.parameters["base"])
    changes = _frames.pandas_of((yield query.changes_after(since).file("parquet")))
    return _frames.pandas_merged(previous, changes)


def estimate(query: RangeQuery, format: FileFormat | Literal["json"] = "parquet") -> Steps[ExportEstimate]:
    """Rows and bytes of an answer, and the calls that it costs, before anything is downloaded."""
    size: ExportEstimate = yield query.estimate(format)
    return size


def save(query: RangeQuery, path: str | os.PathLike[str]) -> Steps[Path]:
    """The whole window as a file: `.csv`, `.parquet`, `.ndjson`, `.arrows` or `.xlsx`. It appears whole or
    not at all.
    """
    target = Path(path)
    formats: dict[str, FileFormat] = {
        ".csv": "csv",
        ".parquet": "parquet",
        ".ndjson": "ndjson",
        ".arrows": "arrow",
        ".xlsx": "xlsx",
    }
    if target.suffix not in formats:
        raise ValueError(f"the name of the file ends in {', '.join(formats)}: {target}")
    return write_whole(target, (yield query.file(formats[target.suffix])))


def write_whole(target: Path, content: bytes) -> Path:
    """Writes a file that other processes see whole or not at all."""
    part = target.with_name(f".{target.name}.part")
    part.write_bytes(content)
    part.replace(target)
    return target
