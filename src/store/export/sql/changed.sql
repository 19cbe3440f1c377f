-- Rows of changes, with nulls where there is no value. Flags: 1 derived, 2 filled, 4 as published, 8 withdrawn.
SELECT
  symbol, date, CASE WHEN flags & 8 = 0 THEN rate END AS rate, scale, flags & 4 = 4 AS is_published, source, flags & 2 = 2 AS is_filled,
  flags & 1 = 1 AS derived, CASE WHEN NOT isnan(bound) THEN bound END AS bound, 0 AS observed, revision, updated, flags & 8 = 8 AS withdrawn
FROM {rows}
