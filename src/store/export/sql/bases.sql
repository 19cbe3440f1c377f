-- What a symbol's leg is multiplied with, for each base, day and hub of the symbol: the base's own leg turned over, and for the
-- other hub the leg that joins the two. Ordered by currency and day. is_up: multiplies in the rates, where it is one figure or less.
CREATE TABLE {bases} AS
SELECT
  currency, day, place, bottom AS top, top AS bottom, bottom::HUGEINT AS whole_top, top::HUGEINT AS whole_bottom, scale, legs,
  legs = 0 OR NOT is_up AS is_up, date AS earliest, date AS latest, fresh, freshness, true AS is_even,
  CASE WHEN legs = 0 THEN 1 ELSE error_factor(error, NOT is_up) END AS factor
FROM {legs}
WHERE is_side
UNION ALL
SELECT
  currency, day, place(day, 1 - source), bottom * join_top, top * join_bottom, bottom::HUGEINT * join_top::HUGEINT,
  top::HUGEINT * join_bottom::HUGEINT, join_scale, 1 + legs, legs = 0 AND join_is_up, least(date, join_date), greatest(date, join_date),
  fresh AND join_fresh, least(freshness, join_freshness), legs = 0 OR freshness = join_freshness,
  error_factor(join_error, join_is_up) * CASE WHEN legs = 0 THEN 1 ELSE error_factor(error, NOT is_up) END
FROM (
  SELECT
    side.*, joins.date AS join_date, joins.fresh AS join_fresh, joins.freshness AS join_freshness, joins.scale AS join_scale,
    joins.error AS join_error, (joins.source = side.source) = joins.is_up AS join_is_up,
    CASE WHEN joins.source = side.source THEN joins.top ELSE joins.bottom END AS join_top,
    CASE WHEN joins.source = side.source THEN joins.bottom ELSE joins.top END AS join_bottom
  FROM {legs} AS side JOIN {legs} AS joins ON joins.day = side.day
  WHERE side.is_side AND joins.is_join
)
ORDER BY currency, day
