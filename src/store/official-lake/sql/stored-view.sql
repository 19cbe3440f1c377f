-- The old file of a table; without one, no rows.
CREATE OR REPLACE TEMP VIEW stored AS
SELECT
  country, authority, publication, version, valid_from, valid_to, published_at, retrieved_at, base, quote, rate,
  printed, unit, kind, source_url, document_sha256
FROM read_parquet({file}, hive_partitioning = false)
