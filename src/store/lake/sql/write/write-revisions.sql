-- The rows of one partition that were superseded, each revision once, ordered by date, base, quote, revision.
COPY (
  SELECT
    date, base, quote, value, printed, units, scale::SMALLINT AS scale, decimals::SMALLINT AS decimals, observed_at,
    published_at, retrieved_at, revision::INTEGER AS revision, document, document_sha256, superseded_at, why, superseded_by
  FROM settled
  WHERE NOT is_current AND source = {source} AND year = {year}
  ORDER BY date, base, quote, revision
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
