-- Per partition: superseded rows as they should be and as they are, and whether one of them is new there.
SELECT
  source, year,
  count(*) FILTER (NOT stands) AS superseded,
  coalesce(bool_or(NOT stands AND rank <> 1), false) AS moved
FROM settled
GROUP BY source, year
ORDER BY source, year
