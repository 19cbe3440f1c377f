"""The operations of the server, one function each: arguments to a request. Both clients offer them as
methods.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from ._call import (
    Amount,
    Call,
    Day,
    Instant,
    Symbols,
    amount_text,
    day_text,
    instant_text,
    path_of,
    query_of,
    symbols_text,
)
from .models.chain import ChainPage, Proof, SignedHead
from .models.explain import Explanation
from .models.official import (
    OfficialChanges,
    OfficialConversion,
    OfficialInForce,
    OfficialRates,
    OfficialTables,
    Publication,
    PublicationPage,
)
from .models.rates import (
    Averages,
    BatchConversion,
    Conversion,
    CurrencyList,
    DatedBatch,
    Fluctuations,
    HistoricalRates,
    LatestRates,
    PairRate,
)
from .models.status import Health, Status

Basis: TypeAlias = Literal["published", "retrieved"]
DatedItem: TypeAlias = tuple[Amount, str, str, Day] | tuple[Amount, str, str, Day, str | None]
"""Amount, its currency, the currency wanted, the day; and an official table as `"country/type"`."""
OfficialRule: TypeAlias = Literal["in_force", "previous_business_day", "published_on"]


def latest(base: str = "USD", symbols: Symbols | None = None, *, dp: int | None = None) -> Call[LatestRates]:
    """The newest rates on a base, live where there are live quotes.

    base: currency of which 1 unit is priced.
    symbols: currencies wanted, such as `"EUR,JPY"` or `["EUR", "JPY"]`; all but the base when left out.
    dp: rounds rates half-even to this many decimals, 0 to 10; by default they have all their digits.
    """
    return Call(
        "getLatest", "/v1/latest", LatestRates, query_of(base=base, symbols=symbols_text(symbols), dp=dp)
    )


def historical(
    day: Day,
    base: str = "USD",
    symbols: Symbols | None = None,
    *,
    dp: int | None = None,
    as_of: Instant | None = None,
    as_of_basis: Basis | None = None,
) -> Call[HistoricalRates]:
    """The daily reference rates in force on a UTC day, from 1999-01-04 on.

    day: the day; on one without a publication the rates before it are in force, at most 14 days back.
    base, symbols, dp: as for `latest`.
    as_of: answers with what was known at this instant, corrections after it undone.
    as_of_basis: `"published"` (the default): known to the public; `"retrieved"`: held by this very server.
    Raises NotFoundError where nothing is known of the day, PlanGatedError where it lies before the plan's
    history.
    """
    query = query_of(
        base=base, symbols=symbols_text(symbols), dp=dp, as_of=instant_text(as_of), as_of_basis=as_of_basis
    )
    return Call("getHistorical", path_of("v1", str(day_text(day))), HistoricalRates, query)


def fluctuation(
    base: str = "USD",
    symbols: Symbols | None = None,
    *,
    start_date: Day,
    end_date: Day,
    as_of: Instant | None = None,
    as_of_basis: Basis | None = None,
) -> Call[Fluctuations]:
    """How rates changed between two days, with the extremes between them.

    base, symbols: as for `latest`.
    start_date, end_date: UTC days; each end has the rates in force then, at most 14 days old.
    as_of, as_of_basis: as for `historical`.
    """
    query = query_of(
        base=base,
        symbols=symbols_text(symbols),
        start_date=day_text(start_date),
        end_date=day_text(end_date),
        as_of=instant_text(as_of),
        as_of_basis=as_of_basis,
    )
    return Call("getFluctuation", "/v1/fluctuation", Fluctuations, query)


def average(
    base: str = "USD",
    symbols: Symbols | None = None,
    *,
    start_date: Day | None = None,
    end_date: Day | None = None,
    period: str | None = None,
    method: Literal["published", "calendar"] = "published",
    as_of: Instant | None = None,
    as_of_basis: Basis | None = None,
) -> Call[Averages]:
    """Means of rates over a period, with the first, the last, the smallest and the largest rate.

    base, symbols: as for `latest`.
    start_date, end_date: UTC days, both; or period: `"2025"`, `"2025-Q3"`, `"2025-07"`, or a tax year such as
    `"GBR-2025-26"`.
    method: `"published"`: of the days with figures of their own; `"calendar"`: of all days.
    as_of, as_of_basis: as for `historical`.
    """
    query = query_of(
        base=base,
        symbols=symbols_text(symbols),
        start_date=day_text(start_date),
        end_date=day_text(end_date),
        period=period,
        method=method,
        as_of=instant_text(as_of),
        as_of_basis=as_of_basis,
    )
    return Call("getAverage", "/v1/average", Averages, query)


def convert(
    amount: Amount, from_ccy: str, to_ccy: str, *, date: Day | None = None, dp: int | None = None
) -> Call[Conversion]:
    """An amount of `from_ccy` in `to_ccy`, at the newest rate or at the rate of a day.

    amount: from -1e15 to 1e15, in units of `from_ccy`. A Decimal or a text keeps every digit.
    date: day whose daily reference rate is used.
    dp: rounds the rate half-even to this many decimals.
    """
    query = query_of(amount=amount_text(amount), date=day_text(date), dp=dp)
    return Call("convertPair", path_of("v1", "convert", from_ccy, to_ccy), Conversion, query)


def convert_batch(from_ccy: str, pairs: Iterable[tuple[str, Amount]]) -> Call[BatchConversion]:
    """Several amounts of one currency, all at rates of one instant.

    pairs: target currency and amount in units of `from_ccy`; 1 to 100 of them. Each counts as one call.
    """
    body = {"from": from_ccy, "pairs": [[code, amount_text(amount)] for code, amount in pairs]}
    return Call("convertPairs", "/v1/convert", BatchConversion, body=body)


def convert_dated(
    items: Iterable[DatedItem], *, as_of: Instant | None = None, as_of_basis: Basis | None = None
) -> Call[DatedBatch]:
    """Up to 1,000 amounts, each at the reference rate of its own day, or by the official table that it names. All are converted, or
    the call is refused and `errors` names every item with a fault.

    items: amount, its currency, the currency wanted, the day, and where wanted a table as `"country/type"`. Each counts as one call.
    as_of, as_of_basis: as for `historical`.
    """
    body = {"items": [_dated_item(*item) for item in items]}
    query = query_of(as_of=instant_text(as_of), as_of_basis=as_of_basis)
    return Call("convertDatedItems", "/v1/convert/dated", DatedBatch, query, body=body)


def _dated_item(amount: Amount, from_ccy: str, to_ccy: str, date: Day, table: str | None = None) -> dict[str, str]:
    item = {"from": from_ccy, "to": to_ccy, "amount": amount_text(amount), "date": day_text(date) or ""}
    return item if table is None else item | {"table": table}


def pair(slug: str, *, dp: int | None = None) -> Call[PairRate]:
    """The newest rate of a pair by its slug: `"usd-eur"`, or one of the two Mexican official rates.

    slug: `base-quote`, in any case; `"usd-mxn-banxico"` is the FIX, `"usd-mxn-dof"` the rate of the Diario
        Oficial.
    """
    return Call("getRate", path_of("v1", "rate", slug), PairRate, query_of(dp=dp))


def explain(from_ccy: str, to_ccy: str, *, date: Day | None = None) -> Call[Explanation]:
    """Where a rate comes from: its figures as published, their documents and revisions, and the exact
    computation.

    date: explains the rate of this UTC day; without it the newest rate.
    """
    path = path_of("v1", "explain", from_ccy, to_ccy)
    return Call("explainRate", path, Explanation, query_of(date=day_text(date)))


def currencies() -> Call[CurrencyList]:
    """The catalog of currencies, with decimals, minor units and first day of history."""
    return Call("listCurrencies", "/v1/currencies", CurrencyList)


def official_tables() -> Call[OfficialTables]:
    """Tables of official rates, with authority, terms and newest publication."""
    return Call("listOfficialTables", "/v1/official", OfficialTables)


def official_changes(
    since: Instant | None = None,
    *,
    country: str | None = None,
    type: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[OfficialChanges]:
    """What was published and corrected, in the order of the commits.

    since: the first event created at this instant or later, and everything committed after it.
    country, type: of one country (ISO 3166-1 alpha-3), of tables with this type.
    limit: events in the answer, 1 to 500.
    cursor: `resume_cursor` of the answer before: everything after it, each event once.
    """
    query = query_of(since=instant_text(since), country=country, type=type, limit=limit, cursor=cursor)
    return Call("listOfficialChanges", "/v1/official/changes", OfficialChanges, query)


def official_publications(
    country: str,
    type: str,
    *,
    from_: Day | None = None,
    to: Day | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[PublicationPage]:
    """Publications of a table without their rates, the newest validity first.

    from_, to: bounds of the first day of validity, both inclusive.
    limit: entries in the answer, 1 to 366.
    cursor: `next_cursor` of the answer before.
    """
    query = query_of(from_=day_text(from_), to=day_text(to), limit=limit, cursor=cursor)
    path = path_of("v1", "official", country, type, "publications")
    return Call("listOfficialPublications", path, PublicationPage, query)


def official_latest(country: str, type: str, *, valid_on: Day | None = None) -> Call[Publication]:
    """The publication of the newest validity, with its rates; with `valid_on` the one that is valid on
    that day.
    """
    path = path_of("v1", "official", country, type, "publications", "latest")
    return Call("getLatestOfficialPublication", path, Publication, query_of(valid_on=day_text(valid_on)))


def official_publication(
    country: str, type: str, publication: str, *, version: int | None = None
) -> Call[Publication]:
    """A publication by its name, with its rates, in its newest version or in an earlier one."""
    path = path_of("v1", "official", country, type, "publications", publication)
    return Call("getOfficialPublication", path, Publication, query_of(version=version))


def official_rates(
    country: str,
    type: str,
    symbols: Symbols | None = None,
    *,
    start_date: Day | None = None,
    end_date: Day | None = None,
    period: str | None = None,
    versions: Literal["newest", "all"] = "newest",
    as_of: Instant | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[OfficialRates]:
    """Rates of a table over a time, a row a validity, the newest first, each with a line to cite.

    symbols: only rows with one of these currencies; any of the table.
    start_date, end_date: days of the table's zone; what is valid on the first one is there, too.
    period: a named one instead: `"2025"`, `"2025-Q3"`, `"2025-07"`, `"GBR-2025-26"`.
    versions: `"all"` has the versions before the newest, too.
    as_of: only what the server had retrieved at this instant.
    limit: publications in the answer, 1 to 366.
    cursor: `next_cursor` of the answer before.
    Raises NotFoundError where nothing is in the window.
    """
    query = query_of(
        symbols=symbols_text(symbols),
        start_date=day_text(start_date),
        end_date=day_text(end_date),
        period=period,
        versions=versions,
        as_of=instant_text(as_of),
        limit=limit,
        cursor=cursor,
    )
    path = path_of("v1", "official", country, type, "rates")
    return Call("listOfficialRates", path, OfficialRates, query)


def official_in_force(
    country: str,
    type: str,
    symbols: Symbols | None = None,
    *,
    on: Day | None = None,
    as_of: Instant | None = None,
) -> Call[OfficialInForce]:
    """The whole table of a day, each rate with its publication, validity and a line to cite.

    symbols: only rows with one of these currencies; any of the table.
    on: the day, on the calendar of the table's zone; today without it.
    as_of: only what the server had retrieved at this instant.
    Raises NotFoundError without a publication of the day.
    """
    query = query_of(symbols=symbols_text(symbols), on=day_text(on), as_of=instant_text(as_of))
    path = path_of("v1", "official", country, type, "in-force")
    return Call("getOfficialRatesInForce", path, OfficialInForce, query)


def official_convert(
    country: str,
    type: str,
    amount: Amount,
    from_ccy: str,
    to_ccy: str,
    *,
    on: Day | None = None,
    rule: OfficialRule = "in_force",
    kind: str | None = None,
    as_of: Instant | None = None,
) -> Call[OfficialConversion]:
    """An amount by an official table, for tax, customs and contracts, with a line to cite.

    on: day of the event, on the calendar of the table's zone; today without it.
    rule: `"in_force"`: the publication valid on the day; `"previous_business_day"`: the one valid on the day before;
    `"published_on"`: the one published on the very day.
    kind: `"mid"`, `"buy"`, `"sell"` or `"average"`; required where a table has only buying and selling rates.
    as_of: only what the server had retrieved at this instant.
    Raises NotFoundError without a publication of the day, or a rate between the two currencies.
    """
    query = query_of(
        amount=amount_text(amount), on=day_text(on), rule=rule, kind=kind, as_of=instant_text(as_of)
    )
    path = path_of("v1", "official", country, type, "convert", from_ccy, to_ccy)
    return Call("convertOfficially", path, OfficialConversion, query)



def chain(from_: int = 0, limit: int | None = None) -> Call[ChainPage]:
    """Entries of the signed history of the lake, as the server sent them.

    from_: sequence of the first entry wanted.
    limit: entries in the answer, 1 to 1000; `chain_entries` gives all of them.
    """
    return Call("getLakeChain", "/v1/lake/chain", ChainPage, query_of(from_=from_, limit=limit))


def chain_head() -> Call[SignedHead]:
    """The newest entry of the signed history and the keys that sign it; free of charge. A head that is kept
    elsewhere finds any rewriting later.
    """
    return Call("getWellKnown", "/.well-known/crossrate.json", SignedHead)


def proof(from_ccy: str, to_ccy: str, date: Day, *, version: str | None = None) -> Call[Proof]:
    """What proves the rate of a day: its figures, the files that have them, and the signed entry of their
    version.

    version: of the daily figures, as manifests name it; the newest when left out.
    Raises InvalidRequestError for a version that is not retained or was never signed.
    """
    path = path_of("v1", "lake", "proof", from_ccy, to_ccy)
    return Call("getLakeProof", path, Proof, query_of(date=day_text(date), version=version))


def status() -> Call[Status]:
    """How old the data is, and why. Free of charge; an unready server answers too."""
    return Call("getStatus", "/status", Status, also=(503,))


def health() -> Call[Health]:
    """The process answers; free of charge."""
    return Call("getHealth", "/health", Health)
