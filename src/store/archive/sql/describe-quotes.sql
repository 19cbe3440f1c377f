-- Rows and first and last observation of every file that has rows; instants as text, to the millisecond.
SELECT
  filename AS path, count(*)::INTEGER AS rows,
  strftime(min(observed_at)::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ') AS first,
  strftime(max(observed_at)::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ') AS last
FROM read_parquet({files}, filename = true, hive_partitioning = false)
GROUP BY filename
