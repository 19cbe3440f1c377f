-- The figures of a version as they were published.
CREATE TABLE {rows} (
  source UTINYINT, date DATE, base currency, quote currency, units DOUBLE, scale UTINYINT, decimals UTINYINT, observed DOUBLE
)
