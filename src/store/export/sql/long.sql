-- One row per symbol and date, in the order of the rows. {more} has the columns of periods or changes. Codes are enums, which become
-- dictionaries.
SELECT
  date, '{base}'::currency AS base, symbol, rate, {source} AS source, is_filled AS is_forward_filled, derived,
  bound AS derivation_bps_max{more}
FROM {rows}
