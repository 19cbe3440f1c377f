-- Every version in a file once.
SELECT
  publication, version, any_value(valid_from)::VARCHAR AS "validFrom",
  epoch_ms(any_value(retrieved_at))::VARCHAR || ' ' || any_value(document_sha256) AS identity
FROM read_parquet({file}, hive_partitioning = false)
GROUP BY publication, version
