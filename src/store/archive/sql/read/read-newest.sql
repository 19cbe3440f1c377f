-- The last quote of each currency (the one that is not the dollar) observed from {from} up to, not including, {to}, in the order of
-- read-quotes.sql.
WITH stored AS (
  SELECT *, CASE WHEN base = 'USD' THEN quote ELSE base END AS code
  FROM read_parquet({files}, hive_partitioning = false)
  WHERE observed_at >= epoch_ms({from})::TIMESTAMPTZ AND observed_at < epoch_ms({to})::TIMESTAMPTZ
    AND list_contains({feeds}, feed)
),
-- Numbering all quotes of a currency would sort whole rows and take twice as long.
last AS (SELECT code, max(observed_at) AS observed_at FROM stored GROUP BY code)
FROM stored SEMI JOIN last USING (code, observed_at)
QUALIFY row_number() OVER (
  PARTITION BY code ORDER BY retrieved_at DESC, feed DESC, base DESC, quote DESC
) = 1
