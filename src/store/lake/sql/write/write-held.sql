-- Held figures ordered by source, date, base, quote; `value` is null where the printed text is not a number.
COPY (
  SELECT
    DATE '1970-01-01' + date AS date, source::VARCHAR AS source, base::VARCHAR AS base, quote::VARCHAR AS quote,
    TRY_CAST(printed AS DOUBLE) AS value, printed, decimals::SMALLINT AS decimals, epoch_ms(observed_at::BIGINT)::TIMESTAMPTZ AS observed_at,
    epoch_ms(CASE WHEN isnan(published_at) THEN NULL ELSE published_at END::BIGINT)::TIMESTAMPTZ AS published_at,
    epoch_ms(retrieved_at::BIGINT)::TIMESTAMPTZ AS retrieved_at, document, document_sha256, rule, reason
  FROM held
  ORDER BY source::VARCHAR, date, base::VARCHAR, quote::VARCHAR
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
