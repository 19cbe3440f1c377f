-- A table's file out of parts that are each in order and follow each other: nothing is sorted, because that would hold
-- all rows in memory. DuckDB keeps the order of UNION ALL and COPY.
COPY (
  /* parts */
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
