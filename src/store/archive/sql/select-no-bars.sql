-- The columns of select-bars.sql without a row: there is no file in the window.
SELECT
  NULL::TIMESTAMPTZ AS start, NULL::VARCHAR AS base, NULL::VARCHAR AS symbol, NULL::DOUBLE AS open,
  NULL::DOUBLE AS high, NULL::DOUBLE AS low, NULL::DOUBLE AS close, NULL::DOUBLE AS mean, NULL::BIGINT AS ticks
WHERE false
