"""Files of `/v1/range` as data frames, and changes merged into a frame. pandas, Polars and PyArrow are
imported when they are needed.
"""

from __future__ import annotations

import importlib
import io
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
# The times of retrieval in a frame are in the order of the commits. Servers of earlier releases were not so strict: there a
# document may have been committed after one that was retrieved later.
_OVERLAP = timedelta(minutes=15)
_KEY = ["date", "symbol"]

_TEXTS = frozenset({"base", "symbol", "source", "quote", "feed"})
_FLAGS = frozenset({"is_forward_filled", "derived", "withdrawn"})
_COUNTS = frozenset({"ticks", "decimals", "revision"})
_DATES = frozenset({"date", "last_date"})
_INSTANTS = frozenset({"start", "observed_at", "retrieved_at", "updated_at"})
# What no rate of the catalog exceeds: at most 20 digits before the point, and 18 after it.
_PRECISION, _SCALE = 38, 18


def needed(module: str, extra: str) -> Any:
    """An optional package; ImportError that names the extra where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as cause:
        raise ImportError(f"this needs {module.split('.')[0]}: pip install 'crossrate[{extra}]'") from cause


def polars_of(parquet: bytes) -> pl.DataFrame:
    frame: pl.DataFrame = needed("polars", "polars").read_parquet(io.BytesIO(parquet))
    return frame


def pandas_of(parquet: bytes) -> pd.DataFrame:
    needed("pandas", "pandas")
    # Without PyArrow's threads: with them a program that ends right afterwards may be aborted (apache/arrow#34314).
    table = needed("pyarrow.parquet", "pandas").ParquetFile(io.BytesIO(parquet)).read(use_threads=False)
    # Dates as datetime64, which an index can be resampled by.
    frame: pd.DataFrame = table.to_pandas(date_as_object=False)
    return frame


def arrow_of(stream: bytes) -> pa.Table:
    return needed("pyarrow", "arrow").ipc.open_stream(stream).read_all()


def exact_polars(csv: bytes) -> pl.DataFrame:
    polars = needed("polars", "polars")
    texts = polars.read_csv(io.BytesIO(csv), infer_schema=False)

    def typed(name: str) -> Any:
        column = polars.col(name)
        if name in _TEXTS:
            return column
        if name in _DATES:
            return column.str.to_date("%Y-%m-%d")
        if name in _INSTANTS:
            return column.str.to_datetime("%Y-%m-%dT%H:%M:%S%.fZ", time_unit="us").dt.replace_time_zone("UTC")
        if name in _FLAGS:
            return column == "true"
        return column.cast(polars.Int64 if name in _COUNTS else polars.Decimal(_PRECISION, _SCALE))

    frame: pl.DataFrame = texts.select(typed(name) for name in texts.columns)
    return frame


def exact_pandas(csv: bytes) -> pd.DataFrame:
    pandas = needed("pandas", "pandas")
    frame: pd.DataFrame = pandas.read_csv(io.BytesIO(csv), dtype=str, keep_default_na=False)
    for name in frame.columns:
        if name in _DATES or name in _INSTANTS:
            frame[name] = pandas.to_datetime(frame[name], format="ISO8601")
        elif name in _FLAGS:
            frame[name] = frame[name] == "true"
        elif name in _COUNTS:
            frame[name] = pandas.to_numeric(frame[name])
        elif name not in _TEXTS:
            frame[name] = pandas.Series(
                [Decimal(text) if text else None for text in frame[name]], dtype=object
            )
    return frame


def polars_synced_to(previous: pl.DataFrame, base: str) -> datetime:
    """The instant after which changes may be missing in a frame that `sync_polars` returned."""
    _check_columns(previous.columns)
    _check_bases(previous["base"].unique().to_list(), base)
    return _with_overlap(previous["updated_at"].max())


def pandas_synced_to(previous: pd.DataFrame, base: str) -> datetime:
    """The same of one that `sync_pandas` returned."""
    _check_columns(list(previous.columns))
    _check_bases(list(previous["base"].unique()), base)
    return _with_overlap(None if previous.empty else previous["updated_at"].max().to_pydatetime())


def polars_merged(previous: pl.DataFrame | None, changes: pl.DataFrame) -> pl.DataFrame:
    """Changed rows replaced, withdrawn ones removed; ordered by symbol, then date."""
    polars = needed("polars", "polars")
    values: pl.DataFrame = changes.filter(~polars.col("withdrawn")).drop("withdrawn")
    if previous is None:
        return values
    kept = previous.join(changes, on=_KEY, how="anti")
    merged: pl.DataFrame = polars.concat([kept, values], how="vertical_relaxed").sort("symbol", "date")
    return merged


def pandas_merged(previous: pd.DataFrame | None, changes: pd.DataFrame) -> pd.DataFrame:
    """The same for pandas."""
    pandas = needed("pandas", "pandas")
    values = changes[~changes["withdrawn"]].drop(columns="withdrawn")
    if previous is None:
        first: pd.DataFrame = values.reset_index(drop=True)
        return first
    if changes.empty:
        return previous
    keys = pandas.MultiIndex.from_frame(changes[_KEY])
    kept = previous[~pandas.MultiIndex.from_frame(previous[_KEY]).isin(keys)]
    merged: pd.DataFrame = pandas.concat([part for part in (kept, values) if not part.empty] or [kept])
    merged = merged.sort_values(["symbol", "date"], ignore_index=True)
    return merged


def _check_columns(columns: list[str]) -> None:
    missing = {"base", "updated_at", *_KEY} - set(columns)
    if missing:
        raise ValueError(
            f"not a frame of an earlier synchronization: it has no column {', '.join(sorted(missing))}"
        )


def _check_bases(found: list[str], base: str) -> None:
    if found not in ([], [base.upper()]):
        raise ValueError(f"the frame has rates on {', '.join(found)}, not on {base.upper()}")


def _with_overlap(newest: Any) -> datetime:
    if not isinstance(newest, datetime):
        return _EPOCH
    return max(_EPOCH, newest - _OVERLAP)
