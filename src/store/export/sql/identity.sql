-- A currency against itself: 1 on each day with a figure, which is its own or, for a hub, the one that joins the hubs.
SELECT
  {base} AS symbol, day AS date, 1::DOUBLE AS rate, 0::UTINYINT AS scale, false AS is_published, source, NOT fresh AS is_filled,
  false AS derived, NULL::DOUBLE AS bound, (freshness // 2)::DOUBLE AS observed
FROM {legs}
WHERE CASE WHEN {base} IN ('EUR', 'USD') THEN is_join ELSE is_side AND currency = {base} END AND day BETWEEN {first} AND {last}
  AND (fresh OR {fills})
