"""Reads exports with Polars, pandas and PyArrow, and prints their rows as JSON: doubles by their bits, dates and nulls as they are."""

import json
import struct
import sys

import pandas
import polars
import pyarrow.ipc
import pyarrow.parquet


def plain(value):
    """One cell in a form that loses nothing: a double as the hexadecimal of its eight bytes."""
    if value is None or value is pandas.NaT or value is pandas.NA:
        return None
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return bool(value)
    if isinstance(value, float):
        return None if value != value else "f" + struct.pack(">d", value).hex()
    if hasattr(value, "strftime"):
        return value.strftime("%Y-%m-%d")
    if isinstance(value, int) or hasattr(value, "__index__"):
        return int(value)
    return str(value)


def rows_of_polars(frame):
    return [[plain(cell) for cell in row] for row in frame.rows()]


def rows_of_pandas(frame):
    return [[plain(cell) for cell in row] for row in frame.itertuples(index=False, name=None)]


def rows_of_arrow(table):
    columns = [column.to_pylist() for column in table.columns]
    return [[plain(cell) for cell in row] for row in zip(*columns)]


def pandas_csv(path):
    frame = pandas.read_csv(path, parse_dates=["date"])
    return rows_of_pandas(frame)


def pandas_lines(path):
    frame = pandas.read_json(path, lines=True, precise_float=True, dtype=False)
    return rows_of_pandas(frame)


READERS = {
    "parquet": {
        "polars": lambda path: rows_of_polars(polars.read_parquet(path)),
        "pandas": lambda path: rows_of_pandas(pandas.read_parquet(path)),
        "pyarrow": lambda path: rows_of_arrow(pyarrow.parquet.read_table(path)),
    },
    "arrow": {
        "polars": lambda path: rows_of_polars(polars.read_ipc_stream(path)),
        "pyarrow": lambda path: rows_of_arrow(pyarrow.ipc.open_stream(path).read_all()),
    },
    "csv": {
        "polars": lambda path: rows_of_polars(polars.read_csv(path, try_parse_dates=True)),
        "pandas": pandas_csv,
    },
    "ndjson": {"pandas": pandas_lines},
}


def types_of(path):
    return {field.name: str(field.type) for field in pyarrow.parquet.read_schema(path)}


answer = []
for path in sys.argv[1:]:
    for reader, read in READERS[path.rsplit(".", 1)[1]].items():
        answer.append({"path": path, "reader": reader, "rows": read(path)})
    if path.endswith(".parquet"):
        answer.append({"path": path, "reader": "types", "types": types_of(path)})
json.dump(answer, sys.stdout)
