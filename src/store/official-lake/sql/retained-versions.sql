-- Adds the versions that are damaged in the ledger from the table's present file, and sorts all rows.
UNION ALL BY NAME
FROM read_parquet({intact}, hive_partitioning = false) WHERE list_contains({names}, publication || ' ' || version)
ORDER BY valid_from, publication, version, base, quote, kind
