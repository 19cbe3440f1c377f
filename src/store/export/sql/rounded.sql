-- Rates rounded half-even to at most {dp} places, or to one significant digit where that would give 0. Rows without a rate stay as they
-- are.
SELECT * EXCLUDE (units, digits) REPLACE (
  CASE WHEN digits > 0 THEN half_even(units, whole_ten(digits), floor(units / pow(10.0, digits))::HUGEINT)::DOUBLE / pow(10.0, scale - digits) ELSE rate END AS rate,
  (scale - coalesce(digits, 0))::UTINYINT AS scale, false AS is_published
)
FROM (
  SELECT *, CASE
    WHEN scale <= {dp} THEN 0
    WHEN 2 * units <= whole_ten(scale - {dp}) THEN length(units::VARCHAR) - 1
    ELSE scale - {dp}
  END AS digits
  FROM (SELECT *, round(rate * pow(10.0, scale))::HUGEINT AS units FROM {rows})
)
