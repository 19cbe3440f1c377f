-- Adds the versions that are damaged in the ledger from the table's present file.
UNION ALL BY NAME
FROM read_parquet({intact}, hive_partitioning = false) WHERE list_contains({names}, publication || ' ' || version)
