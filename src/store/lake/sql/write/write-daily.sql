-- The current rows of one partition, each figure once, ordered by date, base, quote.
COPY (
  SELECT
    date, base, quote, value, printed, units, scale::SMALLINT AS scale, decimals::SMALLINT AS decimals, observed_at,
    published_at, retrieved_at, revision::INTEGER AS revision, document, document_sha256
  FROM settled
  WHERE is_current AND source = {source} AND year = {year}
  ORDER BY date, base, quote
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
