"""Answers with rates: latest, a day, conversions, one pair, the catalog of currencies."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Where rates came from. Every answer with rates has these members.

    `source` is the least fresh source that contributed (`live`, `ecb_daily`, `fred_daily`, `banxico_daily`,
    `dof_daily`; further values may be added), `sources` that of each currency. `market_session` is `open`,
    `weekend` or `interbank_closed`. `timestamp` is when the answer was served, `data_updated_at` the oldest
    observation in it, both UTC. `simulated`: only from the demo, the currencies whose rate rests on a
    simulated figure, else None; one that is not named is real.
    """

    source: str
    sources: dict[str, str]
    market_session: str
    timestamp: datetime
    data_updated_at: datetime
    notice: str
    simulated: dict[str, bool] | None = None


@dataclass(frozen=True, kw_only=True)
class LatestRates(Provenance):
    """The newest rates on a base.

    `rates`: units of the currency per 1 unit of `base`. `effective_at`: observation time of each currency,
    UTC. `stale`: whether a newer rate should be there by now. `derived_symbols`: currencies whose rate goes
    through a third one. `missing_symbols`: requested currencies without a rate. `spread_bps`: spread of the
    live quote behind a rate, where the rate is made of one quote with a bid and an ask.
    """

    base: str
    effective_at: dict[str, datetime]
    rates: dict[str, Decimal]
    stale: dict[str, bool]
    derived_symbols: tuple[str, ...]
    missing_symbols: tuple[str, ...] = ()
    spread_bps: dict[str, Decimal] | None = None


@dataclass(frozen=True, kw_only=True)
class HistoricalRates(Provenance):
    """The rates of a day on a base.

    `rates`: units of the currency per 1 unit of `base`. `is_forward_filled`: a rate is of an earlier day,
    because nothing was published on this one. The `as_of` members are set in answers to point-in-time
    requests: the instant, the basis, and whether a figure in the answer was collected after that instant.
    """

    base: str
    date: date
    effective_at: dict[str, datetime]
    is_forward_filled: bool
    rates: dict[str, Decimal]
    derived_symbols: tuple[str, ...]
    missing_symbols: tuple[str, ...] = ()
    as_of: datetime | None = None
    as_of_basis: str | None = None
    as_of_reconstructed: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Fluctuation:
    """How one rate changed between two days, each end with the day of its figures.

    `change` is exact, `change_pct` in percent of `start_rate`, half-even to six significant digits. `low` and
    `high` are of the start and of all days published since.
    """

    start_rate: Decimal
    start_date: date
    end_rate: Decimal
    end_date: date
    change: Decimal
    change_pct: Decimal
    low: Decimal
    low_date: date
    high: Decimal
    high_date: date


@dataclass(frozen=True, kw_only=True)
class Fluctuations(Provenance):
    """How the rates of a base changed between two days. `missing_symbols`: no rate on one of the days."""

    base: str
    start_date: date
    end_date: date
    effective_at: dict[str, datetime]
    rates: dict[str, Fluctuation]
    derived_symbols: tuple[str, ...]
    missing_symbols: tuple[str, ...] = ()
    as_of: datetime | None = None
    as_of_basis: str | None = None
    as_of_reconstructed: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Average:
    """The mean of one rate over a period, exact, half-even to ten significant digits, of so many `days`."""

    average: Decimal
    days: int
    first: Decimal
    first_date: date
    last: Decimal
    last_date: date
    low: Decimal
    low_date: date
    high: Decimal
    high_date: date


@dataclass(frozen=True, kw_only=True)
class Averages(Provenance):
    """Means of the rates of a base over a period. `is_complete` is False while figures of it are to come."""

    base: str
    start_date: date
    end_date: date
    method: str
    is_complete: bool
    effective_at: dict[str, datetime]
    rates: dict[str, Average]
    derived_symbols: tuple[str, ...]
    missing_symbols: tuple[str, ...] = ()
    as_of: datetime | None = None
    as_of_basis: str | None = None
    as_of_reconstructed: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Conversion(Provenance):
    """An amount in another currency.

    `rate`: units of `to_ccy` per 1 unit of `from_ccy`. `converted` is `rate` times `amount`, exactly, in
    units of `to_ccy` and not rounded to its minor units. `derived`: the rate goes through a third currency;
    `derivation_bps_max` then bounds the error of that in basis points, or is None where nothing bounds it.
    `date` and `is_forward_filled` are set where the rate of a day was requested.
    """

    from_ccy: str = field(metadata={"name": "from"})
    to_ccy: str = field(metadata={"name": "to"})
    amount: Decimal
    rate: Decimal
    converted: Decimal
    derived: bool
    derivation_bps_max: Decimal | None
    effective_at: dict[str, datetime]
    stale: bool
    date: date | None = None
    is_forward_filled: bool | None = None


@dataclass(frozen=True, kw_only=True)
class BatchItem:
    """One amount of a batch; the members are those of `Conversion`."""

    to_ccy: str = field(metadata={"name": "to"})
    amount: Decimal
    rate: Decimal
    converted: Decimal
    derived: bool
    derivation_bps_max: Decimal | None


@dataclass(frozen=True, kw_only=True)
class BatchConversion(Provenance):
    """Amounts of one currency in others, all from one set of rates, in the order of the request.

    `missing_symbols`: targets without a rate, which `conversions` leaves out.
    """

    from_ccy: str = field(metadata={"name": "from"})
    conversions: tuple[BatchItem, ...]
    effective_at: dict[str, datetime]
    stale: dict[str, bool]
    missing_symbols: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DatedConversion:
    """One amount at the rate of its day.

    `rate_date`: the day of the figure, or of a table's publication the first day of its validity. `source`: a daily source, or the id of
    the table. `is_filled`: nothing was published on `date` itself. `citation`: one line that finds the rate again.
    """

    from_ccy: str = field(metadata={"name": "from"})
    to_ccy: str = field(metadata={"name": "to"})
    amount: Decimal
    rate_date: date
    date: date
    rate: Decimal
    converted: Decimal
    source: str
    derived: bool
    is_filled: bool
    citation: str


@dataclass(frozen=True, kw_only=True)
class DatedBatch:
    """Converted amounts, one for each item, in the order of the request. The `as_of` members as in `HistoricalRates`."""

    conversions: tuple[DatedConversion, ...]
    market_session: str
    timestamp: datetime
    notice: str
    as_of: datetime | None = None
    as_of_basis: str | None = None
    as_of_reconstructed: bool | None = None


@dataclass(frozen=True, kw_only=True)
class PairRate(Provenance):
    """The newest rate of one pair. `rate`: units of `quote` per 1 unit of `base`."""

    pair: str
    base: str
    quote: str
    rate: Decimal
    effective_at: dict[str, datetime]
    stale: bool
    derived: bool
    derivation_bps_max: Decimal | None


@dataclass(frozen=True, kw_only=True)
class Currency:
    """A currency of the catalog.

    `decimals`: those that its daily reference is published with. `minor_units`: decimals of its amounts (ISO
    4217). `derived`: whether its rate to USD goes through a third currency. `history_start`: first day with a
    figure. `last_date`: date of its last published figure.
    """

    code: str
    name: str
    type: str
    decimals: int | None
    minor_units: int
    derived: bool
    live: bool
    sources: tuple[str, ...]
    history_start: date | None
    last_date: date | None


@dataclass(frozen=True, kw_only=True)
class CurrencyList:
    """The catalog: `count` currencies, which make up `pairs` pairs."""

    currencies: tuple[Currency, ...]
    count: int
    pairs: int
