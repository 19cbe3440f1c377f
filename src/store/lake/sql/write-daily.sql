-- The standing rows of one partition, each figure once, ordered by date, base, quote.
COPY (
  SELECT
    date, source, base, quote, value, printed, units, scale, decimals, observed_at, published_at, retrieved_at,
    revision, document, document_sha256
  FROM settled
  WHERE stands AND source = {source} AND year = {year}
  ORDER BY date, base, quote
) TO {target} (
  FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, USE_TMP_FILE false,
  KV_METADATA {crossrate_format: {format}, crossrate_mode: {mode}, crossrate_sequence: {sequence}}
)
