-- One row a symbol and date, in the order of the rows. {rate} is the text of the digits, or the double; {more} is of periods and changes.
SELECT
  date, '{base}' AS base, symbol::VARCHAR AS symbol, {rate} AS rate, {source} AS source, is_filled AS is_forward_filled, derived,
  bound AS derivation_bps_max{more}
FROM {rows}
