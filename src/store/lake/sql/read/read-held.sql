-- Held figures, ordered by source, date, base, quote; instants in milliseconds.
SELECT
  source, (date - DATE '1970-01-01')::INTEGER AS date, base, quote, printed, decimals,
  epoch_ms(observed_at)::DOUBLE AS observed_at, epoch_ms(published_at)::DOUBLE AS published_at,
  epoch_ms(retrieved_at)::DOUBLE AS retrieved_at, document, document_sha256, rule, reason
FROM read_parquet({files}, hive_partitioning = false)
ORDER BY source, date, base, quote
