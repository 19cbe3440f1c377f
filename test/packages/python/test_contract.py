"""The client follows /openapi.json: each operation, parameter and member is offered or left out by name,
with a reason.
"""

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


def test_both_clients_offer_every_operation_and_the_same_ones():
    def public(kind):
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Crossrate) - {"close"} == public(AsyncCrossrate) - {"aclose"}
    assert public(Range) == public(AsyncRange)
    assert len(OFFERED) > 15
