-- Held figures ordered by source, date, base, quote; `value` is null where the printed text is not a number.
COPY (
  SELECT
    date, source, base, quote, TRY_CAST(printed AS DOUBLE) AS value, printed, decimals::SMALLINT AS decimals, observed_at, published_at,
    retrieved_at, document, document_sha256, rule, reason
  FROM held
  ORDER BY source, date, base, quote
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
