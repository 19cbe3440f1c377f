-- Files of either layout: in the first one the partition's columns were in the files, too.
SELECT * FROM read_parquet({files}, hive_partitioning = true, hive_types_autocast = false, union_by_name = true)
