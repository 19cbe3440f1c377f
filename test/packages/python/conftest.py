"""The servers that the tests of this folder meet, as servers.ts describes them, and clients of them."""

import json
import os
import types
import urllib.request
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from crossrate import Crossrate


@pytest.fixture(scope="session")
def servers() -> types.SimpleNamespace:
    return types.SimpleNamespace(**json.loads(os.environ["CROSSRATE_TEST_SERVERS"]))


@pytest.fixture
def cr(servers: types.SimpleNamespace) -> Iterator[Crossrate]:
    """A client with the key of a plan with all history, which waits for nothing."""
    with Crossrate(servers.url, servers.key, sleep=lambda seconds: None) as client:
        yield client


@pytest.fixture
def later(servers: types.SimpleNamespace) -> Iterator[Crossrate]:
    """A client of the server of a later day, which has a lake and its chain."""
    with Crossrate(servers.later_url, servers.later_key) as client:
        yield client


@pytest.fixture
def raw(servers: types.SimpleNamespace) -> Callable[[str], Any]:
    """The answer to a path as JSON, without the client between; fractions as Decimal."""

    def get(path: str) -> Any:
        request = urllib.request.Request(
            servers.url + path, headers={"Authorization": f"Bearer {servers.key}"}
        )
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read(), parse_float=Decimal)

    return get


@pytest.fixture
def control(servers: types.SimpleNamespace) -> Callable[..., Any]:
    """Does something to the servers: `control("advance", 60)`."""

    def call(*words: object) -> Any:
        with urllib.request.urlopen("/".join([servers.control_url, *map(str, words)])) as answer:
            return json.loads(answer.read())

    return call
