-- How many quotes a date's old file has, and how many of them are not in the new one. Files without bid_decimals and
-- ask_decimals have null there.
WITH old AS (
  SELECT observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals, bid_decimals, ask_decimals
  FROM (
    FROM read_parquet({old}, hive_partitioning = false)
    UNION ALL BY NAME
    SELECT NULL::UTINYINT AS bid_decimals, NULL::UTINYINT AS ask_decimals WHERE false
  )
),
fresh AS (
  SELECT observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals, bid_decimals, ask_decimals
  FROM read_parquet({fresh}, hive_partitioning = false)
)
SELECT
  (SELECT count(*) FROM old)::INTEGER AS total,
  (SELECT count(*) FROM (FROM old EXCEPT ALL FROM fresh))::INTEGER AS lost
