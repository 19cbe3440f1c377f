"""Answers what Delta readers see: for each line {"lake": …, "kept": {table: ms}} on the input one line with the tables' contents.

Of each table: version, digest and number of files of its newest version, and digests of the versions before it that were
replaced after `kept`; of `daily` also the digests of the versions of the others that belong to it. A table without a
commit is null.
"""

import hashlib
import json
import os
import sys

import duckdb
from deltalake import DeltaTable

# A row of each table as a line of text; quoteLine and the lines of daily-work.ts are the same.
FIGURE = "source, date, base, quote, printed"
LINES = {
    "daily": f"concat_ws(' ', {FIGURE}, revision, epoch_ms(retrieved_at))",
    "revisions": f"concat_ws(' ', {FIGURE}, revision, epoch_ms(retrieved_at), epoch_ms(superseded_at), why)",
    "held": f"concat_ws(' ', {FIGURE}, rule)",
    "intraday": "concat_ws(' ', feed, base, quote, epoch_ms(observed_at), epoch_ms(retrieved_at), round(mid * 1e6)::BIGINT)",
}

duck = duckdb.connect(config={"threads": 1})
duck.sql("SET TimeZone = 'UTC'")


def contents(table, delta):
    if not all(field.metadata.get("comment") for field in delta.schema().fields):
        raise ValueError(f"{table} has a column without a comment")
    duck.register("read", delta.to_pyarrow_table())
    lines = sorted(line for (line,) in duck.execute(f"SELECT {LINES[table]} FROM read").fetchall())
    duck.unregister("read")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def answer(lake, table, kept):
    path = os.path.join(lake, table)
    log = os.path.join(path, "_delta_log")
    if not os.path.isdir(log) or not any(name.endswith(".json") and name[0] != "." for name in os.listdir(log)):
        return None
    delta = DeltaTable(path)
    times = {commit["version"]: commit["timestamp"] for commit in delta.history()}
    older = [
        contents(table, DeltaTable(path, version=version))
        for version in sorted(times)
        if version + 1 in times and times[version + 1] > kept
    ]
    pinned = {
        name: contents(name, DeltaTable(os.path.join(lake, name), version=delta.transaction_version(f"crossrate/{name}")))
        for name in (("revisions", "held") if table == "daily" else ())
    }
    digest, files = contents(table, delta), len(delta.file_uris())
    return {"version": delta.version(), "digest": digest, "files": files, "older": older, "pinned": pinned}


for line in sys.stdin:
    asked = json.loads(line)
    found = {}
    for table in LINES:
        try:
            found[table] = answer(asked["lake"], table, asked["kept"][table])
        except Exception as fault:
            found[table] = {"fault": f"{type(fault).__name__}: {fault}"}
    print(json.dumps(found), flush=True)
