-- The rows of one partition that no longer stand, each revision once, ordered by date, base, quote, revision.
COPY (
  SELECT
    date, source, base, quote, value, printed, units, scale, decimals, observed_at, published_at, retrieved_at,
    revision, document, document_sha256, superseded_at, why, superseded_by
  FROM settled
  WHERE NOT stands AND source = {source} AND year = {year}
  ORDER BY date, base, quote, revision
) TO {target} (
  FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, USE_TMP_FILE false,
  KV_METADATA {crossrate_format: {format}, crossrate_mode: {mode}, crossrate_sequence: {sequence}}
)
