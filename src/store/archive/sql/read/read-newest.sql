-- Of each currency (the one that is not the dollar) the quote that is last of those observed from {from} up to, not
-- including, {to}, in the order of read-quotes.sql; columns and what is left out as there, ordered by observed_at, currency.
WITH stored AS (
  SELECT *, CASE WHEN base = 'USD' THEN quote ELSE base END AS code
  FROM (
    FROM read_parquet({files}, hive_partitioning = false)
  )
  WHERE observed_at >= epoch_ms({from})::TIMESTAMPTZ AND observed_at < epoch_ms({to})::TIMESTAMPTZ
    AND list_contains({feeds}, feed)
),
-- To number all quotes of a currency would sort whole rows and take twice as long.
last AS (SELECT code, max(observed_at) AS observed_at FROM stored GROUP BY code),
newest AS (
  FROM stored SEMI JOIN last USING (code, observed_at)
  QUALIFY row_number() OVER (
    PARTITION BY code ORDER BY retrieved_at DESC, feed DESC, base DESC, quote DESC
  ) = 1
)
SELECT
  base::currency AS base,
  quote::currency AS quote,
  epoch_ms(observed_at)::DOUBLE AS observed,
  epoch_ms(retrieved_at)::DOUBLE AS retrieved,
  list_position({feeds}, feed)::UTINYINT AS feed,
  coalesce(bid, 0) AS bid,
  coalesce(ask, 0) AS ask,
  mid,
  coalesce(bid_decimals, 0)::UTINYINT AS bid_decimals,
  coalesce(ask_decimals, 0)::UTINYINT AS ask_decimals,
  decimals::UTINYINT AS decimals
FROM newest
ORDER BY observed_at, code
