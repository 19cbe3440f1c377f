-- Quotes as stored, observed from {from} up to, not including, {to}, in the opposite of the ascending order: dates
-- from the newest, and within a date base, quote, observed_at, retrieved_at and feed descending. This sorts.
SELECT
  observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals::UTINYINT AS decimals
FROM read_parquet({files}, hive_partitioning = false)
WHERE observed_at >= epoch_ms({from})::TIMESTAMPTZ AND observed_at < epoch_ms({to})::TIMESTAMPTZ
  AND {condition}
ORDER BY
  date_trunc('day', observed_at) DESC, base DESC, quote DESC, observed_at DESC, retrieved_at DESC, feed DESC
