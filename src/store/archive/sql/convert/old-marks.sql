-- The marks that a writer of the first layout left in a date's file: format, mode, sequence and journal.
SELECT decode(key) AS key, decode(value) AS value
FROM parquet_kv_metadata({file})
WHERE starts_with(decode(key), 'crossrate_')
