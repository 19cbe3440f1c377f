-- The quotes of a few currencies against each other and the dollar, either way round; in every file those of a pair
-- are in the order of observed_at, retrieved_at, feed. Codes come as positions in the catalog, instants and the lag of the
-- retrieval in milliseconds. A condition on plain lists is what lets row groups be skipped.
SELECT
  base::currency AS base,
  quote::currency AS quote,
  epoch_ms(observed_at)::DOUBLE AS observed,
  (epoch_ms(retrieved_at) - epoch_ms(observed_at))::DOUBLE AS lag,
  coalesce(list_position({feeds}, feed), 0)::UTINYINT AS feed,
  {price} AS mid
FROM read_parquet({files}, hive_partitioning = false)
WHERE base IN ({codes}) AND quote IN ({codes}) AND {price} IS NOT NULL
