"""Refusals are exceptions with code, request id and waiting time; what may pass later is sent again as the
server asks.
"""

import json
import pickle

import crossrate
import httpx
import pytest
from crossrate import (
    ApiError,
    AuthenticationError,
    Crossrate,
    ForbiddenError,
    InvalidRequestError,
    NoAnswerError,
    NotFoundError,
    PlanGatedError,
    RateLimitedError,
    ServerError,
    UnavailableError,
    UnexpectedResponseError,
)
from crossrate._decode import decode, parse
from crossrate.models.rates import CurrencyList

KINDS = {
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    429: RateLimitedError,
    503: UnavailableError,
}


class Waits(list):
    """Waits for nothing, and remembers what it was asked for; `also` is called with the seconds."""

    def __init__(self, also=lambda seconds: None):
        self.also = also

    def __call__(self, seconds):
        self.append(seconds)
        self.also(seconds)


def refused(call):
    with pytest.raises(ApiError) as caught:
        call()
    return caught.value


@pytest.mark.parametrize(
    ("call", "code", "kind"),
    [
        (lambda cr: cr.latest("XXX"), "unsupported_base", InvalidRequestError),
        (lambda cr: cr.historical("1998-12-31"), "no_data_for_date", NotFoundError),
        (lambda cr: cr.convert_batch("USD", []), "validation_error", InvalidRequestError),
        (
            lambda cr: cr.range("EUR", "", "2024-01-01", "2024-01-31").to_polars(),
            "missing_parameter",
            InvalidRequestError,
        ),
        (lambda cr: cr.pair("usd-mxn-dof"), "source_unavailable", UnavailableError),
    ],
)
def test_the_server_refuses_what_it_documents(cr, call, code, kind):
    error = refused(lambda: call(cr))
    assert (error.code, type(error)) == (code, kind)
    assert error.request_id
    assert code in str(error) and error.message in str(error)


def test_faults_of_a_body_are_listed(cr):
    error = refused(lambda: cr.convert_batch("USD", []))
    assert error.details["errors"][0]["path"] == "/pairs"


def test_a_wrong_key_is_never_no_key(servers):
    with Crossrate(servers.url, "fxk_wrong") as client:
        assert refused(client.latest).code == "invalid_api_key"


def test_a_date_before_the_history_of_a_plan_names_the_plans_that_have_it(servers):
    with Crossrate(servers.url, servers.free_key) as client:
        error = refused(lambda: client.historical("2015-01-15"))
        assert type(error) is PlanGatedError
        assert "pro" in error.upgrade_plans
        assert client.historical(error.earliest_allowed).date == error.earliest_allowed


def test_every_documented_code_is_an_exception_with_its_status_and_waiting_time(servers):
    assert len(servers.codes) > 30
    http = httpx.Client()
    for code, status in servers.codes.items():
        error = refused(Crossrate(f"{servers.control_url}/refuse/{code}", retries=0, http=http).latest)
        assert (error.code, error.status) == (code, status)
        expected = KINDS.get(status, ServerError if status >= 500 else InvalidRequestError)
        assert isinstance(error, expected)
        assert error.request_id
        assert (error.retry_after is not None) == (status in (429, 503))
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), vars(again)) == (type(error), vars(error))
    http.close()


def test_a_limit_is_obeyed_and_the_call_passes_when_the_server_says(servers, control):
    # The windows of callers without a key are empty then.
    control("advance", 7200)
    waits = Waits(lambda seconds: control("advance", seconds))
    with Crossrate(servers.url, sleep=waits) as client:
        for _ in range(13):
            client.latest("EUR", "USD")
    assert len(waits) == 1 and 0 < waits[0] <= 90


def test_a_wait_that_is_too_long_is_not_begun(servers):
    waits = Waits()
    with Crossrate(f"{servers.control_url}/refuse/quota_exceeded", sleep=waits) as client:
        error = refused(client.latest)
    assert (error.code, error.retry_after, waits) == ("quota_exceeded", 3600, [])


