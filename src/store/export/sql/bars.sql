-- One row per symbol and interval with a quote, in the order of the table. Codes are enums, which become dictionaries in an Arrow stream.
SELECT
  epoch_ms(start::BIGINT)::TIMESTAMPTZ AS start, '{base}'::currency AS base, symbol,
  open, high, low, close, mean, ticks::BIGINT AS ticks,
  CASE WHEN imported = 1 THEN 'imported' ELSE 'live' END::ENUM ('live', 'imported') AS source
FROM {rows}
