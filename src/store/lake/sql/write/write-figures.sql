-- The rows of one partition, current or superseded, each revision once, ordered by date, base, quote, revision. Superseded rows have
-- {more} columns. {rows} are settled.sql's, or the incoming ones when nothing is stored.
COPY (
  SELECT
    date, base, quote, value, printed, units, scale::SMALLINT AS scale, decimals::SMALLINT AS decimals, observed_at,
    published_at, retrieved_at, revision::INTEGER AS revision, document, document_sha256 {more}
  FROM {rows}
  WHERE is_current = ({is_current} = 1) AND source = {source} AND year = {year}
  ORDER BY date, base, quote, revision
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
