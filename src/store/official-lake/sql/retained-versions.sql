-- Versions that are damaged in the ledger, as the table's present file has them, among the others.
UNION ALL BY NAME
FROM read_parquet({intact}, hive_partitioning = false) WHERE list_contains({names}, publication || ' ' || version)
ORDER BY valid_from, publication, version, base, quote, kind
