"""Webhooks at the receiver: is the request genuine, and what does it say."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime

from ._decode import decode, parse
from .errors import WebhookVerificationError

TOLERANCE_SECONDS = 300


@dataclass(frozen=True, kw_only=True)
class WebhookData:
    """What was published, as in `OfficialEventData`; of a test event only `endpoint` is set."""

    country: str | None = None
    types: tuple[str, ...] = ()
    publication: str | None = None
    version: int | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    endpoint: str | None = None


@dataclass(frozen=True, kw_only=True)
class WebhookEvent:
    """`official.published`, `official.corrected` or `webhook.test`. The same event may arrive twice:
    compare `id`.
    """

    id: str
    type: str
    created_at: datetime
    data: WebhookData


def verify(
    body: bytes,
    signature: str | None,
    secret: str | Iterable[str],
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """Checks a request and reads its event. Compares in constant time.

    body: the bytes as they came, not parsed and printed again.
    signature: the header `Webhook-Signature`.
    secret: `whsec_…`; several while a secret is being replaced.
    tolerance: seconds that the signature may be older or newer than `now`, Unix seconds.
    Raises WebhookVerificationError: answer with 400. Raises ValueError for an empty secret: anybody
    could sign with it.
    """
    parts = dict(part.strip().partition("=")[::2] for part in (signature or "").split(","))
    signed_at, given = parts.get("t", ""), parts.get("v1", "")
    if not re.fullmatch(r"[0-9]{1,12}", signed_at) or not re.fullmatch(r"[0-9a-f]{64}", given):
        raise WebhookVerificationError("the header Webhook-Signature is missing or malformed")
    if abs(now() - int(signed_at)) > tolerance:
        raise WebhookVerificationError(
            f"the signature is more than {tolerance:g} seconds away from this clock"
        )
    message = signed_at.encode() + b"." + body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not all(secrets):
        raise ValueError("a signing secret is empty")
    # Every secret is tried, so that the time does not tell which one matched.
    matches = [hmac.compare_digest(_digest(one, message), given) for one in secrets]
    if not any(matches):
        raise WebhookVerificationError("the signature is not of this secret and this body")
    return decode(WebhookEvent, parse(body))


def _digest(secret: str, message: bytes) -> str:
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
