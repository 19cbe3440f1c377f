-- One row a symbol and day: the rate on a base, exactly, with its source, the error bound of a derived one and the instant of its least
-- fresh leg. In doubles where they decide the tenth digit: of whole numbers below 2^53 the shifted quotient is off by less than 3e-6.
-- Else in whole numbers. source: of the least fresh leg, on a tie the slower.
WITH sides AS (FROM {legs} WHERE is_side AND {chosen} AND day BETWEEN {first} AND {last}),
rests AS (FROM {bases} WHERE currency = {base} AND day BETWEEN {first} AND {last}),
pairs AS (
  SELECT
    side.currency AS symbol, side.day AS date, side.top * rest.top AS top, side.bottom * rest.bottom AS bottom,
    side.top AS side_top, side.bottom AS side_bottom, whole_top, whole_bottom, side.legs + rest.legs AS legs,
    side.legs + rest.legs = 1 AND side.is_up AND rest.is_up AS is_published, side.scale + rest.scale AS scale,
    {is_filled} AS is_filled, CASE WHEN side.freshness < rest.freshness THEN side.freshness ELSE rest.freshness END AS freshness,
    CASE
      WHEN is_even AND (side.freshness = rest.freshness OR side.legs = 0) AND side.legs + rest.legs > 1 THEN side.factor * rest.factor
    END AS factor
  FROM sides AS side JOIN rests AS rest ON rest.place = side.place
  WHERE {kept}
  {uneven}
),
divided AS (SELECT *, top / bottom AS quotient, 9 - floor(log10(top / bottom)) AS places FROM pairs),
shifted AS (SELECT *, ten(places) AS power, quotient * ten(places) AS shifted FROM divided)
SELECT
  symbol, date,
  CASE
    WHEN NOT is_published AND abs(shifted - floor(shifted) - 0.5) > 1e-5 AND top + bottom < 9007199254740992 THEN floor(shifted + 0.5) / power
    WHEN is_published THEN quotient
    ELSE decimal_rate(whole_units(side_top::HUGEINT * whole_top, side_bottom::HUGEINT * whole_bottom, places)::DOUBLE, places)
  END AS rate,
  CASE WHEN is_published THEN scale WHEN places < 0 THEN 0 ELSE places::UTINYINT END AS scale, is_published,
  (1 - freshness % 2)::UTINYINT AS source, is_filled, legs > 1 AS derived, ceil(1e4 * (factor - 1 + 5e-10) * 100) / 100 AS bound,
  (freshness // 2)::DOUBLE AS observed
FROM shifted
