-- What each route stated, ordered as it was written; instants in milliseconds.
SELECT
  source, route, base, quote, (first - DATE '1970-01-01')::INTEGER AS first, (last - DATE '1970-01-01')::INTEGER AS last,
  says, printed, epoch_ms(since)::DOUBLE AS since
FROM read_parquet({files}, hive_partitioning = false)
ORDER BY source, route, base, quote, first, says
