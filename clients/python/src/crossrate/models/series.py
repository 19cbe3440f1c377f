"""Answers of `/v1/range` in JSON: pages of rows, bars, and the size of a file before it is downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

_Day = date


@dataclass(frozen=True, kw_only=True)
class Bar:
    """Open, high, low, close and mean of live quotes within an interval, as units per 1 unit of the base;
    `ticks` is their number.
    """

    open: Decimal
    high: Decimal
    low: Decimal
    close: Decimal
    mean: Decimal
    ticks: int


@dataclass(frozen=True, kw_only=True)
class RangeRow:
    """The rates of one date, or of one interval.

    `rates`: units of the currency per 1 unit of the base; a currency without a value is absent. `source` is
    None where every value was withdrawn. `last_dates` is set for weeks, months, quarters and years: the last
    day that counts in each value. `updated_at`, `revisions` and `withdrawn` are set in answers to
    `updated_after`: the latest retrieval and the highest revision behind each value, and the currencies that
    have no value any more. `start` and `bars` are set for bars of quotes; `rates` are then the closes.
    `is_complete` is False for a bar that is not over.
    """

    date: date
    source: str | None
    is_forward_filled: bool
    rates: dict[str, Decimal]
    last_dates: dict[str, _Day] | None = None
    updated_at: dict[str, datetime] | None = None
    revisions: dict[str, int] | None = None
    withdrawn: tuple[str, ...] | None = None
    start: datetime | None = None
    bars: dict[str, Bar] | None = None
    is_complete: bool | None = None


@dataclass(frozen=True, kw_only=True)
class QuoteImport:
    """A file of quotes that was imported, on which bars rest."""

    file: str
    sha256: str
    label: str | None
    base: str
    quote: str
    price: str
    rows: str
    first: datetime
    last: datetime
    imported_at: datetime


@dataclass(frozen=True, kw_only=True)
class RangePage:
    """A page of at most 366 rows. `sync_from`, a token, is the `updated_after` of the next synchronization."""

    base: str
    symbols: tuple[str, ...]
    start_date: date
    end_date: date
    source: str | None
    sources: dict[str, str]
    market_session: str
    timestamp: datetime
    data_updated_at: datetime | None
    derived_symbols: tuple[str, ...]
    notice: str
    data: tuple[RangeRow, ...]
    has_more: bool
    next_cursor: str | None
    simulated: dict[str, bool] | None = None
    interval: str | None = None
    aggregate: str | None = None
    side: str | None = None
    imports: tuple[QuoteImport, ...] | None = None
    missing_symbols: tuple[str, ...] = ()
    as_of: datetime | None = None
    as_of_basis: str | None = None
    as_of_reconstructed: bool | None = None
    updated_after: str | None = None
    sync_from: str | None = None


@dataclass(frozen=True, kw_only=True)
class ExportEstimate:
    """Size of an answer: rows, bytes, and the calls that it costs. `exact` is False where `rows` is an
    upper bound.
    """

    estimate: bool
    format: str
    rows: int
    bytes: int
    exact: bool
    requests: int
