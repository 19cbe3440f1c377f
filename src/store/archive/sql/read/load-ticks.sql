-- The quotes of a few currencies against the dollar, either way round. Every file has those of one direction in the order of
-- observed_at, retrieved_at, feed. Codes are positions in the catalog; instants and the retrieval's lag are milliseconds. DuckDB skips
-- row groups for a condition on plain lists only.
SELECT
  (CASE WHEN base = 'USD' THEN quote ELSE base END)::currency AS code,
  epoch_ms(observed_at)::DOUBLE AS observed,
  (epoch_ms(retrieved_at) - epoch_ms(observed_at))::DOUBLE AS lag,
  coalesce(list_position({feeds}, feed), 0)::UTINYINT AS feed,
  (base <> 'USD')::UTINYINT AS is_inverse,
  CASE WHEN base = 'USD' THEN {side} ELSE {opposite} END AS price
FROM read_parquet({files}, hive_partitioning = false)
WHERE base IN ({codes}) AND quote IN ({codes}) AND 'USD' IN (base, quote)
  AND CASE WHEN base = 'USD' THEN {side} ELSE {opposite} END IS NOT NULL
