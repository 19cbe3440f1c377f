-- The exact mean of the printed rates of each period, half-even to ten digits, with the source of the least fresh day.
WITH grouped AS (
  SELECT
    symbol, start, max(places) AS places, count(*) AS days,
    sum(round(rate * pow(10.0, scale))::HUGEINT * whole_ten(places - scale)) AS units,
    arg_min(source, (observed, date)) AS source, bool_or(is_filled) AS is_filled, bool_or(derived) AS derived, min(observed) AS observed,
    max(date) AS last_date
  FROM (
    SELECT *, date_trunc('{unit}', date)::DATE AS start, max(scale) OVER (PARTITION BY symbol, date_trunc('{unit}', date)) AS places
    FROM ({rows})
  )
  GROUP BY symbol, start
),
divided AS (SELECT *, days * whole_ten(places) AS divisor, places_of(units / (days * whole_ten(places))) AS digits FROM grouped)
SELECT
  symbol, start AS date, decimal_rate(whole_units(units, divisor, digits), digits) AS rate, greatest(digits, 0)::UTINYINT AS scale,
  false AS is_published, source, is_filled, derived, NULL::DOUBLE AS bound, observed, last_date
FROM divided
