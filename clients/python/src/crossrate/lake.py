"""The lake as a directory of Parquet files: opened with Polars, pandas or DuckDB, and copied from a
server.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ._call import Call, Steps, path_of
from ._frames import needed
from ._ranges import write_whole
from .errors import CrossrateError
from .models.lake import FigureFile, IntradayManifest, LakeFile, LakeManifest, OfficialManifest

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import polars as pl

LakeTable: TypeAlias = Literal["daily", "revisions", "held", "intraday", "official"]


class Lake:
    """A lake on disk: a copy that `Crossrate.lake` made, or the directory `lake` below `DATA_DIR` of a
    server, to be read only.

    docs/lake.md describes tables and columns. `value` of the table `daily` is units of `quote` per 1 unit of
    `base`.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        if not (self.directory / "current").is_dir():
            raise FileNotFoundError(f"there is no lake in {self.directory}")

    def polars(self, table: LakeTable = "daily") -> pl.LazyFrame:
        """A lazy frame; conditions on `source`, `year` and `date` skip files. Needs `crossrate[polars]`."""
        frame: pl.LazyFrame = needed("polars", "polars").scan_parquet(
            self._rows_of(table), hive_partitioning=True
        )
        return frame

    def pandas(
        self, table: LakeTable = "daily", *, columns: Sequence[str] | None = None, filters: Any = None
    ) -> pd.DataFrame:
        """A frame of some columns and rows; `filters` as in `pandas.read_parquet`. Needs
        `crossrate[pandas]`.
        """
        read = needed("pandas", "pandas").read_parquet
        names = None if columns is None else list(columns)
        frame: pd.DataFrame = read(self._rows_of(table), columns=names, filters=filters)
        return frame

    def duckdb(self) -> duckdb.DuckDBPyConnection:
        """A connection in memory with the views and macros of views.sql: `daily`, `crosses('USD')`,
        `as_of(…)`, `bars(…)`.

        A view without files is empty. Needs `crossrate[lake]`.
        """
        connection: duckdb.DuckDBPyConnection = needed("duckdb", "lake").connect()
        connection.execute("SET VARIABLE lake = $lake", {"lake": str(self.directory)})
        connection.execute(resources.files("crossrate").joinpath("views.sql").read_text("utf-8"))
        return connection

    def _rows_of(self, table: LakeTable) -> str:
        directory = self.directory / "current" / table
        if not directory.is_dir():
            raise FileNotFoundError(f"the lake has no rows of {table}: there is no {directory}")
        return str(directory)


def lake(
    directory: str | os.PathLike[str],
    tables: Collection[LakeTable] = ("daily", "revisions", "held"),
    *,
    sources: Collection[str] | None = None,
    years: Collection[int] | None = None,
) -> Steps[Lake]:
    """Copies files of the server's lake into a directory, and opens it. What is there already is not
    downloaded again.

    directory: made where it is missing. Files below `current` that are no longer in the lake are removed.
    tables: those wanted. `intraday` are the live quotes, `official` the official publications.
    sources, years: of `daily` and `revisions`, for example `["ecb_daily"]` and `range(2020, 2027)`; all by
        default.
    Every file is checked against the digest in the manifest. Each file is one call. Without `years` the
    plan's history must reach back to 1999.
    """
    target = Path(directory)
    if any(target.glob("*/_delta_log")):
        raise ValueError(f"{target} is the lake of a server: Lake({str(target)!r}) opens it")
    manifest: LakeManifest = yield Call("getLakeManifest", "/v1/lake/manifest.json", LakeManifest)
    files: list[LakeFile] = [file for file in manifest.files if _wanted(file, tables, sources, years)]
    if "intraday" in tables:
        quotes = yield Call("getIntradayManifest", "/v1/lake/intraday/manifest.json", IntradayManifest)
        files.extend(quotes.files)
    if "official" in tables:
        publications = yield Call("getOfficialManifest", "/v1/lake/official/manifest.json", OfficialManifest)
        files.extend(publications.files)
    for file in files:
        path = target / file.current
        if not file.current.startswith("current/") or ".." in path.relative_to(target).parts:
            raise CrossrateError(f"the manifest names a file outside the lake: {file.current}")
        if not path.is_file() or _digest(path.read_bytes()) != file.sha256:
            content: bytes = yield Call("getLakeFile", path_of("v1", "lake", *file.path.split("/")), bytes)
            if _digest(content) != file.sha256:
                raise CrossrateError(f"{file.path} does not have the digest in the manifest")
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
    _remove_others(target, {target / file.current for file in files})
    write_whole(
        target / "manifest.json", json.dumps({"version": manifest.version, "mode": manifest.mode}).encode()
    )
    return Lake(target)


def _wanted(
    file: FigureFile, tables: Collection[str], sources: Collection[str] | None, years: Collection[int] | None
) -> bool:
    table, *partitions = file.path.split("/")[:-1]
    parts = dict(part.split("=", 1) for part in partitions)
    by_source = sources is None or "source" not in parts or parts["source"] in sources
    by_year = years is None or "year" not in parts or int(parts["year"]) in years
    return table in tables and by_source and by_year


def _remove_others(target: Path, kept: set[Path]) -> None:
    current = target / "current"
    current.mkdir(parents=True, exist_ok=True)
    for path in list(current.rglob("*.parquet")):
        if path not in kept:
            path.unlink()
            for folder in path.parents:
                if folder == current or any(folder.iterdir()):
                    break
                folder.rmdir()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
