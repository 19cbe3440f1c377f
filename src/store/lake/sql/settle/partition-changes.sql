-- Per partition: its rows as they should be, and superseded ones as they are and whether one of them is new there.
SELECT
  source, year,
  count(*) FILTER (NOT is_current) AS superseded,
  count(*) FILTER (rank = 1) AS superseded_before,
  coalesce(bool_or(NOT is_current AND rank <> 1), false) AS moved
FROM settled
GROUP BY source, year
ORDER BY source, year
