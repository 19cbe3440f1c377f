"""The signed history of the lake: its entries, its newest entry, and what proves a rate.

Entries and heads are dicts as the server sent them: hashes and signatures are of that form, and
`crossrate verify --against` reads a head that was stored with `json.dump`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, kw_only=True)
class ChainPage:
    """A part of the history. `next_from` begins the next one; None where this one ends with the newest
    entry.
    """

    entries: tuple[dict[str, Any], ...]
    next_from: int | None
    head: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ChainKey:
    """A key that signs entries, or has signed them: its id, its 32 bytes in base64, and the entry that names
    it.
    """

    key: str
    public_key: str
    sequence: int


@dataclass(frozen=True, kw_only=True)
class ChainLinks:
    """Where the rest is, below the server's address."""

    chain: str
    proof: str
    guide: str


@dataclass(frozen=True, kw_only=True)
class SignedHead:
    """The newest entry, to be kept elsewhere, and the keys in the order of their use."""

    format: str
    mode: str
    keys: tuple[ChainKey, ...]
    head: dict[str, Any]
    links: ChainLinks


@dataclass(frozen=True, kw_only=True)
class ProofFile:
    """The data file that has a figure; `path` is below `/v1/lake/`."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class ProofLeg:
    """A figure that the rate is made of: `operation` is `multiply` or `divide`."""

    operation: str
    source: str
    date: date
    base: str
    quote: str
    value: Decimal
    revision: int
    file: ProofFile


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What proves that a rate stood in a version: the SHA-256 of `files` is `files` of the signed entry."""

    version: str
    base: str
    symbol: str
    date: date
    rate: Decimal
    derived: bool
    legs: tuple[ProofLeg, ...]
    files: str
    entry: dict[str, Any]
    head: dict[str, Any]
