"""When a request is sent again. All requests of this client may be repeated: they read, or compute without
an effect.
"""

from __future__ import annotations

from dataclasses import dataclass

import httpx

_FIRST_PAUSE = 0.5
_REPEATABLE = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True)
class RetryPolicy:
    """`retries`: attempts after the first one. `longest_wait`: seconds; a refusal that asks for more is
    raised at once.
    """

    retries: int = 3
    longest_wait: float = 90.0

    def pause(self, attempt: int, outcome: httpx.Response | httpx.RequestError) -> float | None:
        """Seconds before the next attempt, or None when the outcome is final. `attempt` counts from 0."""
        if attempt >= self.retries:
            return None
        pause = _FIRST_PAUSE * 2.0**attempt
        if isinstance(outcome, httpx.Response):
            if outcome.status_code not in _REPEATABLE:
                return None
            asked = retry_after(outcome)
            pause = pause if asked is None else asked
        return pause if pause <= self.longest_wait else None


def retry_after(response: httpx.Response) -> float | None:
    """Seconds of the `Retry-After` header; None where it is absent, or a date (the server sends none)."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdecimal() else None
