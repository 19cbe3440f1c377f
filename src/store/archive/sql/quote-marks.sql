-- The marks that a writer left in each file: format, mode, sequence and journal.
SELECT file_name AS path, decode(key) AS key, decode(value) AS value
FROM parquet_kv_metadata({files})
WHERE starts_with(decode(key), 'crossrate_')
