"""The lake: a copy has the server's files by their digests, and opens with Polars, pandas and DuckDB as
the original does.
"""

import hashlib
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from crossrate import Crossrate, CrossrateError, Lake, lake

ROOT = Path(__file__).parents[3]


def test_a_copy_is_the_same_files_and_is_only_downloaded_once(later, servers, tmp_path):
    copy = later.lake(tmp_path / "lake", years=[2024, 2025])
    copied = {path.relative_to(copy.directory) for path in copy.directory.rglob("*.parquet")}
    assert Path("current/revisions/source=ecb_daily/year=2024/revisions.parquet") in copied
    for path in copied:
        original = Path(servers.lake) / path
        assert (copy.directory / path).read_bytes() == original.read_bytes()
    before = later.rate_limit.remaining
    later.lake(tmp_path / "lake", years=[2024, 2025])
    assert before - later.rate_limit.remaining == 1


def test_what_is_no_longer_wanted_or_was_changed_is_put_right(later, tmp_path):
    later.lake(tmp_path, ["daily"], years=[2024, 2025], sources=["ecb_daily"])
    damaged = tmp_path / "current/daily/source=ecb_daily/year=2024/rates.parquet"
    digest = hashlib.sha256(damaged.read_bytes()).hexdigest()
    damaged.write_bytes(b"damaged")
    later.lake(tmp_path, ["daily"], years=[2024], sources=["ecb_daily"])
    assert hashlib.sha256(damaged.read_bytes()).hexdigest() == digest
    assert list(tmp_path.rglob("*.parquet")) == [damaged]


def test_a_file_that_is_not_what_the_manifest_says_is_refused(later, tmp_path, monkeypatch):
    monkeypatch.setattr("crossrate.lake._digest", lambda content: "0" * 64)
    with pytest.raises(CrossrateError, match="digest"):
        later.lake(tmp_path, ["daily"], years=[2024])


@pytest.mark.parametrize("current", ["../outside.parquet", "current/../../outside.parquet", "/tmp/outside"])
def test_a_manifest_never_leads_out_of_the_directory(later, tmp_path, current):
    steps = lake.lake(tmp_path / "lake")
    manifest = later.send(next(steps))
    with pytest.raises(CrossrateError, match="outside the lake"):
        steps.send(replace(manifest, files=(replace(manifest.files[0], current=current),)))
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_ever_copied_into_the_lake_of_a_server(later, servers):
    with pytest.raises(ValueError, match="is the lake of a server"):
        later.lake(servers.lake)


@pytest.fixture(scope="module")
def opened(servers, tmp_path_factory):
    """The copy of two years, and the directory of the server itself."""
    with Crossrate(servers.later_url, servers.later_key) as client:
        copy = client.lake(tmp_path_factory.mktemp("lake"), years=[2024, 2025])
    return copy, Lake(servers.lake)


@pytest.mark.parametrize("which", [0, 1], ids=["copy", "directory"])
def test_polars_pandas_and_duckdb_read_the_same(opened, which):
    lake = opened[which]
    where = (pl.col("source") == "ecb_daily", pl.col("year") == 2024, pl.col("quote") == "USD")
    rows = lake.polars().filter(*where).sort("date").select("date", "value").collect().rows()
    filters = [("source", "==", "ecb_daily"), ("year", "==", 2024), ("quote", "==", "USD")]
    frame = lake.pandas("daily", columns=["date", "value"], filters=filters).sort_values("date")
    conditions = "source = 'ecb_daily' AND year = 2024 AND quote = 'USD'"
    query = f"SELECT date, value FROM daily WHERE {conditions} ORDER BY date"
    with lake.duckdb() as connection:
        found = connection.execute(query).fetchall()
    assert len(rows) > 250 and list(zip(frame["date"], frame["value"], strict=True)) == rows == found


@pytest.mark.parametrize("which", [0, 1], ids=["copy", "directory"])
def test_the_views_compute_what_the_server_answers(opened, which, later):
    query = "SELECT symbol, rate FROM crosses('USD') WHERE date = DATE '2025-01-03'"
    with opened[which].duckdb() as connection:
        found = dict(connection.execute(query).fetchall())
        assert connection.execute("SELECT count(*) FROM revisions").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM held").fetchone() == (0,)
    assert found == {code: float(rate) for code, rate in later.historical("2025-01-03", "USD").rates.items()}


def test_what_is_not_there_is_named(opened, tmp_path):
    with pytest.raises(FileNotFoundError, match="no rows of held"):
        opened[0].polars("held")
    with pytest.raises(FileNotFoundError, match="there is no lake"):
        Lake(tmp_path)


def test_the_views_are_those_of_the_server():
    mine = ROOT / "clients/python/src/crossrate/views.sql"
    assert mine.read_bytes() == (ROOT / "docs/views.sql").read_bytes()
