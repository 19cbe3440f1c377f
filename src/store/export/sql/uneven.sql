-- A pair with figures in force of several dates uses the newest date, at most 14 days back, on which all of them exist. Without such a
-- date, each of two sources uses a date of its own. Without any date the pair has no rate.
UNION ALL
(WITH uneven AS (
  SELECT side.day, side.currency, side.source, side.legs
  FROM sides AS side JOIN rests AS rest ON rest.place = side.place
  WHERE least(side.date, earliest) < greatest(side.date, latest)
),
parts AS (
  SELECT day, currency AS symbol, 1 AS part, currency, source, true AS is_up FROM uneven WHERE legs = 1
  UNION ALL
  SELECT day, uneven.currency, 2, base.currency, base.source, false FROM uneven JOIN base_side AS base USING (day) WHERE base.legs = 1
  UNION ALL
  SELECT day, uneven.currency, 3, joins.currency, joins.source, joins.source = base.source
  FROM uneven JOIN base_side AS base USING (day) JOIN {legs} AS joins USING (day)
  WHERE joins.is_join AND base.source <> uneven.source
),
counted AS (
  SELECT *, count(*) OVER (PARTITION BY day, symbol) AS of_pair, count(*) OVER (PARTITION BY day, symbol, source) AS of_source
  FROM parts
),
candidates AS (
  SELECT
    counted.*, count(*) OVER (PARTITION BY counted.day, symbol, counted.date) AS on_date,
    count(*) OVER (PARTITION BY counted.day, symbol, counted.source, counted.date) AS on_date_of_source
  FROM {legs} AS figure JOIN (SELECT *, unnest([day - back::INTEGER FOR back IN range(15)]) AS date FROM counted) AS counted
    ON figure.day = counted.date AND figure.date = counted.date AND figure.currency = counted.currency
    AND figure.source = counted.source
),
dated AS (
  SELECT *, coalesce(
    max(date) FILTER (on_date = of_pair) OVER (PARTITION BY day, symbol),
    max(date) FILTER (on_date_of_source = of_source AND of_source < of_pair) OVER (PARTITION BY day, symbol, source)
  ) AS chosen
  FROM candidates
),
earlier AS (
  SELECT
    dated.day, symbol, part, of_pair, freshness, error_factor(error, dated.is_up = figure.is_up) AS factor,
    CASE WHEN dated.is_up THEN top ELSE bottom END AS top, CASE WHEN dated.is_up THEN bottom ELSE top END AS bottom
  FROM {legs} AS figure JOIN dated ON figure.day = chosen AND figure.date = chosen AND figure.currency = dated.currency
    AND figure.source = dated.source
  WHERE dated.date = chosen
)
SELECT
  symbol, day, product(top) / product(bottom), coalesce(max(top) FILTER (part = 1), 1), coalesce(max(bottom) FILTER (part = 1), 1),
  coalesce(max(top) FILTER (part = 2), 1), coalesce(max(top) FILTER (part = 3), 1),
  coalesce(max(bottom) FILTER (part = 2), 1), coalesce(max(bottom) FILTER (part = 3), 1),
  true, false, 0, true, min(freshness), CASE WHEN min(freshness) = max(freshness) THEN product(factor) END
FROM earlier
GROUP BY symbol, day
HAVING count(*) = any_value(of_pair))
