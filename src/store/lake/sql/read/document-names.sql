-- The documents of current figures, each once, with the key by which read-columns.sql names them: a whole number below 2^52.
SELECT DISTINCT (hash(document_sha256, document) >> 12)::DOUBLE AS key, document, document_sha256
FROM read_parquet({files}, hive_partitioning = false)
ORDER BY document, document_sha256
