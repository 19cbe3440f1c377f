-- A date's file: the fresh quotes and those of its file before ({all}), ordered by base, quote, observed_at, retrieved_at, feed.
COPY (
  SELECT observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals, bid_decimals, ask_decimals
  FROM {all}
  ORDER BY base, quote, observed_at, retrieved_at, feed
) TO {target} (
  FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE {row_group}
)
