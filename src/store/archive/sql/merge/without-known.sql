-- Takes out of `fresh` what the date's file holds already: a repetition adds nothing, whatever was merged before. Two
-- collectors that took over from each other may both have retrieved a quote: it is one quote.
DELETE FROM fresh
USING read_parquet({files}, hive_partitioning = false) AS known
WHERE known.feed = fresh.feed AND known.base = fresh.base AND known.quote = fresh.quote
  AND known.observed_at = fresh.observed_at
  AND (
    known.retrieved_at = fresh.retrieved_at
    OR (known.mid = fresh.mid AND known.bid IS NOT DISTINCT FROM fresh.bid AND known.ask IS NOT DISTINCT FROM fresh.ask)
  )
