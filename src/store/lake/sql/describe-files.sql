-- Rows, date range and value range of every file that has rows.
SELECT
  filename AS path, count(*)::INTEGER AS rows, min(date)::VARCHAR AS first_date, max(date)::VARCHAR AS last_date,
  min(value) AS least, max(value) AS greatest
FROM read_parquet({files}, filename = true, hive_partitioning = false, union_by_name = true)
GROUP BY filename
