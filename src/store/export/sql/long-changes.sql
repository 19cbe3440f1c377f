-- As long.sql, for rows that changed: with revision and time, and withdrawn ones without a rate.
SELECT
  date, '{base}' AS base, symbol::VARCHAR AS symbol, {rate} AS rate, CASE WHEN flags & 8 = 8 THEN NULL ELSE source_name(source) END AS source,
  flags & 2 = 2 AS is_forward_filled, flags & 1 = 1 AS derived, bound_double(bound) AS derivation_bps_max,
  revision, {updated} AS updated_at, flags & 8 = 8 AS withdrawn
FROM {rows}
