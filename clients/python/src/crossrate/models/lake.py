"""Manifests of the lake: the Parquet files of one version, with their digests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal


@dataclass(frozen=True, kw_only=True)
class DateSpan:
    """First and last day."""

    first: date
    last: date


@dataclass(frozen=True, kw_only=True)
class InstantSpan:
    """First and last instant, UTC."""

    first: datetime
    last: datetime


@dataclass(frozen=True, kw_only=True)
class ValueSpan:
    """Least and greatest value."""

    least: Decimal
    greatest: Decimal


@dataclass(frozen=True, kw_only=True)
class LakeFile:
    """A file: `path` always names these bytes, `current` is the fixed name of its partition; `bytes` is
    its size.
    """

    path: str
    current: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class FigureFile(LakeFile):
    """A file of daily figures."""

    dates: DateSpan
    values: ValueSpan | None


@dataclass(frozen=True, kw_only=True)
class QuoteFile(LakeFile):
    """A file of live quotes of one UTC day."""

    observed: InstantSpan


@dataclass(frozen=True, kw_only=True)
class PublicationFile(LakeFile):
    """A file of official publications of one table."""

    valid_from: DateSpan


@dataclass(frozen=True, kw_only=True)
class LakeCoverage:
    """The newest day that a source was read to, and when."""

    source: str
    covered_through: date
    retrieved_at: datetime


@dataclass(frozen=True, kw_only=True)
class OtherManifests:
    """Names of the other manifests below `/v1/lake/`."""

    intraday: str
    official: str | None = None


@dataclass(frozen=True, kw_only=True)
class LakeManifest:
    """The daily figures, their revisions, and what is held back. `mode` is `real` or `simulated`."""

    format: int
    mode: str
    version: str
    coverage: tuple[LakeCoverage, ...]
    files: tuple[FigureFile, ...]
    manifests: OtherManifests


@dataclass(frozen=True, kw_only=True)
class IntradayManifest:
    """The live quotes."""

    format: int
    mode: str
    version: int
    files: tuple[QuoteFile, ...]


@dataclass(frozen=True, kw_only=True)
class OfficialManifest:
    """The official publications."""

    format: int
    mode: str
    version: int
    files: tuple[PublicationFile, ...]
