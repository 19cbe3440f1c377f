-- Rows of a file, from its footer.
SELECT count(*)::INTEGER AS rows FROM read_parquet({files}, hive_partitioning = false)
