-- The documents of one file's figures. A figure's name is its date, its currency that is not {pivot}, and its revision.
SELECT
  date::VARCHAR || ' ' || (CASE WHEN base = {pivot} THEN quote ELSE base END) || ' ' || revision AS name,
  document,
  document_sha256
FROM read_parquet({files}, hive_partitioning = false)
