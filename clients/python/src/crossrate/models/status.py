"""Answers of the two probes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal


@dataclass(frozen=True, kw_only=True)
class Health:
    """The process answers."""

    status: str
    version: str


@dataclass(frozen=True, kw_only=True)
class HeldFigure:
    """A published figure that is not believed and not served; `value` is its text as published."""

    date: date
    base: str
    quote: str
    value: str
    rule: str
    reason: str
    retrieved_at: datetime


@dataclass(frozen=True, kw_only=True)
class Contradictions:
    """Figures that routes of a source state differently from what is served."""

    count: int
    since: datetime
    example: str


@dataclass(frozen=True, kw_only=True)
class CurrencyBehind:
    """A currency that the newest figures of a source lack."""

    currency: str
    last_date: date


@dataclass(frozen=True, kw_only=True)
class DailyCheck:
    """Collection of one daily source. `status` is `ok`, `contradicted`, `stale`, `failing` or
    `missing`.
    """

    status: str
    newest_date: date | None
    covered_through: date | None
    last_attempt_at: datetime | None
    last_success_at: datetime | None
    whole_read_at: datetime | None
    whole_read_due_at: datetime | None
    outcome: str
    detail: str | None
    held_count: int
    held: tuple[HeldFigure, ...]
    contradictions: Contradictions | None
    missing_currencies: tuple[CurrencyBehind, ...]
    suspended_currencies: tuple[CurrencyBehind, ...]


@dataclass(frozen=True, kw_only=True)
class FeedCheck:
    """One live feed; `speaks_for` is the number of currencies whose newest quote is this feed's."""

    feed: str
    role: str
    speaks_for: int
    outcome: str | None
    last_attempt_at: datetime | None
    last_success_at: datetime | None
    paused_until: datetime | None
    detail: str | None


@dataclass(frozen=True, kw_only=True)
class RefusedQuote:
    """A live price that is not believed; `per_dollar` and `reference` are units of `currency` per US
    dollar.
    """

    feed: str
    currency: str
    pair: str
    price: str
    per_dollar: Decimal
    reference: Decimal | None
    reference_at: datetime | None
    rule: str
    reason: str
    observed_at: datetime
    since: datetime


@dataclass(frozen=True, kw_only=True)
class OfficialCheck:
    """Collection of one official table."""

    status: str
    newest_publication: str | None
    newest_valid_from: date | None
    last_attempt_at: datetime | None
    last_success_at: datetime | None
    outcome: str
    detail: str | None
    held: tuple[str, ...]
    held_count: int


@dataclass(frozen=True, kw_only=True)
class ClockCheck:
    """The server's clock, held against the Date of the sources' answers. `status` is `ok`, `off` or `wrong`."""

    status: str
    detail: str | None


@dataclass(frozen=True, kw_only=True)
class StoreCheck:
    """The database, or where limits are counted. `kind` is None where it is unused."""

    status: str
    kind: str | None
    detail: str | None


@dataclass(frozen=True, kw_only=True)
class CacheCheck:
    """Where live quotes are held."""

    status: str
    kind: str
    detail: str | None
    last_seen_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class LakeCheck:
    """The lake; `damaged` names files that cannot be read."""

    status: str
    detail: str | None
    damaged: tuple[str, ...]
    dataset: str | None
    observations: int


@dataclass(frozen=True, kw_only=True)
class LiveCheck:
    """Live rates; `age_seconds` is the age of the newest quote, None without one."""

    status: str
    age_seconds: Decimal | None
    source: str | None
    market_session: str
    live_currencies: int
    configured_currencies: int
    stale: tuple[str, ...]
    unconfirmed: tuple[str, ...]
    refused: tuple[RefusedQuote, ...]
    feeds: tuple[FeedCheck, ...]


@dataclass(frozen=True, kw_only=True)
class DailyChecks:
    """The daily sources."""

    ecb_daily: DailyCheck
    fred_daily: DailyCheck


@dataclass(frozen=True, kw_only=True)
class ProcessCheck:
    """The process that answers: `role` is `all`, `api` or `collector`; one that collects and does not stands
    by.
    """

    role: str
    collecting: bool
    stopping: bool


@dataclass(frozen=True, kw_only=True)
class StatusChecks:
    """One member for each part of the server."""

    process: ProcessCheck
    clock: ClockCheck
    database: StoreCheck
    limits: StoreCheck
    cache: CacheCheck
    lake: LakeCheck
    live_data: LiveCheck
    daily: DailyChecks
    official: dict[str, OfficialCheck]


@dataclass(frozen=True, kw_only=True)
class Status:
    """How old the data is, and why. `status` is `ready`, `degraded` or `unready`; `code` and `message` come with the last."""

    status: str
    version: str
    checks: StatusChecks
    timestamp: datetime
    code: str | None = None
    message: str | None = None
