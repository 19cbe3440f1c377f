"""The signed history: entries follow from each other, a head and a proof fit them, in both clients."""

import asyncio
import hashlib
import json

import pytest
from crossrate import AsyncCrossrate, Crossrate, InvalidRequestError


def canonical(entry):
    body = {name: value for name, value in entry.items() if name != "signature"}
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def test_the_entries_follow_from_each_other_up_to_the_head(later):
    entries = list(later.chain_entries())
    known = later.chain_head()
    previous = "0" * 64
    for sequence, entry in enumerate(entries):
        assert (entry["sequence"], entry["previous"]) == (sequence, previous)
        previous = hashlib.sha256(canonical(entry)).hexdigest()
    assert (known.head["sequence"], known.head["hash"]) == (len(entries) - 1, previous)
    assert known.keys[0].public_key == entries[0]["public_key"]


def test_pages_are_parts_of_the_same_entries(later, monkeypatch):
    entries = list(later.chain_entries())
    assert len(entries) > 3
    page = later.chain(1, 2)
    assert (list(page.entries), page.next_from) == (entries[1:3], 3)
    chain = Crossrate.chain
    monkeypatch.setattr(Crossrate, "chain", lambda self, from_: chain(self, from_, 2))
    assert list(later.chain_entries(1)) == entries[1:]


def test_the_asynchronous_client_gives_the_same(later, servers):
    async def everything():
        async with AsyncCrossrate(servers.later_url, servers.later_key) as client:
            entries = [entry async for entry in client.chain_entries()]
            return entries, await client.chain_head(), await client.proof("GBP", "JPY", "2025-01-03")

    assert asyncio.run(everything()) == (
        list(later.chain_entries()),
        later.chain_head(),
        later.proof("GBP", "JPY", "2025-01-03"),
    )


def test_a_proof_has_the_rate_the_figures_and_the_entry_that_signs_their_files(later):
    proof = later.proof("GBP", "JPY", "2025-01-03")
    assert proof.rate == later.historical("2025-01-03", "GBP", "JPY").rates["JPY"]
    assert hashlib.sha256(proof.files.encode()).hexdigest() == proof.entry["files"]
    assert proof.entry in list(later.chain_entries())
    for leg in proof.legs:
        assert f"{leg.file.sha256}  {leg.file.path.removeprefix('daily/')}\n" in proof.files
    assert later.proof("GBP", "JPY", "2025-01-03", version=proof.version) == proof


def test_a_version_that_never_was_is_refused(later):
    with pytest.raises(InvalidRequestError, match="not retained"):
        later.proof("GBP", "JPY", "2025-01-03", version="99-aaaaaa")
