-- The current rows of the partitions; columns by name, so that files of any column order load.
INSERT INTO stored BY NAME
SELECT
  date, source, base, quote, value, printed, units, scale, decimals, observed_at, published_at, retrieved_at,
  revision, document, document_sha256, year(date) AS year, 0 AS rank
FROM read_parquet({files}, hive_partitioning = true, hive_types = {'source': VARCHAR, 'year': INTEGER})
