-- Everything that was replaced or withdrawn, ordered by source, date, base, quote, revision; instants in milliseconds.
SELECT
  source, (date - DATE '1970-01-01')::INTEGER AS date, base, quote, printed, decimals,
  epoch_ms(observed_at)::DOUBLE AS observed_at, epoch_ms(published_at)::DOUBLE AS published_at,
  epoch_ms(retrieved_at)::DOUBLE AS retrieved_at, revision, document, document_sha256,
  epoch_ms(superseded_at)::DOUBLE AS superseded_at, why, superseded_by
FROM read_parquet({files}, hive_partitioning = true, hive_types = {'source': VARCHAR, 'year': INTEGER})
ORDER BY source, date, base, quote, revision
