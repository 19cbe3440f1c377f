-- The last row of each period, dated with its first day. A filled series that ended before the period did has none.
SELECT * EXCLUDE (start) REPLACE (start AS date), date AS last_date
FROM (SELECT *, date_trunc('{unit}', date)::DATE AS start FROM ({rows}))
QUALIFY date = max(date) OVER (PARTITION BY symbol, start)
  AND (NOT {fills} OR date = least((start + INTERVAL 1 {unit})::DATE - 1, {until}))
