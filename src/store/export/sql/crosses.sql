-- One row per symbol and day: the exact rate on a base, its source, the error bound of a derived rate and the instant of its least
-- fresh leg. The rate is computed in doubles where they decide the tenth digit: the shifted quotient is at most 1e10 with six
-- roundings, off by less than 7e-6. Otherwise it is computed in whole numbers. source: that of the least fresh leg; on a tie the slower
-- source.
WITH sides AS (FROM {legs} WHERE is_side AND {chosen} AND day BETWEEN {first} AND {last}),
base_side AS NOT MATERIALIZED (FROM {legs} WHERE is_side AND currency = {base} AND day BETWEEN {first} AND {last}),
-- The factor of a symbol's leg, by day and by the symbol's hub: the inverse of the base's leg and, for the other hub, that times the
-- leg that joins the hubs. is_up: consists of at most one figure, which multiplies in the rate.
rests AS (
  SELECT
    place, bottom AS top, 1::DOUBLE AS join_top, top AS bottom, 1::DOUBLE AS join_bottom, scale, legs,
    legs = 0 OR NOT is_up AS is_up, date AS earliest, date AS latest, fresh, freshness,
    CASE WHEN legs = 0 THEN 1 ELSE error_factor(error, NOT is_up) END AS factor
  FROM base_side
  UNION ALL
  SELECT
    place(day, 1 - source), bottom, join_top, top, join_bottom, join_scale, 1 + legs, legs = 0 AND join_is_up, least(date, join_date), greatest(date, join_date),
    fresh AND join_fresh, least(freshness, join_freshness),
    error_factor(join_error, join_is_up) * CASE WHEN legs = 0 THEN 1 WHEN freshness = join_freshness THEN error_factor(error, NOT is_up) END
  FROM (
    SELECT
      side.*, joins.date AS join_date, joins.fresh AS join_fresh, joins.freshness AS join_freshness, joins.scale AS join_scale,
      joins.error AS join_error, (joins.source = side.source) = joins.is_up AS join_is_up,
      CASE WHEN joins.source = side.source THEN joins.top ELSE joins.bottom END AS join_top,
      CASE WHEN joins.source = side.source THEN joins.bottom ELSE joins.top END AS join_bottom
    FROM base_side AS side JOIN {legs} AS joins ON joins.is_join AND joins.day = side.day
  )
),
pairs AS (
  SELECT
    side.currency AS symbol, side.day AS date,
    side.top * (rest.top * join_top) / (side.bottom * (rest.bottom * join_bottom)) AS quotient, side.top AS side_top,
    side.bottom AS side_bottom, rest.top AS rest_top, join_top, rest.bottom AS rest_bottom, join_bottom, side.legs + rest.legs > 1 AS derived,
    side.legs + rest.legs = 1 AND side.is_up AND rest.is_up AS is_published, side.scale + rest.scale AS scale,
    {is_filled} AS is_filled, least(side.freshness, rest.freshness) AS freshness,
    CASE WHEN side.legs + rest.legs > 1 AND (side.freshness = rest.freshness OR side.legs = 0) THEN side.factor * rest.factor END AS factor
  FROM sides AS side JOIN rests AS rest ON rest.place = side.place
  WHERE {kept}
  {uneven}
),
placed AS (SELECT *, places_of(quotient) AS places FROM pairs),
shifted AS (SELECT *, ten(places) AS power, quotient * ten(places) AS shifted FROM placed)
SELECT
  symbol, date,
  CASE
    WHEN is_published THEN quotient
    WHEN abs(shifted - floor(shifted + 0.5)) < 0.49999 THEN floor(shifted + 0.5) / power
    ELSE decimal_rate(
      whole_units(product_of(side_top, rest_top, join_top), product_of(side_bottom, rest_bottom, join_bottom), places), places
    )
  END AS rate,
  CASE WHEN is_published THEN scale ELSE greatest(places, 0)::UTINYINT END AS scale, is_published,
  (1 - freshness % 2)::UTINYINT AS source, is_filled, derived, ceil(1e4 * (factor - 1 + 5e-10) * 100) / 100 AS bound,
  (freshness // 2)::DOUBLE AS observed
FROM shifted
