-- One row a symbol and date, in the order of the table. {rate} is the text of the digits, or the double.
SELECT
  date, '{base}' AS base, symbol::VARCHAR AS symbol, {rate} AS rate, source_name(source) AS source,
  flags & 2 = 2 AS is_forward_filled, flags & 1 = 1 AS derived, bound_double(bound) AS derivation_bps_max
FROM {rows}
