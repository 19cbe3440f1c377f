"""What can go wrong, as exceptions: a refusal of the server, no answer at all, an answer of another shape,
a forged webhook.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any


class CrossrateError(Exception):
    """Every exception of this package."""


class NoAnswerError(CrossrateError):
    """The server was not reached, or the connection broke, in every attempt. `__cause__` is the exception
    of `httpx`.
    """


class UnexpectedResponseError(CrossrateError):
    """The answer does not have the documented shape: another server, or a version that this client does
    not know.
    """


class WebhookVerificationError(CrossrateError):
    """The request was not signed with this secret, or not within the tolerance. Answer it with 400 and
    ignore it.
    """


class ApiError(CrossrateError):
    """The server refused the request.

    code: stable text, listed in docs/errors.md, such as `bad_date`. An answer that is not the server's own
        (of a proxy, say) has `http_` and the status.
    status: HTTP status.
    message: text for people; may change.
    request_id: quote it in a report; None where the answer has none.
    retry_after: seconds to wait before the request is worth repeating, or None.
    details: further members of the body, such as `errors` of `validation_error`.
    """

    def __init__(
        self,
        *,
        code: str,
        status: int,
        message: str,
        request_id: str | None,
        retry_after: float | None,
        details: dict[str, Any],
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = status
        self.message = message
        self.request_id = request_id
        self.retry_after = retry_after
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions with keyword arguments cannot be pickled otherwise, and process pools pickle them.
        return _restored, (type(self), dict(self.__dict__))


def _restored(kind: type[ApiError], members: dict[str, Any]) -> ApiError:
    return kind(**members)


class InvalidRequestError(ApiError):
    """400 and other statuses of a request that has to be changed: malformed, too large, of a wrong type."""


class AuthenticationError(ApiError):
    """401: the key is not valid, or the operation needs a session."""


class ForbiddenError(ApiError):
    """403: the caller may not do this."""


class PlanGatedError(ForbiddenError):
    """403 `plan_gated`: the date lies before the history of the caller's plan."""

    @property
    def earliest_allowed(self) -> date:
        """First day that the plan includes."""
        return date.fromisoformat(self.details["earliest_allowed"])

    @property
    def upgrade_plans(self) -> tuple[str, ...]:
        """Plans that include the requested date."""
        return tuple(self.details["upgrade_plans"])


class NotFoundError(ApiError):
    """404: no such resource, or no data for the date."""


class RateLimitedError(ApiError):
    """429: too many calls in a minute, an hour or a month. `retry_after` says when the same call passes."""


class ServerError(ApiError):
    """5xx: the server failed."""


class UnavailableError(ServerError):
    """503: something that the answer needs is missing at present. `retry_after` says when to try again."""


def error_of(status: int, body: object, request_id: str | None, retry_after: float | None) -> ApiError:
    """The exception of a refusal. `body` is the parsed JSON, or the text where it is none."""
    if isinstance(body, dict) and isinstance(body.get("code"), str):
        code, message = body["code"], str(body.get("message", ""))
        details = {
            name: _plain(value) for name, value in body.items() if name not in ("result", "code", "message")
        }
    else:
        code, message, details = (
            f"http_{status}",
            f"the answer has the status {status} and is not the server's",
            {},
        )
    return _kind(status, code)(
        code=code,
        status=status,
        message=message,
        request_id=request_id,
        retry_after=retry_after,
        details=details,
    )


def _kind(status: int, code: str) -> type[ApiError]:
    if code == "plan_gated":
        return PlanGatedError
    by_status: dict[int, type[ApiError]] = {
        401: AuthenticationError,
        403: ForbiddenError,
        404: NotFoundError,
        429: RateLimitedError,
        503: UnavailableError,
    }
    return by_status.get(status, ServerError if status >= 500 else InvalidRequestError)


def _plain(value: Any) -> Any:
    """Without Decimals, so that details can be printed as JSON."""
    return float(value) if isinstance(value, Decimal) else value
