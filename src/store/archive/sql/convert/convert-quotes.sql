-- A date's file of the first layout in the columns of the table, every row once as it was. Files without bid_decimals and
-- ask_decimals get null there.
COPY (
  SELECT
    observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals::SMALLINT AS decimals,
    bid_decimals::SMALLINT AS bid_decimals, ask_decimals::SMALLINT AS ask_decimals
  FROM (
    FROM read_parquet({files}, hive_partitioning = false)
    UNION ALL BY NAME
    SELECT NULL::UTINYINT AS bid_decimals, NULL::UTINYINT AS ask_decimals WHERE false
  )
  ORDER BY base, quote, observed_at, retrieved_at, feed
) TO {target} (
  FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE {row_group}
)
