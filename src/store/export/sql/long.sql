-- One row a symbol and date, in the order of the table. {rate} is the text of the digits, or the double.
SELECT
  date, '{base}' AS base, symbol::VARCHAR AS symbol, {rate} AS rate, source_name(source) AS source,
  is_filled AS is_forward_filled, derived, bound AS derivation_bps_max
FROM {rows}
