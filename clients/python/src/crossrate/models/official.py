"""Answers with official publications: tables, lists, one publication with its rates, changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal


@dataclass(frozen=True, kw_only=True)
class PublicationEntry:
    """A publication without its rates. It is valid from `valid_from` to `valid_to`, or to the next one
    where that is None.
    """

    publication: str
    version: int
    valid_from: date
    valid_to: date | None
    published_at: datetime | None
    retrieved_at: datetime


@dataclass(frozen=True, kw_only=True)
class OfficialTable:
    """A table of an authority. `country` is ISO 3166-1 alpha-3; any of `types` names the table in
    requests.
    """

    id: str
    country: str
    types: tuple[str, ...]
    title: str
    authority: str
    cadence: str
    currency: str
    zone: str
    homepage: str
    terms: str
    collected: bool
    newest: PublicationEntry | None


@dataclass(frozen=True, kw_only=True)
class OfficialTables:
    """Every table that the server knows, collected or not."""

    tables: tuple[OfficialTable, ...]
    count: int
    notice: str


@dataclass(frozen=True, kw_only=True)
class PublicationPage:
    """Publications of a table, the newest validity first."""

    country: str
    type: str
    types: tuple[str, ...]
    publications: tuple[PublicationEntry, ...]
    has_more: bool
    next_cursor: str | None
    notice: str


@dataclass(frozen=True, kw_only=True)
class OfficialRate:
    """`unit` units of `base` are `rate` units of `quote`. `kind` is `mid`, `buy`, `sell` or `average`.

    `rate` has the digits as the authority printed them, zeros at the end included.
    """

    base: str
    quote: str
    rate: Decimal
    unit: int
    kind: str


@dataclass(frozen=True, kw_only=True)
class PublicationVersion:
    """A version of a publication, and when it was retrieved."""

    version: int
    retrieved_at: datetime


@dataclass(frozen=True, kw_only=True)
class Publication:
    """A publication with its rates, in one version; `versions` lists all of them."""

    country: str
    type: str
    types: tuple[str, ...]
    publication: str
    version: int
    valid_from: date
    valid_to: date | None
    published_at: datetime | None
    retrieved_at: datetime
    versions: tuple[PublicationVersion, ...]
    authority: str
    source_url: str
    document_sha256: str
    rows: tuple[OfficialRate, ...]
    terms: str
    notice: str


@dataclass(frozen=True, kw_only=True)
class OfficialValidRate:
    """One rate of one version of a publication, with its validity and a line to cite."""

    base: str
    quote: str
    rate: Decimal
    unit: int
    kind: str
    publication: str
    version: int
    valid_from: date
    valid_to: date | None
    published_at: datetime | None
    retrieved_at: datetime
    source_url: str
    document_sha256: str
    citation: str


@dataclass(frozen=True, kw_only=True)
class OfficialRates:
    """Rates of a table over a time, the newest validity first. `missing_symbols` have no row here;
    `held_publications` neither, until the operator of the server decides on them.
    """

    country: str
    type: str
    types: tuple[str, ...]
    start_date: date
    end_date: date
    rows: tuple[OfficialValidRate, ...]
    missing_symbols: tuple[str, ...]
    authority: str
    terms: str
    notice: str
    has_more: bool
    next_cursor: str | None
    held_publications: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OfficialInForce:
    """The table of a day. `missing_symbols` have no row in it."""

    country: str
    type: str
    types: tuple[str, ...]
    on: date
    rows: tuple[OfficialValidRate, ...]
    missing_symbols: tuple[str, ...]
    authority: str
    terms: str
    notice: str


@dataclass(frozen=True, kw_only=True)
class OfficialConversion:
    """An amount by the publication of a day. `legs` are the printed rates behind it, `citation` a line to cite.

    `rounded` has the minor units of `to_ccy`; None for a currency outside the catalog.
    """

    country: str
    type: str
    types: tuple[str, ...]
    from_ccy: str = field(metadata={"name": "from"})
    to_ccy: str = field(metadata={"name": "to"})
    amount: Decimal
    rate: Decimal
    converted: Decimal
    rounded: Decimal | None
    derived: bool
    legs: tuple[OfficialRate, ...]
    publication: str
    version: int
    valid_from: date
    valid_to: date | None
    published_at: datetime | None
    retrieved_at: datetime
    on: date
    rule: str
    authority: str
    source_url: str
    document_sha256: str
    citation: str
    terms: str
    notice: str


@dataclass(frozen=True, kw_only=True)
class OfficialEventData:
    """What was published: fetch it with `official_publication(country, types[0], publication)`."""

    country: str
    types: tuple[str, ...]
    publication: str
    version: int
    valid_from: date
    valid_to: date | None


@dataclass(frozen=True, kw_only=True)
class OfficialEvent:
    """A publication (`official.published`) or a correction (`official.corrected`). `id` identifies it for
    ever.
    """

    id: str
    type: str
    created_at: datetime
    data: OfficialEventData


@dataclass(frozen=True, kw_only=True)
class OfficialChanges:
    """Events in the order of their commits. Store `resume_cursor`: sent as `cursor`, it continues after
    the last event here.
    """

    changes: tuple[OfficialEvent, ...]
    has_more: bool
    next_cursor: str | None
    resume_cursor: str
