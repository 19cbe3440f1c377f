"""Client of Crossrate, a self-hosted service of indicative foreign-exchange rates.

    from crossrate import Crossrate

    with Crossrate("http://localhost:3000") as cr:
        print(cr.latest("USD", "EUR,JPY").rates)

Rates and amounts are `decimal.Decimal` with the digits that the server printed; data frames have the nearest
float64. `AsyncCrossrate` has the same operations, awaited. `crossrate.webhooks` verifies webhooks, `Lake`
opens Parquet files.
"""

from . import webhooks
from ._aio import AsyncCrossrate, AsyncRange
from ._client import Crossrate, Range
from ._connection import RateLimit
from ._stream import StreamEvent
from ._version import __version__
from .errors import (
    ApiError,
    AuthenticationError,
    CrossrateError,
    ForbiddenError,
    InvalidRequestError,
    NoAnswerError,
    NotFoundError,
    PlanGatedError,
    RateLimitedError,
    ServerError,
    UnavailableError,
    UnexpectedResponseError,
    WebhookVerificationError,
)
from .lake import Lake

__all__ = [
    "ApiError",
    "AsyncCrossrate",
    "AsyncRange",
    "AuthenticationError",
    "Crossrate",
    "CrossrateError",
    "ForbiddenError",
    "InvalidRequestError",
    "Lake",
    "NoAnswerError",
    "NotFoundError",
    "PlanGatedError",
    "Range",
    "RateLimit",
    "RateLimitedError",
    "ServerError",
    "StreamEvent",
    "UnavailableError",
    "UnexpectedResponseError",
    "WebhookVerificationError",
    "__version__",
    "webhooks",
]
