-- Rows of each superseded file of the partitions at hand, before the change.
SELECT source, year, count(*) AS rows FROM stored WHERE rank = 1 GROUP BY source, year
