-- The columns of select-ticks.sql without a row: there is no file in the window.
SELECT
  NULL::TIMESTAMPTZ AS observed_at, NULL::TIMESTAMPTZ AS retrieved_at, NULL::VARCHAR AS feed, NULL::VARCHAR AS base,
  NULL::VARCHAR AS quote, NULL::DOUBLE AS bid, NULL::DOUBLE AS ask, NULL::DOUBLE AS mid, NULL::UTINYINT AS decimals
WHERE false
