-- A date's file again, every row once as it was, ordered by base, quote, observed_at, retrieved_at, feed. In a
-- file without bid_decimals and ask_decimals, these become null.
COPY (
  SELECT observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals, bid_decimals, ask_decimals
  FROM (
    FROM read_parquet({files}, hive_partitioning = false)
    UNION ALL BY NAME
    SELECT NULL::UTINYINT AS bid_decimals, NULL::UTINYINT AS ask_decimals WHERE false
  )
  ORDER BY base, quote, observed_at, retrieved_at, feed
) TO {target} (
  FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE {row_group},
  KV_METADATA {
    crossrate_format: {format}, crossrate_mode: {mode}, crossrate_sequence: {sequence}, crossrate_journal: {journal}
  }
)
