-- Removes from `fresh` the quotes that the date's file has already. One quote that two collectors retrieved, as at a takeover, counts
-- once.
DELETE FROM fresh
USING read_parquet({files}, hive_partitioning = false) AS known
WHERE known.feed = fresh.feed AND known.base = fresh.base AND known.quote = fresh.quote
  AND known.observed_at = fresh.observed_at
  AND (
    known.retrieved_at = fresh.retrieved_at
    OR (known.mid = fresh.mid AND known.bid IS NOT DISTINCT FROM fresh.bid AND known.ask IS NOT DISTINCT FROM fresh.ask)
  )
