"""Webhooks: the documented vectors are genuine, and everything else is refused."""

import hmac
import json
from datetime import date
from pathlib import Path

import pytest
from crossrate import UnexpectedResponseError, WebhookVerificationError, webhooks

VECTORS = json.loads((Path(__file__).parents[2] / "domain/webhook/vectors.json").read_text("utf-8"))
EVENTS = [vector for vector in VECTORS if vector["body"].startswith('{"id"')]


def verified(vector, **changes):
    arguments = {
        "body": vector["body"].encode(),
        "signature": vector["header"],
        "secret": vector["secret"],
        "now": lambda: vector["t"],
    } | changes
    return webhooks.verify(
        arguments.pop("body"), arguments.pop("signature"), arguments.pop("secret"), **arguments
    )


def test_the_documented_vectors_are_genuine():
    assert len(VECTORS) == 4 and len(EVENTS) == 2
    published, test = map(verified, EVENTS)
    assert (published.type, published.data.country, published.data.valid_to) == (
        "official.published",
        "MEX",
        None,
    )
    assert (published.data.valid_from, published.data.version) == (date(2026, 9, 21), 1)
    assert (test.type, test.data.endpoint) == ("webhook.test", "whe_0123456789ABCDEFGHIJ")
    for vector in VECTORS:
        if vector not in EVENTS:
            # Genuine, and no event.
            with pytest.raises(UnexpectedResponseError):
                verified(vector)


@pytest.mark.parametrize("seconds", [-300, 300])
def test_the_clock_may_differ_by_the_tolerance(seconds):
    vector = EVENTS[0]
    assert verified(vector, now=lambda: vector["t"] + seconds).id
    with pytest.raises(WebhookVerificationError, match="300 seconds"):
        verified(vector, now=lambda: vector["t"] + seconds * 1.01)
    assert verified(vector, now=lambda: vector["t"] + seconds * 2, tolerance=600).id


def test_while_a_secret_is_replaced_both_count():
    vector = EVENTS[0]
    assert verified(vector, secret=["whsec_new", vector["secret"]]).id
    with pytest.raises(WebhookVerificationError):
        verified(vector, secret=["whsec_new", "whsec_other"])
    with pytest.raises(WebhookVerificationError):
        verified(vector, secret=[])


@pytest.mark.parametrize("secret", ["", ["whsec_new", ""]])
def test_an_empty_secret_is_no_secret(secret):
    vector = EVENTS[0]
    message = f"{vector['t']}.{vector['body']}".encode()
    forged = hmac.new(b"", message, "sha256").hexdigest()
    with pytest.raises(ValueError, match="empty"):
        verified(vector, secret=secret, signature=f"t={vector['t']},v1={forged}")


@pytest.mark.parametrize(
    "changes",
    [
        {"body": EVENTS[0]["body"].encode() + b" "},
        {"secret": "whsec_other"},
        {"signature": None},
        {"signature": ""},
        {"signature": EVENTS[0]["header"].replace("v1=", "v0=")},
        {"signature": EVENTS[0]["header"].replace("t=1790000000", "t=1790000001")},
        {"signature": EVENTS[0]["header"].replace("t=1790000000", "t=-1")},
        {"signature": EVENTS[0]["header"].upper()},
        {"signature": "t,v1"},
    ],
)
def test_everything_else_is_refused(changes):
    with pytest.raises(WebhookVerificationError):
        verified(EVENTS[0], **changes)
