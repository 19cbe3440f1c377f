-- A date's file: {rows}, ordered by base, quote, observed_at, retrieved_at, feed.
COPY (
  SELECT observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals, bid_decimals, ask_decimals
  FROM {rows}
  ORDER BY base, quote, observed_at, retrieved_at, feed
) TO {target} (
  FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE {row_group}
)
