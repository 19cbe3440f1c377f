-- Per partition: the number of superseded rows after and before the change, and whether a row is newly superseded.
SELECT
  source, year,
  count(*) FILTER (NOT is_current) AS superseded,
  count(*) FILTER (rank = 1) AS superseded_before,
  coalesce(bool_or(NOT is_current AND rank <> 1), false) AS moved
FROM settled
GROUP BY source, year
ORDER BY source, year
