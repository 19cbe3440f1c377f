-- Current observations in the order of the files and, within them, of the rows: source, date, base, quote.
-- Codes come as positions in the catalog, documents by the key of document-names.sql, instants as milliseconds.
SELECT
  source::daily_source AS source,
  (date - DATE '1970-01-01')::INTEGER AS date,
  base::currency AS base,
  quote::currency AS quote,
  units::DOUBLE AS units,
  scale::UTINYINT AS scale,
  decimals::UTINYINT AS decimals,
  epoch_ms(observed_at)::DOUBLE AS observed_at,
  epoch_ms(retrieved_at)::DOUBLE AS retrieved_at,
  revision::USMALLINT AS revision,
  coalesce(epoch_ms(published_at)::DOUBLE, 'NaN'::DOUBLE) AS published_at,
  (hash(document_sha256, document) >> 12)::DOUBLE AS document
FROM read_parquet({files}, hive_partitioning = true, hive_types = {'source': VARCHAR, 'year': INTEGER})
