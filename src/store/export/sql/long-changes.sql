-- As long.sql, for rows that changed: with revision and time, and withdrawn ones without a rate.
SELECT
  date, '{base}' AS base, symbol::VARCHAR AS symbol, {rate} AS rate, CASE WHEN NOT withdrawn THEN source_name(source) END AS source,
  is_filled AS is_forward_filled, derived, bound AS derivation_bps_max, revision, {updated} AS updated_at, withdrawn
FROM {rows}
