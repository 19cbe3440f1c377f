-- The quotes of a few currencies against each other, either way round. Every file has those of a pair in the order of observed_at,
-- retrieved_at, feed. Codes are positions in the catalog; instants and the retrieval's lag are milliseconds. DuckDB skips row groups
-- for a condition on plain lists only.
SELECT
  base::currency AS base,
  quote::currency AS quote,
  epoch_ms(observed_at)::DOUBLE AS observed,
  (epoch_ms(retrieved_at) - epoch_ms(observed_at))::DOUBLE AS lag,
  coalesce(list_position({feeds}, feed), 0)::UTINYINT AS feed,
  {price} AS mid
FROM read_parquet({files}, hive_partitioning = false)
WHERE base IN ({codes}) AND quote IN ({codes}) AND {price} IS NOT NULL
