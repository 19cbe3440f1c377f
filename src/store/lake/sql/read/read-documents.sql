-- The documents of one file's figures, by ascending date and currency; `place` is date and currency in one number.
SELECT
  (date - DATE '1970-01-01')::INTEGER * 64 + enum_code((CASE WHEN base = {pivot} THEN quote ELSE base END)::currency) AS place,
  revision,
  document,
  document_sha256
FROM read_parquet({files}, hive_partitioning = false)
ORDER BY place
