-- The last row of each period, dated with the period's first day. A filled series that ended within the period has no row.
SELECT * EXCLUDE (start) REPLACE (start AS date), date AS last_date
FROM (SELECT *, date_trunc('{unit}', date)::DATE AS start FROM ({rows}))
QUALIFY date = max(date) OVER (PARTITION BY symbol, start)
  AND (NOT {fills} OR date = least((start + INTERVAL 1 {unit})::DATE - 1, {until}))
