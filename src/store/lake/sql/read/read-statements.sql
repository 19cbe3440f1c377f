-- What each route stated, ordered as it was written; instants in milliseconds. Files of a release before `since` have none, and another
-- word for the current figures.
SELECT
  source, route, base, quote, (first - DATE '1970-01-01')::INTEGER AS first, (last - DATE '1970-01-01')::INTEGER AS last,
  replace(says, 'what_stands', 'current') AS says, printed, epoch_ms(since)::DOUBLE AS since
FROM (
  SELECT NULL::TIMESTAMPTZ AS since WHERE false
  UNION ALL BY NAME
  SELECT * FROM read_parquet({files}, hive_partitioning = false)
)
ORDER BY source, route, base, quote, first, says
