"""What both clients do around a request: address, headers, answers to values, refusals to exceptions."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from ._call import Call
from ._decode import decode, parse
from ._retry import RetryPolicy, retry_after
from ._version import __version__
from .errors import ApiError, NoAnswerError, UnexpectedResponseError, error_of

T = TypeVar("T")
Outcome = httpx.Response | httpx.RequestError


@dataclass(frozen=True)
class RateLimit:
    """The tightest window of the last answer: calls in it, calls left, and the Unix second at which there
    is room again.
    """

    limit: int
    remaining: int
    reset: int


class Connection:
    """The server's address, the key, and how refusals are treated."""

    def __init__(self, url: str, key: str | None, retries: int, longest_wait: float) -> None:
        self.url = url.rstrip("/")
        self.policy = RetryPolicy(retries, longest_wait)
        self.headers = {"User-Agent": f"crossrate-python/{__version__}"}
        if key is not None:
            # Otherwise httpx refuses the header with a message that has the key.
            if not re.fullmatch("[!-~]+", key):
                raise ValueError("the key is empty, or has a space, a line break or a letter that no key has")
            self.headers["Authorization"] = f"Bearer {key}"
        self.rate_limit: RateLimit | None = None

    def request(self, call: Call[Any]) -> dict[str, Any]:
        """Arguments of `httpx.Client.request`."""
        arguments = {"method": call.method, "url": f"{self.url}{call.path}", "headers": self.headers}
        return arguments | {"params": dict(call.query) or None, "json": call.body}

    def pause(self, call: Call[Any], attempt: int, outcome: Outcome) -> float | None:
        """Seconds before the next attempt; None when the outcome is final."""
        if isinstance(outcome, httpx.Response) and outcome.status_code in call.also:
            return None
        return self.policy.pause(attempt, outcome)

    def value(self, call: Call[T], outcome: Outcome) -> T:
        """The answer of a call; ApiError for a refusal, NoAnswerError where there is none."""
        if isinstance(outcome, httpx.RequestError):
            raise no_answer(outcome)
        self.note_limits(outcome)
        if not outcome.is_success and outcome.status_code not in call.also:
            raise refusal(outcome)
        if call.answer is bytes:
            if outcome.headers.get("Content-Type", "").startswith("text/html"):
                raise UnexpectedResponseError("the answer is a page, not a file")
            content: Any = outcome.content
            return content  # type: ignore[no-any-return]
        return decode(call.answer, parse(outcome.content))

    def note_limits(self, response: httpx.Response) -> None:
        """Remembers the window that an answer describes."""
        numbers = [
            response.headers.get(f"X-RateLimit-{name}", "") for name in ("Limit", "Remaining", "Reset")
        ]
        if all(number.isdecimal() for number in numbers):
            self.rate_limit = RateLimit(*map(int, numbers))


def no_answer(fault: httpx.RequestError) -> NoAnswerError:
    """The exception of a request without an answer."""
    error = NoAnswerError(f"no answer from {fault.request.url.copy_with(query=None)}: {fault}")
    error.__cause__ = fault
    return error


def refusal(response: httpx.Response) -> ApiError:
    """The exception of an answer that was read."""
    is_json = "json" in response.headers.get("Content-Type", "")
    body = parse(response.content) if is_json else response.text
    if response.has_redirect_location:
        place = response.headers["Location"]
        text = f"the server redirects to {place}: give the address of that server as url"
        body = {"code": f"http_{response.status_code}", "message": text}
    request_id = response.headers.get("X-Request-Id")
    return error_of(response.status_code, body, request_id, retry_after(response))


def describe(method: Any, make: Callable[..., Any]) -> None:
    """Gives a method the name, documentation and signature of the function that makes its requests, for
    `help`.
    """
    functools.update_wrapper(method, make)
    signature = inspect.signature(make)
    # `query` is the series that a method of a range is called on: `self` takes its place.
    arguments = [one for one in signature.parameters.values() if one.name != "query"]
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    answer = str(signature.return_annotation).removeprefix("Call[").removeprefix("Steps[").removesuffix("]")
    method.__signature__ = signature.replace(parameters=[own, *arguments], return_annotation=answer)
