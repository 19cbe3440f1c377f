-- The rows of current files ({rank} 0) or superseded ones (1); columns by name, so files of any column order load.
INSERT INTO stored BY NAME
SELECT *, {rank} AS rank
FROM read_parquet({files}, hive_partitioning = true, hive_types = {'source': VARCHAR, 'year': INTEGER})
