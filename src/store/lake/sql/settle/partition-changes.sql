-- Per partition: whether a row is newly superseded. Those of before (rank 1) stay so.
SELECT source, year, bool_or(NOT is_current AND rank <> 1) AS moved
FROM settled
GROUP BY source, year
ORDER BY source, year
