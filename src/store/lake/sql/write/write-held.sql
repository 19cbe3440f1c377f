-- Held figures ordered by source, date, base, quote; `value` is null where the printed text is not a number.
COPY (
  SELECT
    DATE '1970-01-01' + date AS date, source, base, quote,
    TRY_CAST(printed AS DOUBLE) AS value, printed, decimals::SMALLINT AS decimals, epoch_ms(observed_at::BIGINT)::TIMESTAMPTZ AS observed_at,
    epoch_ms(published_at::BIGINT)::TIMESTAMPTZ AS published_at,
    epoch_ms(retrieved_at::BIGINT)::TIMESTAMPTZ AS retrieved_at, document, document_sha256, rule, reason
  FROM held
  ORDER BY source, date, base, quote
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
