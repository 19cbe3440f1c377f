"""The answer of `explain`: the figures of one rate as published, and the computation."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal


@dataclass(frozen=True, kw_only=True)
class ExplainedRevision:
    """A value that a figure had before. `why` it ended: `revised` or `withdrawn`."""

    revision: int
    value: Decimal
    published_at: datetime | None
    retrieved_at: datetime
    superseded_at: datetime
    why: str
    document: str
    document_sha256: str


@dataclass(frozen=True, kw_only=True)
class ExplainedLeg:
    """A figure as published: 1 unit of `base` is `value` units of `quote`.

    operation: what the figure does in the computation, `multiply` or `divide`.
    error: by how much it may be off, in units of `quote`.
    document, document_sha256, revision, revisions, date: of a daily figure.
    feed, bid, ask: of a live quote.
    simulated: made up; only from the demo.
    """

    operation: str
    base: str
    quote: str
    value: Decimal
    error: Decimal
    source: str
    authority: str
    terms: str
    date: date | None
    observed_at: datetime
    published_at: datetime | None
    retrieved_at: datetime
    document: str | None
    document_sha256: str | None
    revision: int | None
    revisions: tuple[ExplainedRevision, ...]
    feed: str | None
    bid: Decimal | None
    ask: Decimal | None
    simulated: bool = False


@dataclass(frozen=True, kw_only=True)
class RateComputation:
    """The rate as `numerator` / `denominator`, rounded half-even to `significant_digits`, or not at all;
    `lines` for people.
    """

    expression: str
    numerator: str
    denominator: str
    significant_digits: int | None
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LakeQuery:
    """A query of the lake that returns the same rate, as soon as `in_lake` is true; until then
    `in_lake_at` is when the flush of the quotes is due.
    """

    engine: str
    sql: str
    in_lake: bool
    in_lake_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Where one rate comes from. `rate`: units of `to_ccy` per 1 unit of `from_ccy`; `date` is None for
    the newest rate.
    """

    from_ccy: str = field(metadata={"name": "from"})
    to_ccy: str = field(metadata={"name": "to"})
    date: date | None
    is_forward_filled: bool | None
    rate: Decimal
    derived: bool
    derivation_bps_max: Decimal | None
    source: str
    stale: bool
    legs: tuple[ExplainedLeg, ...]
    computation: RateComputation
    query: LakeQuery
    market_session: str
    timestamp: datetime
    data_updated_at: datetime
    notice: str