def test_what_is_unavailable_is_asked_again_after_the_time_that_the_server_names(servers):
    waits = Waits()
    url = f"{servers.control_url}/flaky/data_unavailable/2/unavailable"
    with Crossrate(url, servers.key, sleep=waits) as client:
        assert client.convert_batch("EUR", [("USD", 1)]).conversions[0].to_ccy == "USD"
    assert waits == [30, 30]


def test_an_internal_error_is_asked_again_with_growing_pauses_and_then_raised(servers):
    waits = Waits()
    with Crossrate(f"{servers.control_url}/refuse/internal_error", sleep=waits) as client:
        assert refused(client.latest).code == "internal_error"
    assert waits == [0.5, 1.0, 2.0]


def test_what_can_never_pass_is_sent_once(servers):
    waits = Waits()
    with Crossrate(f"{servers.control_url}/refuse/forbidden", sleep=waits) as client:
        refused(client.latest)
    assert waits == []


def test_an_answer_that_breaks_off_is_asked_for_again_and_never_taken_for_whole(servers, control):
    waits = Waits()
    control("break", 2)
    with Crossrate(servers.broken_url, servers.key, sleep=waits) as client:
        assert client.range("EUR", "USD", "2024-01-01", "2024-12-31").to_polars().height > 250
    assert waits == [0.5, 1.0]
    control("break", 2)
    with (
        Crossrate(servers.broken_url, servers.key, sleep=Waits(), retries=1) as client,
        pytest.raises(NoAnswerError) as caught,
    ):
        client.latest()
    assert caught.value.__cause__ is not None


def test_a_server_that_is_not_there_is_no_answer():
    with (
        Crossrate("http://127.0.0.1:9", sleep=Waits()) as client,
        pytest.raises(NoAnswerError, match=r"127\.0\.0\.1:9"),
    ):
        client.latest()


def test_another_servers_page_is_an_error_with_its_status(servers):
    with Crossrate(f"{servers.control_url}/proxy/502", retries=0) as client:
        error = refused(client.latest)
    assert (error.code, type(error)) == ("http_502", ServerError)
    with Crossrate(f"{servers.control_url}/proxy/200") as client:
        for call in (client.latest, client.range("EUR").to_arrow, lambda: next(client.stream())):
            with pytest.raises(UnexpectedResponseError):
                call()


def test_a_redirect_names_the_address_and_a_body_that_cannot_be_read_is_no_answer():
    def answer(request):
        if request.url.host == "moved.example":
            return httpx.Response(301, headers={"Location": "https://fx.example/v1/latest"})
        return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))

    http = httpx.Client(transport=httpx.MockTransport(answer))
    moved = refused(Crossrate("http://moved.example", http=http).latest)
    assert (moved.code, moved.retry_after) == ("http_301", None)
    assert "redirects to https://fx.example/v1/latest" in moved.message
    with pytest.raises(NoAnswerError):
        Crossrate("http://garbled.example", sleep=Waits(), http=http).latest()


@pytest.mark.parametrize("key", ["", "fxk_key\n", "fxk_key ", "fxk_ké"])
def test_what_is_no_key_is_refused_without_printing_it(key):
    with pytest.raises(ValueError, match=r"^the key is empty, or has a space") as caught:
        Crossrate("http://127.0.0.1:9", key)
    assert "fxk_" not in str(caught.value)


def test_every_exception_is_a_crossrate_error():
    kinds = [value for name, value in vars(crossrate).items() if name.endswith("Error")]
    assert len(kinds) > 10
    assert all(issubclass(kind, crossrate.CrossrateError) for kind in kinds)


def test_an_answer_of_another_shape_names_the_member():
    with pytest.raises(UnexpectedResponseError, match=r"CurrencyList\.pairs is missing"):
        decode(CurrencyList, parse(json.dumps({"currencies": [], "count": 0})))
    with pytest.raises(UnexpectedResponseError, match="expected int"):
        decode(CurrencyList, parse(json.dumps({"currencies": [], "count": "0", "pairs": 0})))
