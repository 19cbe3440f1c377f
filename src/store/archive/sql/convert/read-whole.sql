-- Reads every value of a file, so that what cannot be read is noticed.
SELECT bit_xor(hash(stored)) AS digest FROM read_parquet({file}, hive_partitioning = false) AS stored
