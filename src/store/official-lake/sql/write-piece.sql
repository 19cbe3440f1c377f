-- The rows of some days: what the old file keeps of them and what has arrived, in the order of the files.
COPY (
  SELECT *
  FROM (
    SELECT * FROM stored
    WHERE valid_from BETWEEN DATE '1970-01-01' + {from} AND DATE '1970-01-01' + {to}
      AND NOT EXISTS (
        SELECT 1 FROM gone WHERE gone.publication = stored.publication AND gone.version = stored.version
      )
    UNION ALL
    SELECT * FROM arrived
  )
  ORDER BY valid_from, publication, version, base, quote, kind
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
