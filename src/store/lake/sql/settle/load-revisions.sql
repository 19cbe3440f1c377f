-- The superseded rows of the partitions.
INSERT INTO stored BY NAME
SELECT
  date, source, base, quote, value, printed, units, scale, decimals, observed_at, published_at, retrieved_at,
  revision, document, document_sha256, superseded_at, why, superseded_by, year(date) AS year, 1 AS rank
FROM read_parquet({files}, hive_partitioning = true, hive_types = {'source': VARCHAR, 'year': INTEGER})
