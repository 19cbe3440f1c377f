-- A table's file: the incoming rows in its columns. They came in its order; where some came late, they are sorted.
COPY (
  SELECT
    {country} AS country, {authority} AS authority, publication, version,
    DATE '1970-01-01' + valid_from AS valid_from,
    DATE '1970-01-01' + valid_to AS valid_to,
    epoch_ms(published::BIGINT)::TIMESTAMPTZ AS published_at,
    epoch_ms(retrieved::BIGINT)::TIMESTAMPTZ AS retrieved_at,
    base, quote, rate, printed, unit, kind, source_url, document_sha256
  FROM incoming
  {order}
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
