-- The marks a writer left in each file: format, mode and sequence.
SELECT decode(key) AS key, decode(value) AS value
FROM parquet_kv_metadata({files})
WHERE starts_with(decode(key), 'crossrate_')
