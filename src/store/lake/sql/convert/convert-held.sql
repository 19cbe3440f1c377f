-- The held figures of a file of the first layout, in its order.
COPY (
  SELECT
    date, source, base, quote, value, printed, decimals::SMALLINT AS decimals, observed_at, published_at,
    retrieved_at, document, document_sha256, rule, reason
  FROM read_parquet({files}, hive_partitioning = false)
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
