"""Reads the table of official publications as analysts do; prints what each reader finds as one line of JSON."""

import json
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet
from deltalake import DeltaTable

lake = sys.argv[1]
table = DeltaTable(f"{lake}/official")
frame = table.to_pandas().sort_values(["table_id", "valid_from", "publication", "version", "base"])
current = pandas.read_parquet(f"{lake}/current/official")
scan = polars.scan_parquet(f"{lake}/current/official/**/*.parquet", hive_partitioning=True)
newest = duckdb.sql(
    f"""SELECT table_id, publication, version, base, rate FROM read_parquet('{lake}/current/official/*/*.parquet',
        hive_partitioning = true) QUALIFY version = max(version) OVER (PARTITION BY table_id, publication)
        ORDER BY ALL"""
).fetchall()
print(
    json.dumps(
        {
            "version": table.version(),
            "partitions": table.metadata().partition_columns,
            "rows": frame[["table_id", "publication", "version", "base", "rate", "printed", "unit", "kind"]].values.tolist(),
            "valid_from": [str(day) for day in frame["valid_from"]],
            "retrieved_at": [int(at.timestamp() * 1000) for at in frame["retrieved_at"]],
            "older": len(DeltaTable(f"{lake}/official", version=1).to_pandas()),
            "of_one": len(table.to_pandas(partitions=[("table_id", "=", "mex_fix")])),
            "pandas": len(current),
            "polars": scan.select(polars.len()).collect().item(),
            "pyarrow": pyarrow.parquet.read_table(f"{lake}/current/official/table_id=mex_fix").num_rows,
            "newest": newest,
        }
    )
)
