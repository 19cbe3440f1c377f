"""Reads the lakes of readers-writer.ts while they are written, and holds every answer against model.jsonl.

Arguments: directory, seconds, seconds of retention, a seed, then pairs engine:place such as polars:quick or duckdb:current, each
of which gets a thread of its own. Prints one line of JSON: reads and kinds of answers by engine, and every fault.
"""

import glob
import hashlib
import json
import os
import random
import sys
import threading
import time
import traceback

import duckdb
import pandas
import polars
import pyarrow
from deltalake import DeltaTable
from lines import LINES

DIRECTORY, SECONDS, RETENTION, SEED = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
END = time.time() + SECONDS
TABLES = ["daily", "revisions", "held", "intraday"]
YEAR = "concat_ws(' ', source, year(date))"
PARTITIONS = {"daily": YEAR, "revisions": YEAR, "held": "''", "intraday": "(epoch_ms(observed_at) // 86400000)::VARCHAR"}


class Model:
    """What the writer said, read on as it grows."""

    def __init__(self):
        self.file = open(os.path.join(DIRECTORY, "model.jsonl"))
        self.rest, self.meant, self.done = "", {}, {}

    def read(self):
        text = self.rest + self.file.read()
        *lines, self.rest = text.split("\n")
        for line in lines:
            said = json.loads(line)
            key = (said["lake"], said["table"])
            if said.get("isDone"):
                self.done[key] = max(said["version"], self.done.get(key, 0))
            else:
                self.meant.setdefault(key, {}).setdefault(said["version"], said)
        return self


class Reader:
    def __init__(self, engine, place, seed):
        self.engine, self.place = engine, place
        self.random, self.model = random.Random(seed), Model()
        self.duck = duckdb.connect(config={"threads": 1})
        self.duck.sql("SET TimeZone = 'UTC'")
        self.counts, self.faults = {}, []

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def fault(self, *words):
        self.faults.append(" ".join(str(word) for word in (self.engine, self.place, *words)))

    def lines(self, table, rows):
        """Line and partition of every row of an Arrow table."""
        self.duck.register("read", rows)
        found = self.duck.execute(f"SELECT {LINES[table]}, {PARTITIONS[table]} FROM read").fetchall()
        self.duck.unregister("read")
        return found

    def digest(self, lines):
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()

    def from_files(self, files):
        sql = "SELECT * FROM read_parquet(?, hive_partitioning = true)"
        return self.duck.sql(sql, params=[files]).to_arrow_table()

    # Delta: newest and older versions

    def rows_of(self, table, delta):
        if self.engine == "deltalake":
            return delta.to_pyarrow_table()
        if self.engine == "polars":
            return polars.scan_delta(delta).collect().to_arrow()
        files = delta.file_uris()
        if not files:
            return None
        return self.from_files(files)

    def read_delta(self, table):
        key = (self.place, table)
        path = os.path.join(DIRECTORY, self.place, table)
        before = self.model.read().done[key]
        delta = DeltaTable(path)
        newest = delta.version()
        if newest < before:
            self.fault(table, "version", newest, "after", before)
        self.compare(table, newest, delta, "newest")
        meant = self.model.read().meant[key]
        margin = RETENTION * 0.4
        old = [v for v in meant if v < newest and meant[v + 1]["at"] / 1000 + RETENTION - margin > time.time()]
        for version in self.random.sample(old, min(3, len(old))):
            try:
                self.compare(table, version, DeltaTable(path, version=version), "older")
            except Exception:
                # A machine that stood still for so long has nothing left to read.
                if meant[version + 1]["at"] / 1000 + RETENTION > time.time():
                    raise
                self.count("too late")

    def compare(self, table, version, delta, what):
        rows = self.rows_of(table, delta)
        said = self.model.read().meant[(self.place, table)].get(version)
        if said is None:
            return self.fault(table, "has a version that was never written:", version)
        lines = [] if rows is None else [line for line, _ in self.lines(table, rows)]
        if len(lines) != said["rows"] or self.digest(lines) != said["digest"]:
            self.fault(table, what, version, "has", len(lines), "rows instead of", said["rows"], "or others")
        if not all(field.metadata.get("comment") for field in delta.schema().fields):
            self.fault(table, what, version, "has a column without a comment")
        if table == "daily":
            pins = {name: delta.transaction_version(f"crossrate/{name}") for name in ("revisions", "held")}
            # The pins are those of the last change of data: coverage alone moves none.
            if pins != said["pins"]:
                self.fault(table, what, version, "pins", pins, "instead of", said["pins"])
        self.count(what)

    # current/: plain files under fixed names

    def rows_of_current(self, table):
        root = os.path.join(DIRECTORY, "slow", "current", table)
        if self.engine == "pandas":
            return pyarrow.Table.from_pandas(pandas.read_parquet(root))
        pattern = os.path.join(root, "**", "*.parquet")
        if self.engine == "polars":
            return polars.scan_parquet(pattern, hive_partitioning=True).collect().to_arrow()
        return self.from_files(pattern)

    def read_current(self, table):
        key = ("slow", table)
        before = self.model.read().done[key]
        if not glob.glob(f"{DIRECTORY}/slow/current/{table}/**/*.parquet", recursive=True):
            return self.count("no file")
        try:
            rows = self.rows_of_current(table)
        except Exception:
            said = self.model.read().meant[key]
            later = [said[version] for version in said if version >= before]
            # The last held figure may go meanwhile, and the only file with it.
            if any(one["rows"] == 0 for one in later):
                return self.count("no file")
            # Some open a file by its name for the footer and again for the rows. One that was replaced in between they
            # refuse, as docs/lake.md says; without a new version meanwhile nothing excuses it.
            if len(later) > 1:
                return self.count("refused: replaced meanwhile")
            raise
        found = self.lines(table, rows)
        said = self.model.read().meant[key]
        possible = [said[version] for version in said if version >= before]
        if any(self.digest(line for line, _ in found) == one["digest"] for one in possible):
            return self.count("one version")
        for partition in {partition for _, partition in found}:
            digest = self.digest(line for line, of in found if of == partition)
            if all(one["partitions"].get(partition) != digest for one in possible):
                return self.fault(table, "has rows in", partition, "that no version had")
        # Several files, one replaced before the other: each is whole and of one version.
        self.count("files of two versions")

    def run(self):
        while time.time() < END:
            table = self.random.choice(TABLES)
            try:
                self.read_current(table) if self.place == "current" else self.read_delta(table)
            except Exception:
                self.fault(table, traceback.format_exc(limit=-4))
            if len(self.faults) > 20:
                return
            # Readers without pause would leave the writer no processor to write with.
            time.sleep(0.02)


readers = [Reader(*pair.split(":"), SEED + nth) for nth, pair in enumerate(sys.argv[5:])]
threads = [threading.Thread(target=reader.run) for reader in readers]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(
    json.dumps(
        {
            "reads": {f"{reader.engine}:{reader.place}": reader.counts for reader in readers},
            "faults": [fault for reader in readers for fault in reader.faults],
        }
    )
)
