-- What each route said, ordered as it was written.
SELECT
  source, route, base, quote, (first - DATE '1970-01-01')::INTEGER AS first, (last - DATE '1970-01-01')::INTEGER AS last,
  says, printed
FROM read_parquet({files}, hive_partitioning = false)
ORDER BY source, route, base, quote, first, says
