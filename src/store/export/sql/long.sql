-- One row a symbol and date, in the order of the rows. {more} is of periods and changes. Codes are enums: dictionaries of texts.
SELECT
  date, '{base}'::currency AS base, symbol, rate, {source} AS source, is_filled AS is_forward_filled, derived,
  bound AS derivation_bps_max{more}
FROM {rows}
