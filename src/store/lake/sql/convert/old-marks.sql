-- The mode that a writer of the first layout marked its files with.
SELECT DISTINCT decode(value) AS mode FROM parquet_kv_metadata({files}) WHERE decode(key) = 'crossrate_mode'
