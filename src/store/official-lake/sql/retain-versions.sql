-- Versions that are damaged in the ledger, as the table's present file has them.
INSERT INTO incoming
SELECT
  publication, version, valid_from - DATE '1970-01-01', valid_to - DATE '1970-01-01', epoch_ms(published_at),
  epoch_ms(retrieved_at), base, quote, rate, printed, unit, kind, source_url, document_sha256
FROM read_parquet({file}, hive_partitioning = false)
WHERE list_contains({names}, publication || ' ' || version)
