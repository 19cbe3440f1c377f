-- Quotes observed from {from} up to, not including, {to}. Without {order} nothing is sorted: they come in the order of {files} and,
-- within a date, by base, quote, observed_at, retrieved_at, feed. The connection must keep preserve_insertion_order on.
SELECT
  observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals::UTINYINT AS decimals
FROM read_parquet({files}, hive_partitioning = false)
WHERE observed_at >= epoch_ms({from})::TIMESTAMPTZ AND observed_at < epoch_ms({to})::TIMESTAMPTZ
  AND {condition}
{order}
