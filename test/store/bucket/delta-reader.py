"""What delta-rs and Polars read of the daily table in a bucket, as JSON: for each version its newest ECB day and figures."""

import json
import sys

import polars as pl
from deltalake import DeltaTable

address, options, *versions = json.loads(sys.argv[1])
answers = []
for version in versions:
    table = DeltaTable(address, version=version, storage_options=options)
    rows = table.to_pandas(filters=[("source", "=", "ecb_daily")], columns=["date", "quote", "value"])
    newest = rows["date"].max()
    of_day = rows[rows["date"] == newest]
    polars = (
        pl.scan_delta(address, version=table.version(), storage_options=options)
        .filter(pl.col("source") == "ecb_daily")
        .select(pl.len())
        .collect()
        .item()
    )
    figures = dict(zip(of_day["quote"], of_day["value"], strict=True))
    answers.append(
        {
            "version": table.version(),
            "date": str(newest)[:10],
            "figures": figures,
            "rows": len(rows),
            "polars": polars,
        }
    )
print(json.dumps(answers))
