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


AT = {"name": "at", "in": "query", "schema": {}}
NEW = {"operationId": "getNew", "tags": ["Rates"]}
CHANGES = [
    ("schemas LatestResponse properties", lambda it: it.pop("stale"), "has no stale"),
    ("schemas LatestResponse properties", lambda it: it.update(spread={}), "spread is not in LatestRates"),
    ("schemas RangeRow properties date", lambda it: it.update(type="string", format=None), "date is string"),
    ("schemas Currency properties minor_units", lambda it: it.update(type="number"), "minor_units is number"),
    ("schemas ConvertItem properties rate", lambda it: it.update(type=["number", "null"]), "can be null"),
    ("schemas RateResponse required", lambda it: it.remove("stale"), "stale is not always there"),
    ("schemas ConvertBatchRequest properties", lambda it: it.update(date={}), "the body has"),
    ("paths /v1/range get parameters", lambda it: it.clear(), "parameter fill is not documented"),
    ("paths /v1/latest get parameters", lambda it: it.append(AT), "parameter at is not offered"),
    ("paths", lambda it: it.update(new={"get": NEW}), "is not offered"),
    ("paths", lambda it: it.pop("/v1/currencies"), "listCurrencies is offered and not documented"),
]


@pytest.mark.parametrize(("where", "change", "message"), CHANGES)
def test_a_change_of_the_document_is_found(document, where, change, message):
    changed = copy.deepcopy(document)
    part = {"schemas": changed["components"]["schemas"], "paths": changed["paths"]}
    for name in where.split():
        part = part[name]
    change(part)
    found = differences(changed)
    assert any(message in line for line in found), found


def test_both_clients_offer_every_operation_and_the_same_ones():
    def public(kind):
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Crossrate) - {"close"} == public(AsyncCrossrate) - {"aclose"}
    assert public(Range) == public(AsyncRange)
    assert len(OFFERED) > 15
