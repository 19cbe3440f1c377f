"""The client follows /openapi.json: each operation, parameter and member is offered or left out by name,
with a reason.
"""

import copy
import json
import urllib.request

import pytest
from crossrate import AsyncCrossrate, AsyncRange, Crossrate, Range

from contract import LEFT_OUT, OFFERED, differences


@pytest.fixture(scope="module")
def document(servers):
    with urllib.request.urlopen(f"{servers.url}/openapi.json") as answer:
        return json.load(answer)


def test_nothing_differs(document):
    found = differences(document)
    assert not found, "\n".join(found)


def test_what_is_left_out_exists(document):
    documented = {one["operationId"] for path in document["paths"].values() for one in path.values()}
    assert set(LEFT_OUT) <= documented


def schema(document, name):
    return document["components"]["schemas"][name]


def drop(name, member):
    def change(document):
        del schema(document, name)["properties"][member]

    return change


def replace(name, member, value):
    return lambda document: schema(document, name)["properties"].update({member: value})


def without(operation_path, parameter):
    def change(document):
        operation = document["paths"][operation_path]["get"]
        operation["parameters"] = [one for one in operation["parameters"] if one["name"] != parameter]

    return change


CHANGES = [
    (drop("LatestResponse", "stale"), "has no stale"),
    (replace("LatestResponse", "spread", {"type": "number"}), "spread is not in LatestRates"),
    (replace("RangeRow", "date", {"type": "string"}), "data[].date is string"),
    (replace("Currency", "minor_units", {"type": "number"}), "minor_units is number"),
    (replace("ConvertItem", "rate", {"type": ["number", "null"]}), "rate can be null"),
    # Nothing that the client reads.
    (replace("KeySummary", "prefix", {"type": "integer"}), None),
    (
        lambda document: schema(document, "RateResponse")["required"].remove("stale"),
        "stale is not always there",
    ),
    (without("/v1/range", "fill"), "parameter fill is not documented"),
    (
        lambda document: document["paths"]["/v1/latest"]["get"]["parameters"].append(
            {"name": "at", "in": "query", "schema": {}}
        ),
        "parameter at is not offered",
    ),
    (
        lambda document: document["paths"].update(
            {"/v1/new": {"get": {"operationId": "getNew", "tags": ["Rates"]}}}
        ),
        "is not offered",
    ),
    (
        lambda document: document["paths"].pop("/v1/currencies"),
        "listCurrencies is offered and not documented",
    ),
    (
        lambda document: schema(document, "ConvertBatchRequest")["properties"].update({"date": {}}),
        "the body has",
    ),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_a_change_of_the_document_is_found(document, change, message):
    changed = copy.deepcopy(document)
    change(changed)
    found = differences(changed)
    assert found == [] if message is None else any(message in line for line in found), found


def test_both_clients_offer_every_operation_and_the_same_ones():
    def public(kind):
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Crossrate) - {"close"} == public(AsyncCrossrate) - {"aclose"}
    assert public(Range) == public(AsyncRange)
    assert len(OFFERED) > 15
